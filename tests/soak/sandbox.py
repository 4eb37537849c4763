# SPDX-License-Identifier: Apache-2.0
"""Where commands run: a small tmpfs of its own for root, a scratch folder for others; and what stood where before and after."""
import hashlib
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

INSIDE = "TESLASIM_SOAK_INSIDE"


def enter_private_mounts():
    """As root, starts this program again with mounts that nobody else sees and that vanish with it."""
    if os.geteuid() == 0 and INSIDE not in os.environ and shutil.which("unshare"):
        works = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0
        if works:
            os.environ[INSIDE] = "1"
            os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])


def describe(path):
    """What stands at a path, so that any change of it shows."""
    status = path.lstat()
    kind = stat.S_IFMT(status.st_mode)
    if stat.S_ISREG(kind):
        return ("file", hashlib.sha256(path.read_bytes()).hexdigest())
    if stat.S_ISLNK(kind):
        return ("link", os.readlink(path))
    if stat.S_ISCHR(kind):
        return ("device", status.st_rdev)
    return ({stat.S_IFDIR: "folder", stat.S_IFIFO: "fifo"}.get(kind, "other"), 0)


def snapshot(folder):
    """Relative path to description, of everything below."""
    found = {}
    for base, folders, files in os.walk(folder):
        for name in folders + files:
            path = pathlib.Path(base, name)
            found[str(path.relative_to(folder))] = describe(path)
    return found


def stamps(folder, without=("build", ".git", "__pycache__")):
    """Size and time of every file below: enough to notice that one was written."""
    found = {}
    for base, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in without]
        for name in files:
            status = os.lstat(os.path.join(base, name))
            found[os.path.join(base, name)] = (status.st_size, status.st_mtime_ns, status.st_mode)
    return found


class Sandbox:
    """`arena` is the small file system; the folder of a command lies some levels down, so that '../../..' stays inside."""

    def __init__(self, megabytes):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="teslasim-soak-"))
        self.pool = self.root / "pool"
        self.arena = self.root / "arena"
        self.pool.mkdir()
        self.arena.mkdir()
        self.small = INSIDE in os.environ and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "soak", str(self.arena)], capture_output=True, check=False).returncode == 0
        # Commands may run as another user.
        for folder in (self.root, self.arena):
            folder.chmod(0o755)

    def folder(self, number):
        place = self.arena / "a" / "b" / "c" / f"{number}"
        place.mkdir(parents=True)
        return place

    def fill(self, left):
        """Leaves so many bytes of a small file system free."""
        status = os.statvfs(self.arena)
        filler = self.arena / "filler"
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(status.f_bavail * status.f_frsize - left, 1))
        return filler

    def close(self):
        if self.small:
            subprocess.run(["umount", "-l", str(self.arena)], capture_output=True, check=False)
        shutil.rmtree(self.root, ignore_errors=True)

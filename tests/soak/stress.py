# SPDX-License-Identifier: Apache-2.0
"""Runs one command under random adversity: signals, limits, a full disk, a folder that cannot be written, lost output."""
import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass, field

NOBODY = 65534
MEGABYTE = 1 << 20
# The program reserves the address space of a 32-bit GPU.
ADDRESS_SPACE = 16 << 30
MOST_RESIDENT = 3 << 30


@dataclass
class Adversity:
    """What happens to a command besides its arguments."""
    name: str = "none"
    signals: list = field(default_factory=list)  # (seconds after the one before, number, whole group)
    limits: dict = field(default_factory=dict)
    bytes_free: int = -1
    sealed: bool = False
    stdout: str = "pipe"


@dataclass
class Outcome:
    status: int
    out: bytes
    err: bytes
    seconds: float
    resident: int
    sent: list
    hung: bool


def random_adversity(random, root):
    kinds = ["none"] * 10 + ["signal", "signal", "signals", "kill", "disk", "file_size", "memory", "files", "sealed", "full_out", "closed_out"]
    kind = random.choice(kinds)
    delay = random.choice([0.0, 0.02, 0.1, 0.3, 1.0])
    stop = random.choice([signal.SIGINT, signal.SIGTERM])
    if kind == "signal":
        return Adversity(kind, [(delay, stop, random.random() < 0.5)])
    if kind == "signals":  # timeout and some shells
        return Adversity(kind, [(delay, stop, False), (random.choice([0.0, 0.001, 0.1, 2.0]), stop, True)])
    if kind == "kill":
        return Adversity(kind, [(delay, signal.SIGKILL, True)])
    if kind == "disk":
        return Adversity(kind, bytes_free=random.choice([0, 4096, 20_000, 100_000, 400_000]))
    if kind == "file_size":
        return Adversity(kind, limits={resource.RLIMIT_FSIZE: random.choice([0, 100, 5000, 60_000])})
    if kind == "memory":
        return Adversity(kind, limits={resource.RLIMIT_AS: random.choice([300, 1000, 4200, 4400, 5000]) * MEGABYTE})
    if kind == "files":
        return Adversity(kind, limits={resource.RLIMIT_NOFILE: random.choice([4, 6, 9, 16])})
    if kind == "sealed":
        return Adversity(kind, sealed=True) if root else Adversity()
    if kind in ("full_out", "closed_out"):
        return Adversity(kind, stdout=kind)
    return Adversity()


def serve_fifo(path, data, over):
    """Feeds a FIFO that is an input, drains one that is an output, until the command is over."""
    way = os.O_WRONLY if data is not None else os.O_RDONLY
    while not over.is_set():
        try:
            end = os.open(path, way | os.O_NONBLOCK)
        except OSError:  # nobody reads yet, or it is gone
            over.wait(0.01)
            continue
        try:
            os.set_blocking(end, data is None)
            if data is not None:
                feed(end, data, over)
            else:
                drain(end, over)
        finally:
            os.close(end)
        over.wait(0.02)


def feed(end, data, over):
    while data and not over.is_set():
        try:
            data = data[os.write(end, data):]
        except BlockingIOError:
            over.wait(0.005)
        except OSError:
            return


def drain(end, over):
    os.set_blocking(end, False)
    while not over.is_set():
        try:
            if not os.read(end, 65536):
                over.wait(0.01)
        except BlockingIOError:
            over.wait(0.01)


def send_signals(process, plan, sent, over):
    for delay, number, group in plan:
        if over.wait(delay):
            return
        try:
            (os.killpg if group else os.kill)(process.pid, number)
            sent.append(number)
        except ProcessLookupError:
            return


def watch_memory(process, peak, over):
    """The largest resident memory; a command beyond all measure is killed before it takes the host's."""
    while not over.wait(0.05):
        try:
            with open(f"/proc/{process}/statm", encoding="ascii") as file:
                peak[0] = max(peak[0], int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE"))
        except (OSError, IndexError):
            return
        if peak[0] > MOST_RESIDENT:
            os.killpg(process, signal.SIGKILL)
            return


def limit_setter(limits, seconds):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for which, value in {resource.RLIMIT_AS: ADDRESS_SPACE, **limits}.items():
            resource.setrlimit(which, (value, value))
    return apply


def open_stdout(kind):
    if kind == "full_out":
        return os.open("/dev/full", os.O_WRONLY)
    if kind == "closed_out":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    return None


def execute(program, command, scene, adversity, patience):
    """The outcome of a command; nothing of it runs on afterwards."""
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(scene.folder / "home"), "TMPDIR": str(scene.folder / "tmp"), "LC_ALL": "C"}
    lost = open_stdout(adversity.stdout)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if adversity.sealed else {}
    begin = time.monotonic()
    process = subprocess.Popen([program, *command.arguments], cwd=scene.folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE if lost is None else lost, stderr=subprocess.PIPE, start_new_session=True,
                               preexec_fn=limit_setter(adversity.limits, patience), **user)
    if lost is not None:
        os.close(lost)
    over, sent, hung = threading.Event(), [], False
    helpers = [threading.Thread(target=serve_fifo, args=(path, data, over)) for path, data in scene.fifos]
    helpers.append(threading.Thread(target=send_signals, args=(process, adversity.signals, sent, over)))
    helpers.append(threading.Thread(target=watch_memory, args=(process.pid, peak := [0], over)))
    for helper in helpers:
        helper.start()
    try:
        output, errors = process.communicate(timeout=patience * 6)
    except subprocess.TimeoutExpired:
        hung = True
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
    over.set()
    for helper in helpers:
        helper.join()
    end_group(process.pid)
    return Outcome(process.returncode, output or b"", errors or b"", time.monotonic() - begin, peak[0], sent, hung)


def end_group(group):
    """What a killed command started must not run into the next one."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass

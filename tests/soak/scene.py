# SPDX-License-Identifier: Apache-2.0
"""The folder of one command: inputs laid down for it, bent or not, and the outputs that it may make."""
import os
import shutil
import stat
from dataclasses import dataclass, field

from mutation import mutated

LARGEST_RUN_NUMBER = 3


@dataclass
class Command:
    """One call of the program and what is allowed to change."""
    kind: str
    arguments: list
    outputs: set = field(default_factory=set)  # relative paths that may be made or replaced
    run_folder: str = ""                       # a whole run directory stands here after exit 0
    prints: bool = False                       # has something to say on stdout when it succeeds
    unfinished: bool = False                   # a gate over a run that did not end well
    rewrites_reports: bool = False


class Scene:
    def __init__(self, pool, random, folder):
        self.pool, self.random, self.folder = pool, random, folder
        self.bends = random.random() < 0.55
        self.inputs, self.fifos = [], []
        self.laid_runs = {}
        for name in ("home", "tmp", "sub"):
            (folder / name).mkdir()

    def chance(self, probability):
        return self.random.random() < probability

    def content(self, path, kind):
        data = path.read_bytes()
        if self.bends and self.chance(0.7):
            others = self.pool.files.get(kind) or [path]
            data = mutated(self.random, data, self.random.choice(others).read_bytes())
        return data

    def put(self, path, kind, name=None):
        name = name or path.name
        if os.path.lexists(self.folder / name):
            return name
        (self.folder / name).write_bytes(self.content(path, kind))
        self.inputs.append(name)
        return self.odd_node(name) if self.chance(0.03) else name

    def odd_node(self, name):
        """Puts something in the place of an input that is no regular file, or nothing."""
        path = self.folder / name
        way = self.random.choice(["missing", "folder", "fifo", "loop", "link", "unreadable"])
        data = path.read_bytes()
        if way == "unreadable":
            path.chmod(0)
            return name
        path.unlink()
        if way == "folder":
            path.mkdir()
        elif way == "fifo":
            os.mkfifo(path)
            self.fifos.append((path, data))
        elif way == "loop":
            path.symlink_to(name)
        elif way == "link":
            (self.folder / ("real-" + name)).write_bytes(data)
            path.symlink_to("real-" + name)
        return name

    def file(self, kind):
        return self.put(self.random.choice(self.pool.files[kind]), kind)

    def kernel(self, small=False):
        """A code file with its launch file; returns one of the two."""
        pairs = self.pool.pairs
        known = [pair for pair in pairs if pair[0].parent == self.pool.folder]
        code, launch = self.random.choice(known if small or self.chance(0.6) else pairs)
        names = [self.put(code, "asm"), self.put(launch, "launch")]
        return self.random.choice(names)

    def any_input(self):
        way = self.random.random()
        if way < 0.7:
            return self.kernel()
        if way < 0.8:
            return self.file("trace")
        return self.file(self.random.choice(["cubin", "asm", "text_trace", "listing", "foreign", "npy", "machine"]))

    def run(self, label=None):
        """A finished run below runs/; returns its folder's name."""
        label = label or self.random.choice(sorted(self.pool.runs))
        number = len(self.laid_runs) + 1
        name = f"runs/{number:03}-{label}-tiny"
        shutil.copytree(self.pool.runs[label], self.folder / name, symlinks=True)
        whole = True
        if self.bends and self.chance(0.3):
            path = self.folder / name / self.random.choice(["stats.json", "run.json", "models.json", "intervals.csv", "pc.csv"])
            if path.exists():
                path.write_bytes(self.content(path, "none"))
                whole = False
        self.laid_runs[name] = label if whole else "bent"
        return self.random.choice([name, name, str(number)])

    def output(self, extension, command):
        """The name of an output: mostly a new one, sometimes what an output must not damage."""
        ways = ["new"] * 8 + ["earlier", "earlier", "link", "fifo", "device", "full", "nowhere", "folder", "input", "input", "odd"]
        way = self.random.choice(ways)
        name = f"out{len(command.outputs)}{extension}"
        path = self.folder / name
        if way == "input" and self.inputs:
            name = self.random.choice(self.inputs)
            if name == "ones.npy":  # lies there whether or not the command reads it
                command.outputs.add(name)
            return self.random.choice(["", "./", "sub/../"]) + name
        if way == "earlier":
            path.write_bytes(b"an earlier output")
        elif way == "link":
            (self.folder / "target").write_bytes(b"an earlier output")
            path.symlink_to("target")
            command.outputs.add("target")
        elif way == "fifo":
            os.mkfifo(path)
            self.fifos.append((path, None))
        elif way in ("device", "full") and os.geteuid() == 0:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3 if way == "device" else 7))
        elif way == "nowhere":
            name = f"absent/{name}"
        elif way == "folder":
            path.mkdir()
        elif way == "odd":
            name = self.random.choice(["-dash", "with space", "n\nl", "\u00e9", "x" * 300]) + extension
            name = f"./{name}"
        command.outputs.add(os.path.normpath(name))
        return name

# SPDX-License-Identifier: Apache-2.0
"""Random commands on random inputs under random adversity, in a small file system.

usage: soak.py PROGRAM [--seconds S | --commands N] [--seed S] [--only N] [--keep DIR]

Everything about command N follows from the seed and N: `--seed S --only N` repeats it (but for what depends on time).
The exit status is 1 when there were findings.
"""
import argparse
import collections
import os
import pathlib
import random
import resource
import shlex
import shutil
import sys
import time

import checks
import commands
import sandbox
import stress
from pool import SOURCE, Pool
from scene import Scene


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--commands", type=int, default=0, help="so many instead of so long")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", type=int, default=0, metavar="N", help="only command N of the seed, and show what it says")
    parser.add_argument("--keep", type=pathlib.Path, help="copy the folders of commands with findings there")
    parser.add_argument("--megabytes", type=int, default=64, help="size of the file system")
    parser.add_argument("--edited", action="store_true", help="somebody works on the project meanwhile: do not watch its files")
    parser.add_argument("--patience", type=int, default=60, help="seconds of processor time for one command")
    return parser.parse_args()


def seal(scene):
    """The program runs as another user: who may read everything, and write nothing."""
    for base, folders, files in os.walk(scene.folder):
        for name in folders + files:
            path = os.path.join(base, name)
            if not os.path.islink(path) and not os.access(path, os.X_OK):
                os.chmod(path, 0o644)
    scene.folder.chmod(0o555)


class Soak:
    def __init__(self, options, box):
        self.options, self.box = options, box
        self.program = str(options.program.resolve())
        self.pool = Pool(self.program, self.box.pool)
        self.kinds, self.statuses, self.adversities = collections.Counter(), collections.Counter(), collections.Counter()
        self.findings = []
        self.around = self.surroundings()

    def surroundings(self):
        project = {} if self.options.edited else sandbox.stamps(SOURCE)
        return {**project, **sandbox.stamps(self.box.pool), **sandbox.stamps(self.box.arena, without=("c",))}

    def step(self, number):
        """One command; returns its findings, command and outcome."""
        chance = random.Random(f"{self.options.seed}:{number}")
        folder = self.box.folder(number)
        scene = Scene(self.pool, chance, folder)
        (folder / "runs").mkdir()
        command = commands.random_command(scene)
        if not scene.laid_runs:
            (folder / "runs").rmdir()
        adversity = stress.random_adversity(chance, os.geteuid() == 0)
        if adversity.sealed:
            seal(scene)
        before = sandbox.snapshot(folder)
        filler = self.box.fill(adversity.bytes_free) if adversity.bytes_free >= 0 and self.box.small else None
        outcome = stress.execute(self.program, command, scene, adversity, self.options.patience)
        if filler:
            filler.unlink()
        found = checks.findings(scene, command, adversity, outcome, before, sandbox.snapshot(folder))
        now = self.surroundings()
        found += [f"outside: {name}" for name in now.keys() | self.around.keys() if now.get(name) != self.around.get(name)]
        self.around = now
        self.count(number, command, adversity, outcome, found)
        if found and self.options.keep:
            shutil.copytree(folder, self.options.keep / f"{self.options.seed}-{number}", symlinks=True, dirs_exist_ok=True, ignore=self.special)
        shutil.rmtree(self.box.arena / "a")
        return command, outcome

    @staticmethod
    def special(folder, names):
        return [name for name in names if not (os.path.isfile(os.path.join(folder, name)) or os.path.isdir(os.path.join(folder, name)))]

    def count(self, number, command, adversity, outcome, found):
        self.kinds[command.kind] += 1
        self.statuses[outcome.status] += 1
        self.adversities[adversity.name] += 1
        for text in found:
            self.findings.append(number)
            print(f"FINDING {number} [{adversity.name}] {shlex.join(['teslasim', *command.arguments])}\n    {text}", flush=True)

    def repeat(self, number):
        command, outcome = self.step(number)
        print(shlex.join(["teslasim", *command.arguments]))
        print(f"status {outcome.status}, {outcome.seconds:.2f} s, {outcome.resident >> 20} MB, signals {outcome.sent}")
        sys.stdout.flush()
        sys.stdout.buffer.write(outcome.out + outcome.err)

    def run(self):
        begin = told = time.monotonic()
        number = 0
        while number < self.options.commands or (not self.options.commands and time.monotonic() - begin < self.options.seconds):
            number += 1
            self.step(number)
            if time.monotonic() - told >= 60:
                told = time.monotonic()
                print(f"{(told - begin) / 60:4.0f} min  {number} commands  {len(self.findings)} findings", flush=True)
        print(f"seed {self.options.seed}: {number} commands in {time.monotonic() - begin:.0f} s")

    def table(self):
        for title, counter in (("commands", self.kinds), ("endings", self.statuses), ("adversity", self.adversities)):
            print(f"{title:<10}", "  ".join(f"{name} {count}" for name, count in sorted(counter.items(), key=lambda item: -item[1])))
        print(f"findings   {len(self.findings)}" + (f" (commands {sorted(set(self.findings))})" if self.findings else ""))


def main():
    options = arguments()
    sandbox.enter_private_mounts()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    box = sandbox.Sandbox(options.megabytes)
    try:
        place = "a tmpfs of its own" if box.small else "a scratch folder, so without a full disk: root has a tmpfs"
        print(f"seed {options.seed}, {place}", flush=True)
        soak = Soak(options, box)
        if options.only:
            soak.repeat(options.only)
        else:
            soak.run()
            soak.table()
    finally:
        box.close()
    sys.exit(1 if soak.findings else 0)


if __name__ == "__main__":
    main()

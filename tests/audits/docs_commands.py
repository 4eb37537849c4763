# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that a document shows, so that documents cannot promise what the program does not do.

usage: docs_commands.py PROGRAM DOCUMENT.md

In fenced blocks marked `console` or `sh`, each line `$ teslasim ...`, `$ teslasim-nvcc ...` or `$ ./build/release/teslasim ...` is run (a
trailing backslash continues it; `$ cd FOLDER` and `$ mkdir FOLDER` are followed; `$ cat > FILE <<'END'` writes the lines up
to END). Its exit status must be 0, or the
number shown below a following `$ echo $?`. Of the output shown, lines that begin with RESULT must be in what the command
printed, so that figures do not go stale; the rest is not compared. All commands of a document run in one scratch folder that
looks like the project's root, so runs/ of the project stays as it was.
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import project

BLOCK = re.compile(r"^```(?:console|sh)\b[^\n]*\n(.*?)^```", re.M | re.S)
COMMAND = re.compile(r"^(?:\./build/release/)?teslasim\b")
FOLLOWED = re.compile(r"^(?:cd|mkdir) [\w./-]+$")
WRITTEN = re.compile(r"^\$ cat > [\w./-]+ <<'END'$")
COMPARED = "RESULT"
SECONDS = 900


def commands_of_block(block):
    """[(command line, expected status, lines expected in its output)] in order."""
    found = []
    lines = iter(block.replace("\\\n", " ").splitlines())
    for line in lines:
        if line.startswith("$ echo $?"):
            if found:
                found[-1] = (found[-1][0], int(next(lines, "0")), found[-1][2])
        elif WRITTEN.match(line):
            text = [line[2:], *itertools.takewhile(lambda inner: inner != "END", lines), "END"]
            found.append(("\n".join(text), 0, []))
        elif line.startswith("$ "):
            command = line[2:].strip()
            if COMMAND.match(command) or FOLLOWED.match(command):
                found.append((command, 0, []))
        elif line.startswith(COMPARED) and found:
            found[-1][2].append(line)
    return found


def commands(document):
    return [command for block in BLOCK.findall(document) for command in commands_of_block(block)]


def scratch_root(root, program, folder):
    """A folder with links to everything in the project but what is made, and with the program where documents say."""
    for entry in root.iterdir():
        if entry.name not in project.GENERATED:
            (folder / entry.name).symlink_to(entry)
    binaries = folder / "build" / "release"
    binaries.mkdir(parents=True)
    for name in ("teslasim", "teslasim-nvcc"):
        if program.with_name(name).exists():
            (binaries / name).symlink_to(program.with_name(name))
    return binaries


def run(command, status, lines, here, environment):
    """Runs one command in folder `here`; returns the folder afterwards and a complaint or None."""
    words = command.split()
    if words[0] == "cd":
        return (here / words[1]).resolve(), None
    done = subprocess.run(["bash", "-c", command], cwd=here, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    output = done.stdout.decode(errors="replace").splitlines()
    print(f"{here.name}$ {command}   (exit {done.returncode})")
    if done.returncode != status:
        tail = "\n  ".join(output[-15:])
        return here, f"`{command}` ended with {done.returncode}, the document says {status}\n  {tail}"
    for line in lines:
        if line.rstrip() not in [printed.rstrip() for printed in output]:
            printed = [text for text in output if text.startswith(COMPARED)]
            return here, f"`{command}` does not print\n  {line}\nbut\n  " + "\n  ".join(printed)
    return here, None


def main():
    root = project.project_root()
    program = pathlib.Path(sys.argv[1]).resolve()
    document = root / sys.argv[2]
    complaints = []
    with tempfile.TemporaryDirectory(prefix="teslasim-docs-") as name:
        folder = pathlib.Path(name)
        binaries = scratch_root(root, program, folder)
        environment = dict(os.environ, PATH=f"{binaries}:{os.environ['PATH']}", NO_COLOR="1",
                           TESLASIM_CACHE=str(folder / "cache"))
        here = folder
        for command, status, lines in commands(document.read_text(encoding="utf-8")):
            here, complaint = run(command, status, lines, here, environment)
            if complaint:
                complaints.append(f"{sys.argv[2]}: {complaint}")
    project.finish(sys.argv[2], complaints)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The seeds of a fuzz target: files of the project that are valid input for it, and what fuzzing found interesting.

usage: seeds.py TARGET               print the paths
       seeds.py TARGET --run PROGRAM  run `PROGRAM TARGET` with all of them
       seeds.py TARGET --copy FOLDER  copy them into FOLDER
seeds.txt says which files belong to which target; tests/fuzz/corpus/TARGET/ holds small inputs that once went wrong.
"""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOST_BYTES = 64 * 1024


def patterns(target, table):
    found = []
    for line in table.splitlines():
        words = line.split()
        if words and words[0] == target:
            found += words[1:]
    return found


def seeds(target):
    paths = sorted((HERE / "corpus" / target).glob("*"))
    for pattern in patterns(target, (HERE / "seeds.txt").read_text(encoding="utf-8")):
        # Data beside the project may be absent.
        base = ROOT.parent if pattern.startswith("../") else ROOT
        paths += sorted(base.glob(pattern.removeprefix("../")))
    return [path for path in paths if path.is_file() and path.stat().st_size <= MOST_BYTES]


def main():
    target, *options = sys.argv[1:]
    paths = seeds(target)
    if not paths:
        sys.exit(f"{target}: no seeds; name some in tests/fuzz/seeds.txt")
    if not options:
        print("\n".join(map(str, paths)))
    elif options[0] == "--run":
        sys.exit(subprocess.run([options[1], target, *map(str, paths)], check=False).returncode)
    elif options[0] == "--copy":
        folder = pathlib.Path(options[1])
        folder.mkdir(parents=True, exist_ok=True)
        for number, path in enumerate(paths):
            shutil.copyfile(path, folder / f"{number:03}-{path.name}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What the audits share: the files of the project, and a report that fails when it is not empty."""
import os
import pathlib
import sys

# Folders that are made, not written.
GENERATED = {"build", "runs", ".git", "__pycache__", ".cache"}
CPP = (".cpp", ".h")


def project_root():
    return pathlib.Path(__file__).resolve().parents[2]


def files(root, suffixes=None):
    """Paths below `root`, relative to it, in a fixed order; only those with one of `suffixes` when given."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in GENERATED)
        for name in sorted(names):
            path = (pathlib.Path(folder) / name).relative_to(root)
            if suffixes is None or path.suffix in suffixes:
                found.append(path)
    return found


def read(root, path):
    return (root / path).read_text(encoding="utf-8")


def finish(what, complaints):
    """Prints the complaints and exits: 1 when there are any."""
    for complaint in complaints:
        print(complaint)
    print(f"{what}: {len(complaints)} complaint(s)")
    sys.exit(1 if complaints else 0)

# SPDX-License-Identifier: Apache-2.0
"""An operation without peculiarities stands in four files: its row, its bits, its word, its meaning.

Those below have no modifier, operand or unit of their own; a table that asks for them beside isa/opcodes.def is a fifth file,
and makes docs/howto/add-an-instruction.md untrue.
"""
import collections
import re

import project

MOST_FILES = 4
PLAIN = ("min", "max", "shl", "shr", "rsqrt", "lg2", "sin", "cos", "ex2", "dmin", "dmax")
ROWS = "isa/opcodes.def"
ROW = re.compile(r"^[A-Z]+\((\w+),", re.M)
USE = re.compile(r"\bOpcode::(\w+)")


def files_of_operations(root):
    """For each operation the files that name it, tests and benches left out."""
    found = collections.defaultdict(set)
    for path in project.files(root, project.CPP + (".def",)):
        # A compiler may do without an operation.
        if path.parts[0] in ("tests", "benches") or path.parts[:2] == ("frontend", "compiler"):
            continue
        for name in (ROW if path.suffix == ".def" else USE).findall(project.read(root, path)):
            found[name].add(path.as_posix())
    return found


def audit(root, plain=PLAIN):
    places = files_of_operations(root)
    complaints = [f"{ROWS}: there is no operation '{name}'" for name in plain if ROWS not in places[name]]
    for name in plain:
        if len(places[name]) > MOST_FILES:
            complaints.append(f"operation '{name}' stands in {len(places[name])} files: {', '.join(sorted(places[name]))}")
    return complaints


if __name__ == "__main__":
    project.finish("audit of operations", audit(project.project_root()))

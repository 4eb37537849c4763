# SPDX-License-Identifier: Apache-2.0
"""A machine file of a board has clocks, counts and memory chips; how the chip works stands in the file of its family.

usage: boards.py
"""
import tomllib

import project

# Extended by boards, or no hardware.
FAMILIES = {"tesla", "g80", "g8x", "g92", "gt200", "gt21x", "tiny"}
# A key, or a table with all that is in it.
OF_A_BOARD = {"schema", "name", "preset_version", "extends", "clock", "derived", "dram.timing", "dram.partitions",
              "gpu.tpcs", "gpu.sms_per_tpc"}
# What one board is known to have otherwise, and why.
EXCEPTIONS = {("t10p", "tpc.texture.filter_ns")}  # docs/decisions/0041-texture-latencies.md: measured on this board


def keys_of(table, path=""):
    """Dotted names of all values."""
    for name, value in table.items():
        key = path + name
        if isinstance(value, dict):
            yield from keys_of(value, key + ".")
        else:
            yield key


def belongs_to_a_board(key):
    """Whether the key, or a table around it, is one of a board."""
    parts = key.split(".")
    return any(".".join(parts[:length]) in OF_A_BOARD for length in range(1, len(parts) + 1))


def audit(root):
    complaints = []
    for path in project.files(root / "configs", {".toml"}):
        if path.stem in FAMILIES or len(path.parts) > 1:
            continue
        keys = keys_of(tomllib.loads(project.read(root / "configs", path)))
        complaints += [f"configs/{path}: {key} is a matter of the chip, not of the board"
                       for key in keys if not belongs_to_a_board(key) and (path.stem, key) not in EXCEPTIONS]
    return complaints


if __name__ == "__main__":
    project.finish("audit of boards", audit(project.project_root()))

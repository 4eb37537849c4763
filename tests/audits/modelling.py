# SPDX-License-Identifier: Apache-2.0
"""The page of each unit (docs/modelling) is true to the program: the keys and statistics that it names exist.

What exists is read from the generated references, which an audit of their own holds against the program.
"""
import fnmatch
import re

import project

FOLDER = "docs/modelling"
SECTIONS = ["Keys", "Statistics", "Sources", "Left out"]
CODE = re.compile(r"`([^`\n]+)`")
ROW = re.compile(r"^\| `([^`]+)` \|", re.M)
REASON = re.compile(r"^\| [\w.-]+ \| (?:`([^`]+)`)? *\| (?:`([^`]+)`)? *\|", re.M)
MOST_LINES = 80  # a screen and a half


def sections(text):
    """{heading: text} of a page."""
    parts = re.split(r"^## +(.*)$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def known_keys(reference):
    return set(ROW.findall(reference))


def known_statistics(reference):
    """Paths of the table; `issue_slots.*` and `warp_cycles.*` stand for the reasons of the second table."""
    table, _, reasons = reference.partition("\n## ")
    known = set(ROW.findall(table))
    for slot, state in REASON.findall(reasons):
        known |= {f"issue_slots.{slot}"} if slot else set()
        known |= {f"warp_cycles.{state.removeprefix('wait.')}"} if state else set()
    return known


def named(section):
    """What the first column of a section's table names."""
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    return [word for cell in cells for word in CODE.findall(cell)]


def check_page(text, keys, statistics):
    found, complaints = sections(text), []
    for name in SECTIONS:
        if not found.get(name, "").strip():
            complaints.append(f"no section '{name}'")
    if "```text" not in text:
        complaints.append("no drawing")
    if len(text.splitlines()) > MOST_LINES:
        complaints.append(f"more than {MOST_LINES} lines")
    for name, known in (("Keys", keys), ("Statistics", statistics)):
        words = named(found.get(name, ""))
        if not words:
            complaints.append(f"'{name}' names none")
        complaints += [f"'{name}' names {word}, which does not exist" for word in words if not fnmatch.filter(known, word)]
    return complaints


def code_places(text):
    """Files and folders that the page says its unit is in."""
    return [word for line in text.splitlines() if line.startswith("Code: ") for word in CODE.findall(line)]


def audit(root):
    keys = known_keys(project.read(root, "docs/config-reference.md"))
    statistics = known_statistics(project.read(root, "docs/statistics-reference.md"))
    complaints = []
    for path in sorted((root / FOLDER).glob("*.md")):
        if path.name == "README.md":
            continue
        text = path.read_text(encoding="utf-8")
        found = check_page(text, keys, statistics)
        found += [f"{place} does not exist" for place in code_places(text) if not (root / place).exists()]
        complaints += [f"{FOLDER}/{path.name}: {complaint}" for complaint in found]
    return complaints


if __name__ == "__main__":
    project.finish("audit of the pages of units", audit(project.project_root()))

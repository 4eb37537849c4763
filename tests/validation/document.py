# SPDX-License-Identifier: Apache-2.0
"""docs/validation.md and its pages are what the program says: every published row, and the values of quick experiments.

usage: document.py PROGRAM     (`PROGRAM validate --report docs/validation.md` makes it anew)
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = ["E2", "E3", "E25"]


def table_rows(text):
    """[(row, machine, published, ours)] of the tables of experiments, in order."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| ")]
    return [tuple(cells[i].strip() for i in (0, 1, 3, 4)) for cells in lines if len(cells) == 10 and cells[0].strip() != "row"]


def run(program, *arguments):
    return subprocess.run([program, "validate", *arguments], check=True, capture_output=True, text=True).stdout


def shown(value):
    return "–" if value is None else value if isinstance(value, str) else f"{value:.5g}"


def is_in(row, rows):
    """Whether the document has the value of `row`, or one that only its last digits tell apart."""
    for name, machine, ours in rows:
        if (name, machine) != (row["id"], row["machine"]):
            continue
        if ours == shown(row["simulated"]):
            return True
        if isinstance(row["simulated"], float) and re.fullmatch(r"[\d.e+-]+", ours):
            if abs(float(ours) - row["simulated"]) <= 0.002 * abs(row["simulated"]):
                return True
    return False


def main():
    program, complaints = sys.argv[1], []
    index = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    pages = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "validation").glob("e*.md")}
    rows = [row for name in sorted(pages) for row in table_rows(pages[name])]
    listed = sorted((line[4:16].strip(), line.split()[2]) for line in run(program, "--list").splitlines())
    if sorted((machine, row) for row, machine, _, _ in rows) != sorted(listed):
        complaints.append("the rows of its pages are not the published rows")
    quick = json.loads(run(program, *[word for name in QUICK for word in ("--only", name)], "--json", "-"))["rows"]
    in_document = [(row, machine, ours) for row, machine, _, ours in rows]
    for row in quick:
        if not is_in(row, in_document):
            complaints.append(f"{row['id']} on {row['machine']} is {shown(row['simulated'])} now")
    linked = re.findall(r"\(validation/(e\d+\.md)\)", index)
    if sorted(linked) != sorted(pages):
        complaints.append("the index does not link to each page in docs/validation once")
    for plot in re.findall(r"\]\(([\w-]+\.svg)\)", "".join(pages.values())):
        if not (ROOT / "docs" / "validation" / plot).is_file():
            complaints.append(f"validation/{plot} does not exist")
    for complaint in complaints:
        print("docs/validation.md:", complaint)
    if complaints:
        print("make it anew: teslasim validate --report docs/validation.md")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()

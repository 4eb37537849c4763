# SPDX-License-Identifier: Apache-2.0
"""Whole kernels with published times, written in CUDA C as their authors published them, against these times.

usage: whole.py PROGRAM              the test: every result, and three figures against the page
       whole.py PROGRAM --update     writes docs/validation/cuda-c.md anew; some minutes
       whole.py PROGRAM ROW...       prints these rows, e.g. HARRIS-1

The rows, the launches and what a published time contains are those of traces/whole; only the code is another, compiled for sm_10, as
nvcc did unless told otherwise. What misses by more than 15 % has its cause in whole/causes.csv.
"""
import concurrent.futures
import csv
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from launch_alone import launch_alone

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TRACES = ROOT / "traces" / "whole"
PAGE = ROOT / "docs" / "validation" / "cuda-c.md"
BY_HAND = ROOT / "docs" / "validation" / "e30.md"
LARGE = 0.15                                                   # deviations that need a cause
QUICK = ("SDK-TRANSPOSE", "RYOO-MM-U", "NV-COAL")              # seconds each
NEWER = {"peak_double": "sm_13"}                               # what cannot be sm_10
SAME = 0.005                                                   # of a figure, as the page rounds
WORKSPACE = tempfile.TemporaryDirectory(prefix="teslasim-whole-")


def run(*command):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          env=dict(os.environ, TESLASIM_CACHE=os.path.join(WORKSPACE.name, "cache")))
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def code_of(file):
    """reduction.published -> the CUDA C of the reductions."""
    return HERE / "whole" / f"{file.split('.')[0]}.cu"


@functools.lru_cache(maxsize=None)
def compiled(program, code):
    cubin = pathlib.Path(WORKSPACE.name) / f"{code.stem}.cubin"
    run(program, "cc", code, "-arch", NEWER.get(code.stem, "sm_10"), "-o", cubin)
    return cubin


class Row:
    """A line of published.csv with what it is measured by."""

    def __init__(self, cells):
        self.id, self.machine, self.unit = cells["id"], cells["machine"], cells["unit"]
        self.what, self.published = cells["quantity"], float(cells["value"])
        self.measure = dict(word.split("=", 1) for word in cells["measure"].split()[1:])

    def launches(self):
        return [tuple(self.measure[name].split("/")) for name in ("of", "further", "less", "to", "to_less") if name in self.measure]

    def figure(self, time_of):
        """As sim/validation/whole_kernel.cpp makes it of the times of launches, in ms."""
        taken = {name: time_of(self.machine, *self.measure[name].split("/")) if name in self.measure else 0.0
                 for name in ("of", "further", "less", "to", "to_less")}
        if "to" in self.measure:
            return (taken["of"] - taken["less"]) / (taken["to"] - taken["to_less"])
        time = taken["of"] + taken["further"] + float(self.measure.get("clock_us", 0)) / 1e3 - taken["less"]
        time /= float(self.measure.get("share", 1))
        if "work" in self.measure:
            return float(self.measure["work"]) / (time * 1e-3) / float(self.measure.get("giga", 1e9))
        return time * 1e3 if self.measure.get("in") == "us" else time


def published_rows():
    with open(TRACES / "published.csv", encoding="utf-8") as file:
        rows = [Row(cells) for cells in csv.DictReader(file)]
    return [row for row in rows if all(code_of(name).exists() for name, _ in row.launches())]


class Runs:
    """Launches that were simulated, each once."""

    def __init__(self, program):
        self.program, self.done = program, {}

    def simulate(self, key):
        machine, file, kernel, assembly = key
        code = TRACES / f"{file.split('.')[0]}.asm" if assembly else compiled(self.program, code_of(file))
        launch = pathlib.Path(WORKSPACE.name) / f"{machine}.{file}.{kernel}{code.suffix}.launch.toml"
        launch.write_text(launch_alone(TRACES / f"{file}.launch.toml", kernel), encoding="utf-8")
        text = run(self.program, "run", code, "--launch", launch, "-c", machine, "--no-out", "-q", "--json=-", "--mode",
                   "functional" if assembly else "timing")
        self.done[key] = json.loads(text)["launches"]

    def need(self, keys):
        for file in sorted({file for _, file, _, _ in keys}):
            compiled(self.program, code_of(file))
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(self.simulate, [key for key in dict.fromkeys(keys) if key not in self.done]))

    def time(self, machine, file, kernel):
        return sum(entry["time"]["ms"] for entry in self.done[machine, file, kernel, False])

    def instructions(self, machine, file, kernel, assembly):
        return sum(entry["instructions"]["warp"] for entry in self.done[machine, file, kernel, assembly])


def check_results(program):
    """Every kernel computes what the small launches of traces/whole expect."""
    codes = sorted((HERE / "whole").glob("*.cu"))
    for code in codes:
        run(program, "run", compiled(program, code), "--launch", TRACES / f"{code.stem}.launch.toml", "-c", "gtx280", "--no-out", "-q",
            "--mode", "functional")
    return len(codes)


def by_hand():
    """id and machine -> the figure that the assembly of traces/whole reaches, from the page of E30."""
    found = {}
    for line in BY_HAND.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 10 and re.fullmatch(r"\d[-+.e\d]*", cells[4]):
            found[cells[0], cells[1]] = float(cells[4])
    return found


def causes():
    with open(HERE / "whole" / "causes.csv", encoding="utf-8") as file:
        return {(cells[0], cells[1]): cells[2] for cells in csv.reader(file) if cells}


def percent(ours, published):
    return f"{100 * (ours / published - 1):+.1f} %"


def figure_text(number):
    return f"{number:.4g}" if number < 1000 else f"{number:.0f}"


def measured(program, rows):
    """(row, figure, executed warp instructions, those of the code by hand) of each."""
    runs = Runs(program)
    runs.need([(row.machine, file, kernel, assembly) for row in rows for file, kernel in row.launches() for assembly in (False, True)])
    result = []
    for row in rows:
        first = (row.machine, *row.launches()[0])
        result.append((row, row.figure(runs.time), runs.instructions(*first, False), runs.instructions(*first, True)))
    return result


def line_of(row, ours, instructions, theirs, hand):
    hand_figure = hand.get((row.id, row.machine))
    count = "" if row.unit == "ratio" else f"{instructions / theirs:.2f}"
    return (f"| {row.id} | {row.machine} | {row.what} | {figure_text(row.published)} {row.unit} | {figure_text(ours)} "
            f"| {percent(ours, row.published)} | {percent(hand_figure, row.published) if hand_figure else ''} | {count} |")


HEAD = ("| row | machine | what | published | from CUDA C | deviation | code by hand | instructions |\n"
        "|---|---|---|---|---|---|---|---|\n")
TEXT = """# CUDA C against published times

Made by `tests/quality/whole.py PROGRAM --update`. The rows of [E30](e30.md), with [CUDA C](../../tests/quality/whole) that our compiler
translates in place of assembly written by hand: what a user gets who types in a published kernel. Sizes, boards and what a published time
contains are the same; [traces/whole](../../traces/whole/README.md) explains them. The target is sm_10, nvcc's own when none is named; sm_13
for double precision.

- *code by hand*: the deviation of the assembly of traces/whole
- *instructions*: warp instructions that are executed, over those of the code by hand

Of {count} figures {near} are within 15 % of the published ones (the code by hand: {hand_near}); the mean deviation is {mean:.1f} %
(code by hand: {hand_mean:.1f} %).

{table}
## What deviates by more than 15 %

{causes}
"""


def page(results):
    hand, known = by_hand(), causes()
    lines, reasons, missing, off, hand_off = [], [], [], [], []
    misses = {row.id for row, ours, _, _ in results if abs(ours / row.published - 1) > LARGE}
    missing += [f"whole/causes.csv has a cause for {name}, which does not miss any more" for name, _ in known if name not in misses]
    for row, ours, instructions, theirs in results:
        lines.append(line_of(row, ours, instructions, theirs, hand))
        off.append(abs(ours / row.published - 1))
        if (row.id, row.machine) in hand:
            hand_off.append(abs(hand[row.id, row.machine] / row.published - 1))
        if off[-1] > LARGE:
            cause = known.get((row.id, row.machine)) or known.get((row.id, "*"))
            missing += [] if cause else [f"whole/causes.csv says nothing of {row.id} on {row.machine}, {percent(ours, row.published)}"]
            reasons.append(f"| {row.id} | {row.machine} | {percent(ours, row.published)} | {cause or ''} |")
    text = TEXT.format(count=len(off), near=sum(one <= LARGE for one in off), hand_near=sum(one <= LARGE for one in hand_off),
                       mean=100 * sum(off) / len(off), hand_mean=100 * sum(hand_off) / len(hand_off), table=HEAD + "\n".join(lines) + "\n",
                       causes="| row | machine | deviation | cause |\n|---|---|---|---|\n" + "\n".join(reasons))
    return text, missing


def on_page():
    """id and machine -> the deviation that the page has."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 8 and re.fullmatch(r"[-+]\d[.\d]* %", cells[5]):
            found[cells[0], cells[1]] = float(cells[5][:-1]) / 100
    return found


def test(program, rows):
    count = check_results(program)
    expected, failed = on_page(), []
    for row, ours, _, _ in measured(program, [row for row in rows if row.id in QUICK]):
        deviation, known = ours / row.published - 1, expected[row.id, row.machine]
        print(f"{row.id} on {row.machine}: {percent(ours, row.published)}")
        if abs(deviation - known) > SAME:
            failed.append(f"{row.id} on {row.machine} is {percent(ours, row.published)} from the published figure, {100 * known:+.1f} % on the "
                          "page; when the change is meant: whole.py PROGRAM --update")
    print("\n".join(failed) or f"{count} files compute what is expected")
    return 1 if failed else 0


def main():
    program, words = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    rows = published_rows()
    if not words:
        return test(program, rows)
    if words != ["--update"]:
        hand = by_hand()
        for result in measured(program, [row for row in rows if row.id in words]):
            print(line_of(*result, hand))
        return 0
    text, missing = page(measured(program, rows))
    PAGE.write_text(text, encoding="utf-8")
    print("\n".join(missing), end="\n" if missing else "", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Every statistic and every stall reason is counted in some run: those of the golden statistics and of every_unit.asm.

usage: nonzero.py PROGRAM

never_counted.csv lists statistics that are 0 in all of them, each with the reason; a row that is no longer needed is a mistake too.
"""
import csv
import json
import pathlib
import subprocess
import sys

from statistics_table import ABSENT, FOLDER, GoldenStatistics, paths

LAUNCH = FOLDER / "every_unit.launch.toml"
# The last ones: a choice of blocks; rules for transactions and lines of textures that no machine has which was built.
RUNS = (["gtx280"], ["8800gt"], ["tiny"], ["tiny", "--blocks", "0"], ["gtx280", "--set", "coalescing.rules=cc12_16"],
        ["gtx280", "--set", "tpc.texture_cache.line_bytes=64"], ["gtx280", "--set", "tpc.texture_cache.line_bytes=128"])
ZERO = ("", "0", "null", "false", ABSENT)


def simulated(program, machine):
    """Path and text of each statistic of every_unit on one machine, with further options."""
    command = [str(pathlib.Path(program).resolve()), "run", LAUNCH.name, "--no-out", "-q", "--json", "-", "-c", *machine]
    done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return [pair for launch in json.loads(done.stdout)["launches"] for pair in every_path(launch)]


def every_path(launch):
    """Those of each partition too; what SMs count stands in the launch as a sum."""
    yield from paths(launch)
    for partition in launch["dram"]["partitions"]:
        yield from paths(partition, "dram.partitions")


def counted(program):
    """By path: whether some run has a value other than 0."""
    found = {}
    for file in sorted(FOLDER.glob("statistics.*.csv")):
        for values in GoldenStatistics(file.name.split(".")[1]).launches.values():
            for path, text in values.items():
                found[path] = found.get(path, False) or text not in ZERO
    for run in RUNS:
        for path, text in simulated(program, run):
            found[path] = found.get(path, False) or text not in ZERO
    return {path: some for path, some in found.items() if not path.startswith("models.")}  # predictions, not counters


def main():
    found = counted(sys.argv[1])
    with open(FOLDER / "never_counted.csv", encoding="utf-8", newline="") as stream:
        excused = {row["statistic"]: row["reason"] for row in csv.DictReader(stream)}
    complaints = [f"{path} is 0 in every run: count it, remove it, or say in never_counted.csv why"
                  for path, some in found.items() if not some and path not in excused]
    complaints += [f"never_counted.csv: {path} {'is counted now' if found.get(path) else 'is no statistic'}"
                   for path in excused if found.get(path, True)]
    complaints += [f"never_counted.csv: {path} has no reason" for path, reason in excused.items() if not reason]
    print(f"{sum(found.values())} of {len(found)} statistics are counted, {len(excused)} excused", *complaints, sep="\n")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()

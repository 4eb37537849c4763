# SPDX-License-Identifier: Apache-2.0
"""A program built otherwise gives what the release program gives: other compiler, not optimised, and with all recipes of docs/howto.

usage: recipes.py RELEASE PROGRAM [KERNEL...]

Every shipped kernel on two machines, with both programs: stats.json, pc.csv and every byte of the buffers that are checked must be
the same but for what the recipes add (ADDED, PARTS). The release program itself is held to digests.csv by kernels.py; a digest
covers the counters of the recipes too, so the digests of the two differ.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from kernels import ROOT, kernel_names, runs_on
from statistics_table import columns, differences

MACHINES = ("tiny", "8800gtx")
# What docs/howto/add-a-statistic.md counts; a reason of docs/howto/add-a-stall-reason.md, and whose part it was before.
ADDED = {"issued_alone"}
PARTS = {"fetch.first": "fetch", "wait.fetch.first": "wait.fetch", "stall_first_fetch": "stall_fetch"}
SHOWN = 20


def without_recipes(value):
    """The same without what recipes count."""
    if isinstance(value, list):
        return [without_recipes(part) for part in value]
    if not isinstance(value, dict):
        return value
    result = {key: without_recipes(part) for key, part in value.items() if key not in ADDED and key not in PARTS}
    for part in PARTS.keys() & value.keys():
        result[PARTS[part]] = type(value[part])(int(result[PARTS[part]]) + int(value[part]))
    return result


def buffers_of(kernel):
    """Those that the launch file has expectations of."""
    text = (ROOT / "traces" / kernel / f"{kernel}.launch.toml").read_text(encoding="utf-8")
    return re.findall(r"^\[expect\.(\w+)\]", text, re.M)


def simulate(program, kernel, machine, folder):
    """What a run leaves in `folder`, or a complaint."""
    dumps = [word for name in buffers_of(kernel) for word in ("--dump", f"{name}={folder / name}.npy")]
    command = [program, "run", f"traces/{kernel}/{kernel}.launch.toml", "-c", machine, "-q", "-o", str(folder / "run"), *dumps]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return f"exit {done.returncode}: {' '.join(command)}\n{done.stdout[:1000]}" if done.returncode else None


def tables_of(folder, kernel):
    """The statistics of each launch, and each line of pc.csv, by name."""
    found = columns(kernel, without_recipes(json.loads((folder / "run/stats.json").read_text(encoding="utf-8"))))
    with open(folder / "run/pc.csv", encoding="utf-8", newline="") as stream:
        found |= {f"{row['launch']} {row['kernel']} {row['pc']}": without_recipes(row) for row in csv.DictReader(stream)}
    return found


def complaints_about(programs, kernel, machine):
    with tempfile.TemporaryDirectory(prefix="teslasim-recipes-") as name:
        folders = [pathlib.Path(name) / part for part in ("release", "other")]
        for program, folder in zip(programs, folders):
            folder.mkdir()
            if complaint := simulate(program, kernel, machine, folder):
                return [complaint]
        found = differences(*(tables_of(folder, kernel) for folder in folders))[:SHOWN]
        dumps = [f"{buffer}.npy" for buffer in buffers_of(kernel)]
        return found + [f"{dump} has other bytes" for dump in dumps if len({(folder / dump).read_bytes() for folder in folders}) > 1]


def main():
    parser = argparse.ArgumentParser(description="a program with all recipes beside the release program")
    parser.add_argument("programs", nargs=2)
    parser.add_argument("kernels", nargs="*")
    options = parser.parse_args()
    programs = [str(pathlib.Path(program).resolve()) for program in options.programs]
    work = [(kernel, machine) for kernel in options.kernels or kernel_names() for machine in MACHINES if runs_on(kernel, machine)]
    complaints = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for item, found in zip(work, pool.map(lambda item: complaints_about(programs, *item), work)):
            print(f"{item[0]:18} {item[1]:8} {'differs' if found else 'the same'}", *found, sep="\n  " if found else "", flush=True)
            complaints += len(found)
    print(f"recipes beside release: {len(work)} runs, {complaints} differences")
    sys.exit(1 if complaints or not work else 0)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Every shipped kernel, on three machines: results right, books closed, digest and statistics as they are checked in.

usage: kernels.py PROGRAM KERNEL... [--quick] [--machines A,B] [--update]

The digest covers every counter and every output buffer; statistics.MACHINE.csv says which of them moved (statistics_table.py).
As the builds by g++ and by clang with sanitizers are compared with the same files, they agree; recipes.py compares one that is not
optimised. Unless --quick, each run is repeated with other look-aheads, without sleeping, on two threads and
in exact mode, which must change nothing, and in functional mode, which must compute the same. TESLASIM_LONG_TESTS: also with 2 to
8 threads, look-aheads and sleeping, each value in some combination; TESLASIM_LONG_TESTS=all: in all combinations.
--update writes these files anew: a change of simulated results, to be explained in CHANGELOG.md.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys

from statistics_table import GoldenStatistics, columns, differences

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "golden" / "digests.csv"
MACHINES = ("gtx280", "8800gtx", "tiny")
COLUMNS = ("kernel", "machine", "warp_instructions", "cycles", "digest")
SHOWN = 40  # differing statistics of one run
VARIANTS = [["--look-ahead", "exact"], ["--look-ahead", "4"], ["--no-sleep"], ["--threads", "2"], []]
if os.environ.get("TESLASIM_LONG_TESTS") == "all":
    VARIANTS += [["--threads", threads, "--look-ahead", cycles, *more]
                 for threads in ("2", "3", "4", "8") for cycles in ("1", "4", "16") for more in ([], ["--no-sleep"])]
elif os.environ.get("TESLASIM_LONG_TESTS"):
    VARIANTS += [["--threads", threads, "--look-ahead", cycles, *more] for threads, cycles, more in (
        ("2", "16", ["--no-sleep"]), ("3", "4", []), ("4", "1", ["--no-sleep"]), ("8", "4", ["--no-sleep"]), ("8", "16", []), ("3", "1", []))]


def kernel_names():
    """Those that are shipped with a launch file."""
    return sorted(path.name for path in (ROOT / "traces").iterdir() if (path / f"{path.name}.launch.toml").is_file())


def level_of(text, pattern):
    found = re.search(pattern, text, re.M)
    return int(found.group(1)) if found else 10


def machine_level(machine):
    """Of the instruction set: 10 to 13."""
    file = ROOT / "configs" / f"{machine}.toml"
    while True:
        text = file.read_text(encoding="utf-8")
        base = re.search(r'^extends = "(\w+)"', text, re.M)
        if re.search(r'^arch = "sm_', text, re.M) or not base:
            return level_of(text, r'^arch = "sm_(\d+)"')
        file = ROOT / "configs" / f"{base.group(1)}.toml"


def runs_on(kernel, machine):
    """Whether the machine's instruction set level is that of the kernel or above."""
    needed = level_of((ROOT / "traces" / kernel / f"{kernel}.asm").read_text(encoding="utf-8"), r"^\.arch sm_(\d+)")
    return machine_level(machine) >= needed


def simulate(program, kernel, machine, extra=()):
    """The statistics of one run, or a complaint."""
    command = [program, "run", f"traces/{kernel}/{kernel}.launch.toml", "-c", machine, "--no-out", "-q", "--json", "-", *extra]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        message = "\n".join(done.stderr.decode(errors="replace").splitlines()[:6])
        return None, f"exit {done.returncode}: {' '.join(command[1:])}\n{message}"
    return json.loads(done.stdout), None


def books(stats):
    """Complaints about one run: results, and sums that do not close."""
    found = []
    if stats["status"] != "ok":
        found.append(f"status {stats['status']}")
    for launch in stats["launches"]:
        for view in ("issue_slots", "warp_cycles"):
            parts = sum(value for name, value in launch[view].items() if name != "total")
            if parts != launch[view]["total"]:
                found.append(f"{view}: the parts sum to {parts}, the total is {launch[view]['total']}")
        sms = len(launch["per_sm"])
        # An SM cycle is two SP cycles; the last one may be half.
        if abs(2 * launch["issue_slots"]["total"] - launch["time"]["cycles"] * sms) > sms:
            found.append(f"{launch['issue_slots']['total']} slots in {launch['time']['cycles']} SP cycles of {sms} SMs")
    if stats["launches"][-1]["outputs"]["ok"] is not True:
        found.append(f"outputs: {stats['launches'][-1]['outputs']}")
    return found


def row_of(kernel, machine, stats):
    launches = stats["launches"]
    return {"kernel": kernel, "machine": machine, "digest": stats["digest"],
            "warp_instructions": str(sum(launch["instructions"]["warp"] for launch in launches)),
            "cycles": str(sum(launch["time"]["cycles"] for launch in launches))}


def variants(program, kernel, machine, digest):
    """Ways to run that must give the same digest; and the functional mode, which must give right results."""
    found = []
    for extra in VARIANTS:
        stats, complaint = simulate(program, kernel, machine, extra)
        if complaint or stats["digest"] != digest:
            found.append(complaint or f"{' '.join(extra) or 'again'}: digest {stats['digest']}, without it {digest}")
    stats, complaint = simulate(program, kernel, machine, ["--mode", "functional"])
    if complaint or stats["launches"][-1]["outputs"]["ok"] is not True:
        found.append(complaint or "functional mode: wrong outputs")
    return found


def moved_statistics(golden, kernel, found):
    """Which statistics are not those that are checked in."""
    lines = differences(golden.of_kernel(kernel), found)
    return lines[:SHOWN] + ([f"{len(lines) - SHOWN} further statistics differ"] if len(lines) > SHOWN else [])


def check(program, kernel, machine, expected, golden, options):
    """The row of one run, and complaints. `golden`: statistics of the machine, or None; --update replaces them."""
    stats, complaint = simulate(program, kernel, machine)
    if complaint:
        return None, [complaint]
    row = row_of(kernel, machine, stats)
    found = books(stats)
    if not options.quick:
        found += variants(program, kernel, machine, stats["digest"])
    if not options.update and expected != row:
        found.append(f"expected {expected}\n  found    {row}")
    if golden and options.update:
        golden.replace(kernel, columns(kernel, stats))
    elif golden:
        found += moved_statistics(golden, kernel, columns(kernel, stats))
    return row, found


def read_table():
    if not TABLE.is_file():
        return {}
    with open(TABLE, encoding="utf-8", newline="") as stream:
        return {(row["kernel"], row["machine"]): row for row in csv.DictReader(stream)}


def write_table(table):
    with open(TABLE, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(table[key] for key in sorted(table))


def main():
    parser = argparse.ArgumentParser(description="every shipped kernel")
    parser.add_argument("program")
    parser.add_argument("kernels", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--machines", default=",".join(MACHINES))
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    kernels = options.kernels or kernel_names()
    table, complaints = read_table(), 0
    golden = {machine: GoldenStatistics(machine) for machine in MACHINES if machine in options.machines.split(",")}
    for kernel in kernels:
        for machine in options.machines.split(","):
            if not runs_on(kernel, machine):
                continue
            row, found = check(program, kernel, machine, table.get((kernel, machine)), golden.get(machine), options)
            if row:
                table[(kernel, machine)] = row
                print(f"{kernel:18} {machine:8} {row['warp_instructions']:>9} warp instructions {row['cycles']:>9} cycles "
                      f"{row['digest']}", flush=True)
            for complaint in found:
                print(f"{kernel} on {machine}: {complaint}")
            complaints += len(found)
    if options.update:
        write_table(table)
        for file in golden.values():
            file.write()
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()

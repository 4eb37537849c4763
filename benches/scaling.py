# SPDX-License-Identifier: Apache-2.0
"""How the cost of a run grows: with the SMs of a machine of which one works, and with the blocks of a launch.

usage: scaling.py PROGRAM [--machine NAME] [--counter perf|valgrind]

Counts host instructions, like instructions.py: more work minus less work, so that reading of files, building of the machine
and reports are left out. The kernel is `waiting`: a warp that waits for its loads one after the other.
"""
import argparse
import pathlib
import subprocess
import sys

from counting import PREFIX, ROOT, chosen_counter, count_in

# SMs -> TPCs, SMs of a TPC.
MACHINES = {1: (1, 1), 10: (10, 1), 30: (10, 3), 120: (30, 4)}
BLOCKS = (10, 100, 1_000, 10_000, 100_000)
LOADS = 8000


def count(program, options, blocks, loads, settings=()):
    """Host instructions of a whole run."""
    grid = f"{min(blocks, 50_000)},{-(-blocks // 50_000)}"
    command = [*PREFIX[options.counter], program, "run", "benches/waiting.asm", "-c", options.machine, "--grid", grid, "--block", "32",
               "--param", "data=u32[64]:zero", "--param", f"loads={loads}", "-q", "--no-out", *settings]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return count_in(done.stderr, options.counter)


def by_machine(program, options):
    print(f"one warp, {LOADS} loads: host instructions per load, by the SMs of the machine")
    for sms, (tpcs, per_tpc) in MACHINES.items():
        settings = ("--set", f"gpu.tpcs={tpcs}", "--set", f"gpu.sms_per_tpc={per_tpc}")
        short, long = (count(program, options, 1, times * LOADS, settings) for times in (1, 2))
        print(f"{sms:>7} SMs {(long - short) / LOADS:>9.0f}", flush=True)


def by_blocks(program, options):
    print("one warp in a block, one load: host instructions per block, by the blocks of the launch")
    one = count(program, options, 1, 1)
    for blocks in BLOCKS:
        print(f"{blocks:>7} blocks {(count(program, options, blocks, 1) - one) / (blocks - 1):>9.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="host instructions by SMs and by blocks")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--machine", default="gtx280")
    parser.add_argument("--counter", choices=["auto", "perf", "valgrind"], default="auto")
    options = parser.parse_args()
    options.counter = chosen_counter(options.counter)
    program = str(options.program.resolve())
    by_machine(program, options)
    by_blocks(program, options)


if __name__ == "__main__":
    main()

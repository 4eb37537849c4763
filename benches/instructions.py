# SPDX-License-Identifier: Apache-2.0
"""Host instructions per simulated warp instruction, beside what the goals and the floors of speed allow.

usage: instructions.py PROGRAM [--machine NAME] [--kernel NAME=BLOCKS ...] [--counter perf|valgrind] [--check]

Simulates the first BLOCKS blocks of traces/<kernel>/<kernel>.bench.launch.toml, then twice as many: the difference
holds no reading of files, no filling of buffers, no reports. Warp instructions per second depend on the processor and on
what else it does; this hardly does, so it says whether the program, and not the day, became slower. --check: exit 1 when
a kernel needs more than its floor allows.
"""
import argparse
import pathlib
import sys

from counting import chosen_counter, kernel_choice, measure
from run_benches import TIMING_FLOOR

# Blocks: some rounds of 30 SMs.
KERNELS = {"mad_chain": 90, "matmul_tiled": 120, "vecadd": 960}
# Host instructions per warp instruction at the goals of run_benches.py. Goals and floors were set together with
# these, for one core of a Zen 5 of 2024; a floor allows as many more as it is below its goal.
AT_THE_GOAL = {"mad_chain": 1900, "matmul_tiled": 2400, "vecadd": 3300}


def per_warp_instruction(program, kernel, options):
    short, long = (measure(program, kernel, times * options.kernels[kernel], options.machine, options.counter)
                   for times in (1, 2))
    return (long[0] - short[0]) / (long[1] - short[1])


def main():
    parser = argparse.ArgumentParser(description="host instructions per simulated warp instruction")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--machine", default="gtx280")
    parser.add_argument("--kernel", type=kernel_choice, action="append", help="KERNEL=BLOCKS; repeat")
    parser.add_argument("--counter", choices=["auto", "perf", "valgrind"], default="auto")
    parser.add_argument("--check", action="store_true", help="exit 1 when a kernel needs more than its floor allows")
    options = parser.parse_args()
    options.kernels = dict(options.kernel) if options.kernel else KERNELS
    options.counter = chosen_counter(options.counter)
    program = str(options.program.resolve())
    print(f"{options.machine}; host instructions, counted by {options.counter}, per warp instruction")
    print(f"{'kernel':14} {'needed':>7} {'at the floor':>13} {'at the goal':>12}")
    misses = []
    for kernel in options.kernels:
        needed = per_warp_instruction(program, kernel, options)
        floor, goal = TIMING_FLOOR.get(kernel, (0, 0))
        allowed = AT_THE_GOAL[kernel] * goal / floor if floor else 0
        print(f"{kernel:14} {needed:7.0f} {f'{allowed:.0f}' if allowed else '':>13} {AT_THE_GOAL.get(kernel, ''):>12}", flush=True)
        if allowed and needed > allowed:
            misses.append(kernel)
    print("above what the floor allows: " + ", ".join(misses) if misses else "within what the floors allow")
    sys.exit(1 if misses and options.check else 0)


if __name__ == "__main__":
    main()

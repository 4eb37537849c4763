# SPDX-License-Identifier: Apache-2.0
"""Host instructions per simulated warp instruction, beside the budgets that belong to the goals of speed.

usage: instructions.py PROGRAM [--machine NAME] [--kernel NAME=BLOCKS ...] [--counter perf|valgrind]

Simulates the first BLOCKS blocks of traces/<kernel>/<kernel>.bench.launch.toml, then twice as many: the difference
holds no reading of files, no filling of buffers, no reports. Warp instructions per second depend on the processor and on
what else it does; this hardly does, so it says whether the program, and not the day, became slower. It says nothing of
misses of the host's caches, so it does not stand for the floors of run_benches.py.
"""
import argparse
import pathlib

from counting import chosen_counter, kernel_choice, measure

# Blocks: some rounds of 30 SMs. Twice as many are less than the launch has: the result of a whole launch is checked.
KERNELS = {"mad_chain": 90, "matmul_tiled": 90, "vecadd": 960}
# Set together with the goals of run_benches.py, for kernels of the same kind (arithmetic, product of matrices, streaming)
# and one core of a Zen 5.
BUDGET = {"mad_chain": 1700, "matmul_tiled": 2200, "vecadd": 3000}


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
    options = parser.parse_args()
    options.kernels = dict(options.kernel) if options.kernel else KERNELS
    options.counter = chosen_counter(options.counter)
    program = str(options.program.resolve())
    print(f"{options.machine}; host instructions, counted by {options.counter}, per warp instruction")
    print(f"{'kernel':14} {'needed':>7} {'budget':>7}")
    for kernel in options.kernels:
        print(f"{kernel:14} {per_warp_instruction(program, kernel, options):7.0f} {BUDGET.get(kernel, ''):>7}", flush=True)


if __name__ == "__main__":
    main()

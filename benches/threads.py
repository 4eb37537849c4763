# SPDX-License-Identifier: Apache-2.0
"""What several threads gain: the same launch on one thread and on N, in turns.

usage: threads.py PROGRAM [--threads N] [--repeat N] [--machine NAME]

Runs the launches of run_benches.py and `gather`, about a million warp instructions each, and prints the median of the ratios of neighbouring
runs (what else the host does changes slowly), the seconds and the processor seconds of both. Digests must be the same. Only a host
with N idle processors shows what N threads can do: look at the load that is printed beside.
"""
import argparse
import os
import pathlib
import statistics
import sys

from run_benches import TIMING_FLOOR, simulate

GATHER = "benches/gather.bench.launch.toml"


def compare(program, launch, options):
    """Pairs of (seconds, processor seconds) on one thread and on several."""
    pairs = []
    for _ in range(options.repeat):
        runs = [simulate(program, [launch, "-c", options.machine, "--threads", str(threads)])
                for threads in (1, options.threads)]
        if runs[0][0]["digest"] != runs[1][0]["digest"]:
            sys.exit(f"{launch}: {options.threads} threads give another digest")
        pairs.append([(stats["host"]["seconds"], cpu) for stats, cpu in runs])
    return pairs


def main():
    parser = argparse.ArgumentParser(description="one thread against several")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--machine", default="gtx280")
    options = parser.parse_args()
    program = options.program.resolve()
    print(f"{'launch':<16} {'gain':>6} {'one: s':>8} {'cpu s':>7} {options.threads:>4}: s {'cpu s':>7} {'load':>6}")
    launches = {kernel: f"traces/{kernel}/{kernel}.bench.launch.toml" for kernel in TIMING_FLOOR} | {"gather": GATHER}
    for name, launch in launches.items():
        pairs = compare(program, launch, options)
        gain = statistics.median(one[0] / several[0] for one, several in pairs)
        middle = [[statistics.median(values) for values in zip(*(pair[side] for pair in pairs))] for side in (0, 1)]
        print(f"{name:<16} {gain:>6.2f} {middle[0][0]:>8.2f} {middle[0][1]:>7.2f} {middle[1][0]:>7.2f} {middle[1][1]:>7.2f} "
              f"{os.getloadavg()[0]:>6.1f}", flush=True)


if __name__ == "__main__":
    main()

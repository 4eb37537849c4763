# SPDX-License-Identifier: Apache-2.0
"""Speed of whole simulations: warp instructions per second of host time, memory and start-up time.

usage: run_benches.py PROGRAM [--check] [--repeat N] [--machine NAME]

Runs traces/<kernel>/<kernel>.bench.launch.toml (about a million warp instructions each) with the timing and with the
functional model, N times each, and prints slowest and median per second of wall time, and the best per second of
processor time, which includes reading and writing of files but hardly depends on what else runs. --check: exit 1 below
the floors. Close other programs: two runs at once on two cores cost each other up to a third.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Kernel -> millions of warp instructions per second that the timing model must reach, and what it aims at.
TIMING_FLOOR = {"mad_chain": (2.0, 5.0), "matmul_tiled": (1.5, 3.5), "vecadd": (1.0, 2.5)}
FUNCTIONAL_FLOOR = 10.0
# Launches of this folder in which SMs wait for memory -> millions of SM cycles per second.
WAITING_FLOOR = {"gather": 1.0, "waiting": 20.0}
START_UP_LIMIT = 0.050
MEMORY_LIMIT_MB = 64


def simulate(program, arguments):
    """Runs the program once; returns its statistics and the processor time of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory(prefix="teslasim-bench-") as folder:
        done = subprocess.run([program, "run", *arguments, "--json", "-", "-q", "--out", f"{folder}/run"], cwd=ROOT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, kernel, mode, options):
    launch = f"traces/{kernel}/{kernel}.bench.launch.toml"
    arguments = [launch, "-c", options.machine] + (["--mode", "functional"] if mode == "functional" else [])
    runs = [simulate(program, arguments) for _ in range(options.repeat)]
    speeds = [stats["host"]["warp_instr_per_s"] / 1e6 for stats, _ in runs]
    last = runs[-1][0]
    instructions = sum(launch["instructions"]["warp"] for launch in last["launches"])
    return {"min": min(speeds), "median": statistics.median(speeds), "instructions": instructions,
            "cpu": instructions / min(seconds for _, seconds in runs) / 1e6,
            "rss_mb": max(stats["host"]["rss_mb"] for stats, _ in runs)}


def waiting(program, kernel, options):
    """Millions of SM cycles per second: the median, and the best per second of processor time."""
    launch = f"benches/{kernel}.bench.launch.toml"
    runs = [simulate(program, [launch, "-c", options.machine]) for _ in range(options.repeat)]
    cycles = sum(part["issue_slots"]["total"] for part in runs[0][0]["launches"]) / 1e6
    return cycles / statistics.median(stats["host"]["seconds"] for stats, _ in runs), cycles / min(cpu for _, cpu in runs)


def start_up(program, repeat):
    """Reading a machine and a small kernel and writing nothing but the answer: the shortest of some tries."""
    times = []
    for _ in range(max(repeat, 5)):
        begin = time.perf_counter()
        subprocess.run([program, "occupancy", "traces/vecadd/vecadd.launch.toml", "-c", "gtx280"], cwd=ROOT,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description="speed of whole simulations")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="exit 1 when a speed is below its floor")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--machine", default="gtx280")
    options = parser.parse_args()
    program = str(options.program.resolve())
    misses = []
    print(f"{options.machine}, {options.repeat} runs each; million warp instructions per second of host time")
    print(f"{'kernel':14} {'mode':11} {'warp instr':>11} {'min':>7} {'median':>7} {'floor':>6} {'goal':>5} {'CPU':>7} {'RSS MB':>7}")
    for mode in ("timing", "functional"):
        for kernel, (timing_floor, goal) in TIMING_FLOOR.items():
            floor = timing_floor if mode == "timing" else FUNCTIONAL_FLOOR
            row = measure(program, kernel, mode, options)
            print(f"{kernel:14} {mode:11} {row['instructions']:11d} {row['min']:7.2f} {row['median']:7.2f} {floor:6.1f} "
                  f"{goal if mode == 'timing' else '':>5} {row['cpu']:7.2f} {row['rss_mb']:7.1f}", flush=True)
            if row["median"] < floor:
                misses.append(f"{kernel} {mode}")
    for kernel, floor in WAITING_FLOOR.items():
        median, cpu = waiting(program, kernel, options)
        print(f"{kernel:14} waits for memory: {median:.1f} million SM cycles/s, {cpu:.1f} per second of processor time (floor {floor:.0f})",
              flush=True)
        if median < floor:
            misses.append(kernel)
    seconds = start_up(program, options.repeat)
    print(f"start-up {seconds * 1e3:.0f} ms (limit {START_UP_LIMIT * 1e3:.0f} ms); "
          f"memory limit {MEMORY_LIMIT_MB} MB plus the pages that the buffers touch")
    if seconds > START_UP_LIMIT:
        misses.append("start-up")
    print("below the floor: " + ", ".join(misses) if misses else "all floors reached")
    sys.exit(1 if misses and options.check else 0)


if __name__ == "__main__":
    main()

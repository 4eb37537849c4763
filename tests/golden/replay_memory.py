# SPDX-License-Identifier: Apache-2.0
"""A trace is replayed in bounded memory, however long it is.

usage: replay_memory.py PROGRAM [--rounds N]

Records a kernel of scattered accesses to shared memory (scattered.asm), replays it in both modes with all files written, and
compares the most memory that the process ever held with a bound, which the trace alone nearly fills. --rounds 140000 makes the
1.5 GB of the full proof.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

BOUND_MB = 160  # of which about 35 are there without a trace
LAUNCH = """schema = "teslasim.launch/1"
code = "{code}"
kernel = "scattered"
grid = [30]
block = [256]
dynamic_shared_bytes = 4160
param = [
  {{ name = "out", type = "u32", count = 7680, init = "zero" }},
  {{ name = "n", type = "u32", value = {rounds} }},
]
"""


def call(program, *words):
    """Runs the program; returns the most memory that it held, in MB."""
    process = subprocess.Popen([program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"exit {process.returncode}: {' '.join(map(str, words))}")
    return usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description="memory of long replays")
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=10000)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="teslasim-replay-") as folder:
        launch, trace = pathlib.Path(folder) / "scattered.launch.toml", pathlib.Path(folder) / "scattered.wtrace"
        code = pathlib.Path(__file__).with_name("scattered.asm")
        launch.write_text(LAUNCH.format(code=code, rounds=options.rounds), encoding="utf-8")
        call(options.program, "trace", "record", launch, "-c", "gtx280", "-o", trace, "-q")
        size = trace.stat().st_size / 1e6
        for mode in ("functional", "timing"):
            held = call(options.program, "run", trace, "-c", "gtx280", "--mode", mode, "-q", "--out", f"{folder}/{mode}")
            print(f"{mode}: {size:.0f} MB of trace replayed in {held:.0f} MB")
            failures += held > BOUND_MB
    sys.exit(f"more than {BOUND_MB} MB" if failures else 0)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Counting of host instructions (or of processor time) of a part of a benchmark launch."""
import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]

PREFIX = {
    "perf": ["perf", "stat", "-x,", "-e", "instructions:u", "--"],
    "valgrind": ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
    "cpu": [],
}


def perf_works():
    """True when perf can count instructions here; in many virtual machines it cannot."""
    if shutil.which("perf") is None:
        return False
    probe = subprocess.run(["perf", "stat", "-x,", "-e", "instructions:u", "true"], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return probe.returncode == 0 and re.match(rb"\d+,", probe.stderr) is not None


def chosen_counter(wanted="auto"):
    if wanted != "auto":
        return wanted
    if perf_works():
        return "perf"
    if shutil.which("valgrind") is not None:
        return "valgrind"
    sys.exit("neither perf nor valgrind can count instructions here; install valgrind (mechanisms.py also takes --counter cpu)")


def count_in(errors, counter):
    pattern = rb"^(\d+),.*instructions" if counter == "perf" else rb"I\s+refs:\s+([\d,]+)"
    found = re.search(pattern, errors, re.MULTILINE)
    if found is None:
        sys.exit(f"{counter} did not say how many instructions it counted:\n{errors.decode(errors='replace')}")
    return int(found.group(1).replace(b",", b""))


def measure(program, kernel, blocks, machine, counter, extra=()):
    """Host instructions (or nanoseconds), warp instructions and SM cycles of the first `blocks` blocks of
    traces/<kernel>/<kernel>.bench.launch.toml."""
    launch = f"traces/{kernel}/{kernel}.bench.launch.toml"
    with tempfile.TemporaryDirectory(prefix="teslasim-counting-") as folder:
        result = f"{folder}/stats.json"
        command = [*PREFIX[counter], program, "run", launch, "-c", machine, "--blocks", f"0-{blocks - 1}", *extra, "-q",
                   "--no-out", f"--json={result}"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
        launches = json.loads(pathlib.Path(result).read_text(encoding="utf-8"))["launches"]
    cost = round(seconds * 1e9) if counter == "cpu" else count_in(done.stderr, counter)
    return (cost, sum(launch["instructions"]["warp"] for launch in launches),
            sum(launch["issue_slots"]["total"] for launch in launches))


def kernel_choice(text):
    name, _, blocks = text.partition("=")
    if not (ROOT / f"traces/{name}/{name}.bench.launch.toml").exists() or not blocks.isdigit() or int(blocks) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not KERNEL=BLOCKS with a kernel that has a .bench.launch.toml")
    return name, int(blocks)

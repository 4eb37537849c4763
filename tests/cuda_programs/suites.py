#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the programs of public suites with their own makefiles, and checks what they compute.

usage: suites.py NVCC SUITES [--program NAME]... [--timing] [--whole] [--table FILE] [--scratch FOLDER]

NVCC is teslasim-nvcc, SUITES a folder with polybench/ and rodinia/. Programs are copied to a scratch folder, built by
`make NVCC=...` (a toolkit folder with bin/nvcc stands in for CUDA_DIR) and run in the functional mode with small sizes;
--timing runs them again, smaller, with timing. --table writes a table in Markdown. Without --program and --whole, three
programs are run, with TESLASIM_LONG_TESTS in the environment all of them, of which SUITE=NUMBER must be right.
Exit code 77: the suites or clang are not there; 1: fewer programs are right.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import launch_table
import polybench
import rodinia
from suite_case import Wrong

SKIPPED = 77
QUICK = {("PolyBench", "GEMM"), ("Rodinia", "bfs"), ("Rodinia", "hotspot")}
LEAST = {"PolyBench": 18, "Rodinia": 10}
SECONDS = 300


class Result:
    def __init__(self, case):
        self.case, self.verdict, self.detail = case, "not run", ""
        self.launches = self.instructions = self.seconds = 0
        self.timed = None


def toolkit(nvcc, folder):
    """What makefiles find at CUDA_DIR: bin/nvcc, an empty include, and libraries of the names that they link."""
    (folder / "bin").mkdir(parents=True)
    (folder / "include").mkdir()
    (folder / "lib64").mkdir()
    script = folder / "bin/nvcc"
    script.write_text(f'#!/bin/sh\nexec "{nvcc}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    for library in nvcc.parent.glob("libteslasim_cudart.*"):
        (folder / "lib64" / library.name).symlink_to(library)
    for name in ("libcudart.so", "libcuda.so"):
        (folder / "lib64" / name).symlink_to("libteslasim_cudart.so")
    return folder


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=SECONDS, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def last_lines(text, count=3):
    telling = [line.strip() for line in text.splitlines() if "error" in line.lower() or "undefined" in line.lower()]
    return " / ".join((telling or text.strip().splitlines())[:count])


def cpu_seconds():
    """Of all programs that have ended: what others do on this computer does not count."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def build(case, tools):
    environment = dict(os.environ, PATH=f"{tools / 'bin'}:{os.environ['PATH']}", LIBRARY_PATH=str(tools / "lib64"), **case.environment)
    code, text = run(["make", f"NVCC={tools / 'bin/nvcc'}", f"CUDA_DIR={tools}", f"CUDA_LIB_DIR={tools / 'lib64'}", *case.make], case.folder, environment)
    if code != 0:
        raise Wrong(f"does not build: {last_lines(text)}")


def execute(case, tools, mode):
    """Builds and runs one program; returns the table of its launches and the CPU seconds that it took."""
    build(case, tools)
    case.after_build()
    out = case.folder / f"run-{mode}"
    environment = dict(os.environ, LD_LIBRARY_PATH=str(tools / "lib64"), TESLASIM_MODE=mode, TESLASIM_OUT=str(out),
                       TESLASIM_QUIET="1", **case.environment)
    start = cpu_seconds()
    code, text = run(case.command, case.folder, environment)
    seconds = cpu_seconds() - start
    if code != 0:
        raise Wrong(f"ends with {code}: {last_lines(text)}")
    return case.check(text), launch_table.read(out), seconds


def attempt(case, tools, scratch, mode):
    case.prepare(scratch / mode / case.suite, mode == "timing")
    if case.needs_timing:
        mode = "timing"
    try:
        return "right", *execute(case, tools, mode)
    except Wrong as problem:
        return "WRONG", str(problem), [], 0
    except subprocess.TimeoutExpired:
        return "WRONG", f"takes more than {SECONDS} s", [], 0


def run_case(case, tools, scratch, is_timed):
    result = Result(case)
    result.verdict, result.detail, launches, result.seconds = attempt(case, tools, scratch, "functional")
    result.launches, result.instructions = len(launches), sum(launch.instructions for launch in launches)
    if is_timed and result.verdict == "right":
        result.timed = attempt(case, tools, scratch, "timing")
        if result.timed[0] != "right":
            result.verdict, result.detail = result.timed[:2]
    if case.needs_timing:
        result.detail += f", with timing: {case.needs_timing}"
    print(f"{case.suite} {case.name}: {result.verdict}: {result.detail}; {result.launches} launches, {result.instructions} warp instructions, {result.seconds:.1f} s", flush=True)
    return result


def millions_per_second(instructions, seconds):
    return f"{instructions / seconds / 1e6:.2f}" if seconds > 0 else ""


def table(results):
    lines = ["| suite | program | launches | warp instructions | functional, M/s | with timing, M/s | limiter | result |",
             "|---|---|--:|--:|--:|--:|---|---|"]
    for result in results:
        timed_speed = limiter = ""
        if result.timed is not None and result.timed[0] == "right":
            launches, seconds = result.timed[2], result.timed[3]
            timed_speed = millions_per_second(sum(launch.instructions for launch in launches), seconds)
            limiter = launch_table.limiter(launches)
        lines.append(f"| {result.case.suite} | {result.case.name} | {result.launches} | {result.instructions} | "
                     f"{millions_per_second(result.instructions, result.seconds)} | {timed_speed} | {limiter} | {result.verdict}: {result.detail} |")
    return "\n".join(lines) + "\n"


def parse():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("nvcc", type=pathlib.Path)
    parser.add_argument("suites", type=pathlib.Path)
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--timing", action="store_true")
    parser.add_argument("--whole", action="store_true", default="TESLASIM_LONG_TESTS" in os.environ)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--scratch", type=pathlib.Path)
    return parser.parse_args()


def chosen(arguments):
    cases = polybench.cases(arguments.suites) + rodinia.cases(arguments.suites)
    if arguments.program:
        return [case for case in cases if case.name in arguments.program]
    return cases if arguments.whole else [case for case in cases if (case.suite, case.name) in QUICK]


def too_few(results):
    """All must be right; of whole suites, as many as LEAST says."""
    complaints = []
    for suite, least in LEAST.items():
        verdicts = [result.verdict for result in results if result.case.suite == suite]
        right = verdicts.count("right")
        if right < min(least, len(verdicts)):
            complaints.append(f"{suite}: {right} of {len(verdicts)} programs are right, at least {min(least, len(verdicts))} must be")
    return complaints


def main():
    arguments = parse()
    cases = chosen(arguments)
    if not cases:
        print(f"skipped: {arguments.suites} holds no suites")
        return SKIPPED
    if shutil.which("clang++-14") is None or shutil.which("llc-14") is None:
        print("skipped: clang-14 and llvm-14 are not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="teslasim-suites-") as name:
        scratch = arguments.scratch or pathlib.Path(name)
        tools = toolkit(arguments.nvcc.resolve(), pathlib.Path(tempfile.mkdtemp(dir=name)) / "toolkit")
        results = [run_case(case, tools, scratch, arguments.timing) for case in cases]
    if arguments.table:
        arguments.table.write_text(table(results), encoding="utf-8")
    print(f"{sum(result.verdict == 'right' for result in results)} of {len(results)} programs are right")
    complaints = too_few(results)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

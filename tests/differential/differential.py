# SPDX-License-Identifier: Apache-2.0
"""Random kernels: clang and our compiler for every level, at -O0 and -O3, against clang for the host.

usage: differential.py RUN_PROGRAMS TESLASIM CLANG [UNITS [KERNELS [FIRST_SEED]]]

Each unit is a file of KERNELS kernels from a seed of its own. One kernel in ten also runs in timing mode. A unit that fails is named by its
seed: `random_programs.py SEED KERNELS` writes it again. TESLASIM_LONG_TESTS in the environment: more units. The last line has the totals.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import random_programs

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 1500


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, check=False, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def check_unit(seed, kernels, programs, teslasim, clang):
    """What the runner counted."""
    with tempfile.TemporaryDirectory(prefix="teslasim-differential-") as name:
        folder = pathlib.Path(name)
        text = random_programs.unit(seed, kernels)
        for file in ("unit.cu", "unit.cpp"):
            (folder / file).write_text(text, encoding="utf-8")
        environment = dict(os.environ, TESLASIM_CACHE="none")
        run(clang, "-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-w", f"-I{HERE}", folder / "unit.cpp", "-o", folder / "host")
        (folder / "expected").write_text(run(folder / "host"), encoding="utf-8")
        variants = []
        for level in (0, 3):
            ptx = folder / f"unit{level}.ptx"
            run(teslasim, "-q", "cc", folder / "unit.cu", f"-O{level}", f"-I{HERE}", "--ptx", "-o", ptx, env=environment)
            variants.append(f"{ptx}={level}")
        return run(programs, folder / "expected", 10, *variants).strip()


def main():
    programs, teslasim, clang = sys.argv[1:4]
    long_run = "TESLASIM_LONG_TESTS" in os.environ
    plan = [8, 20, 2] if long_run else [1, 12, 2]
    units, kernels, first = [int(word) for word in sys.argv[4:7]] + plan[len(sys.argv[4:7]):]
    failed, totals = 0, [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        work = {pool.submit(check_unit, seed, kernels, programs, teslasim, clang): seed for seed in range(first, first + units)}
        for done in concurrent.futures.as_completed(work):
            error = done.exception()
            failed += error is not None
            print(f"seed {work[done]}: {error or done.result()}", flush=True)
            if error is None:
                counted = re.match(r"(\d+) programs, (\d+) runs, (\d+) in timing mode", done.result())
                totals = [total + int(one) for total, one in zip(totals, counted.groups())]
    print(f"seeds {first} to {first + units - 1}: {totals[0]} programs equal in {totals[1]} runs, {totals[2]} of them also in timing mode; "
          f"{failed} units with problems")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

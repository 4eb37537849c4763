# SPDX-License-Identifier: Apache-2.0
"""Which loops of CUDA C are unrolled: those that NVIDIA's compiler unrolled (docs/decisions/0089).

usage: unrolling.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).with_name("unrolling.cu")


def loops(listing):
    """For each kernel, how many branches lead back."""
    found, kernel, seen = {}, None, set()
    for line in listing.splitlines():
        if start := re.match(r"// .*, kernel (\w+):", line):
            kernel, seen = start[1], set()
            found[kernel] = 0
        elif label := re.match(r"(L\d+):", line):
            seen.add(label[1])
        elif (branch := re.search(r"\bbra\.label (L\d+)", line)) and branch[1] in seen:
            found[kernel] += 1
    return found


def main():
    source = SOURCE.read_text(encoding="utf-8")
    done = subprocess.run([sys.argv[1], "cc", str(SOURCE), "--listing"], capture_output=True, text=True, check=True)
    found = loops(done.stdout)
    wrong = [f"{kernel}: {count} loops" for kernel, count in found.items() if count != (0 if kernel.startswith("whole_") else 1)]
    if len(found) != source.count("__global__"):
        wrong.append(f"{len(found)} kernels")
    asked_for = source[:source.index("kept_though_asked_for")].count("\n") + 4
    places = re.findall(r"--> .*unrolling\.cu:(\d+):", done.stderr)
    if places != [str(asked_for)] or "this loop is not unrolled" not in done.stderr:
        wrong.append(f"advisories at {places}, not at {asked_for}")
    print("\n".join(wrong) or f"{len(found)} kernels as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

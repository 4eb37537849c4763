# SPDX-License-Identifier: Apache-2.0
"""Which loops of CUDA C are unrolled: those that NVIDIA's compiler unrolled (docs/decisions/0089).

usage: unrolling.py PROGRAM
"""
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).with_name("unrolling.cu")


def loops(program):
    """For each kernel, how many branches lead back."""
    done = subprocess.run([program, "cc", str(SOURCE), "--listing", "-q"], capture_output=True, text=True, check=True)
    found, kernel, seen = {}, None, set()
    for line in done.stdout.splitlines():
        if start := re.match(r"// .*, kernel (\w+):", line):
            kernel, seen = start[1], set()
            found[kernel] = 0
        elif label := re.match(r"(L\d+):", line):
            seen.add(label[1])
        elif (branch := re.search(r"\bbra\.label (L\d+)", line)) and branch[1] in seen:
            found[kernel] += 1
    return found


def main():
    found = loops(sys.argv[1])
    wrong = [f"{kernel}: {count} loops" for kernel, count in found.items() if count != (0 if kernel.startswith("whole_") else 1)]
    print("\n".join(wrong) or f"{len(found)} kernels as expected")
    return 1 if wrong or len(found) != SOURCE.read_text(encoding="utf-8").count("__global__") else 0


if __name__ == "__main__":
    sys.exit(main())

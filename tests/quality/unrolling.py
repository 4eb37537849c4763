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
    expected = {"whole": 0, "kept": 1, "partly": 2}
    wrong = [f"{kernel}: {count} loops" for kernel, count in found.items() if count != expected[kernel.split("_")[0]]]
    if len(found) != source.count("__global__"):
        wrong.append(f"{len(found)} kernels")
    reasons = {"kept_though_asked_for": "its number of turns is not known", "kept_as_too_large_though_asked_for": "it would be too large"}
    expected = [(str(source[:source.index(kernel + "(")].count("\n") + 4), reason) for kernel, reason in reasons.items()]
    told = re.findall(r"this loop is not unrolled: ([^;\n]*).*\n *--> .*unrolling\.cu:(\d+):", done.stderr)
    if [(line, reason) for reason, line in told] != expected:
        wrong.append(f"advisories {told}, not {expected}")
    print("\n".join(wrong) or f"{len(found)} kernels as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Host instructions that the compiler of PTX takes per statement of a kernel, for kernels of growing size.

usage: compiling.py PROGRAM [--sizes N,N,...] [--counter perf|valgrind]

Where the compiler's work is in proportion to the size of a kernel, the numbers of a line are about the same.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from counting import PREFIX, chosen_counter, count_in

HEAD = """.version 3.2
.target sm_20
.address_size 64
.visible .entry k (.param .u64 a, .param .u64 b, .param .u32 n) {
.reg .pred %p<3>; .reg .u32 %r<8>; .reg .u64 %rd<8>; .reg .f32 %f<8>;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
mov.f32 %f1, 0f3F800000;
"""
TAIL = "st.global.f32 [%rd4], %f1;\nret;\n}\n"


def straight(j):
    return (f"ld.global.f32 %f2, [%rd5+{4 * j}];\nfma.rn.f32 %f1, %f1, %f2, 0f3F000000;\n"
            f"st.global.f32 [%rd4+{4 * j}], %f1;\n")


def branches(j):
    return (f"ld.global.f32 %f2, [%rd5+{4 * j}];\nsetp.gt.f32 %p1, %f2, %f1;\n@%p1 bra T{j};\n"
            f"sub.f32 %f1, %f1, %f2;\nst.global.f32 [%rd4+{4 * j + 4}], %f1;\nst.global.f32 [%rd4+{4 * j + 8}], %f2;\nbra J{j};\n"
            f"T{j}:\nmul.f32 %f3, %f1, %f2;\nst.global.f32 [%rd4+{4 * j}], %f3;\nadd.f32 %f1, %f1, %f3;\n"
            f"st.global.f32 [%rd4+{4 * j + 12}], %f1;\nJ{j}:\n")


def loops(j):
    return (f"mov.u32 %r3, 0;\nL{j}:\nmul.wide.u32 %rd6, %r3, {4 * (j % 7 + 1)};\nadd.u64 %rd7, %rd5, %rd6;\n"
            f"ld.global.f32 %f2, [%rd7+{4 * j}];\nadd.f32 %f1, %f1, %f2;\nadd.u32 %r3, %r3, 1;\n"
            f"setp.lt.u32 %p1, %r3, %r1;\n@%p1 bra L{j};\n")


SHAPES = {"straight": straight, "branches": branches, "loops": loops}


def instructions(program, counter, text):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        command = [*PREFIX[counter], program, "cc", file.name, "-q", "-o", "/dev/null"]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.decode(errors="replace"))
    return count_in(done.stderr, counter)


def main():
    parser = argparse.ArgumentParser(description="host instructions per compiled statement")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sizes", default="250,500,1000,2000")
    parser.add_argument("--counter", choices=["auto", "perf", "valgrind"], default="auto")
    options = parser.parse_args()
    counter, program = chosen_counter(options.counter), str(options.program.resolve())
    sizes = [int(size) for size in options.sizes.split(",")]
    start = instructions(program, counter, HEAD + TAIL)
    print(f"thousands of host instructions per statement, counted by {counter}, for so many statements")
    print(f"{'shape':10}" + "".join(f" {size:>8}" for size in sizes))
    for shape, statement in SHAPES.items():
        counts = (instructions(program, counter, HEAD + "".join(map(statement, range(size))) + TAIL) - start for size in sizes)
        print(f"{shape:10}" + "".join(f" {count / size / 1000:8.0f}" for count, size in zip(counts, sizes)), flush=True)


if __name__ == "__main__":
    main()

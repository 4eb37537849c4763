# SPDX-License-Identifier: Apache-2.0
"""What operations of CUDA C cost beside what was measured on a board: Wong et al. 2010, table III, on a GTX 280.

usage: operations.py PROGRAM             the test: every row is as near as it says
       operations.py PROGRAM --table     docs/cuda-operations.md on standard output
       ... NAME...                       only these rows

As there, operations stand in a row, each with the results of the two before it; one warp measures the latency, 512 threads in one
block the throughput. A first turn of the loop warms the instruction caches. Here they are 64 and not 256, so that most of them fit the
second-level cache: what operations take is asked for, not what fetching them does.
"""
import concurrent.futures
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

MACHINE = "gtx280"
WARP, BLOCK = 32, 512
ELEMENT = {"unsigned": "u32", "int": "s32", "float": "f32", "double": "f64"}
WORD = {"double": "float"}  # a launch that names no types has words
FIRST = {"unsigned": ("100", "7"), "int": ("100", "-7"), "float": ("1.0", "1.0"), "double": ("1.0", "1.0")}


def binary(sign):
    return f"t1 {sign}= t2;", f"t2 {sign}= t1;"


def call(function, arguments="{0}"):
    return (f"t1 = {function}({arguments.format('t2', 't1')});", f"t2 = {function}({arguments.format('t1', 't2')});")


def call_both(function):
    return call(function, "{1}, {0}")


# Row: name, type, statements, published latency (SP cycles) and throughput (results per SP cycle and SM), the largest deviation of
# each in percent that passes. What was published is recollected.
ROWS = (
    ("int +", "int", binary("+"), 24, 7.9, 15, 5),
    ("int *", "int", binary("*"), 96, 1.7, 10, 20),
    ("int mad", "int", ("t1 = t1 * t1 + t2;", "t2 = t2 * t2 + t1;"), 120, 1.4, 38, 15),
    ("int <<", "int", binary("<<"), 24, 7.9, 15, 5),
    ("unsigned /", "unsigned", binary("/"), 608, 0.28, 5, 18),
    ("int /", "int", binary("/"), 684, 0.23, 5, 15),
    ("unsigned %", "unsigned", binary("%"), 728, 0.24, 5, 15),
    ("int %", "int", binary("%"), 784, 0.20, 5, 15),
    ("__umulhi", "unsigned", call_both("__umulhi"), 144, 1.0, 5, 15),
    ("__mulhi", "int", call_both("__mulhi"), 180, 0.77, 10, 26),
    ("__umul24", "unsigned", call_both("__umul24"), 24, 7.9, 15, 5),
    ("float +", "float", binary("+"), 24, 7.9, 15, 5),
    ("float mad", "float", ("t1 = t1 * t1 + t2;", "t2 = t2 * t2 + t1;"), 24, 7.9, 15, 5),
    ("float *", "float", binary("*"), 24, 11.2, 15, 5),
    ("float /", "float", binary("/"), 137, 1.5, 6, 15),
    ("__fdividef", "float", call_both("__fdividef"), 52, 1.9, 25, 15),
    ("__fadd_rn", "float", call_both("__fadd_rn"), 24, 7.9, 15, 5),
    ("__fmul_rn", "float", call_both("__fmul_rn"), 26, 10.4, 20, 8),
    ("__sinf", "float", call("__sinf"), 48, 2.0, 25, 5),
    ("__tanf", "float", call("__tanf"), 98, 0.67, 45, 5),
    ("exp2f", "float", call("exp2f"), 48, 2.0, 25, 5),
    ("__expf", "float", call("__expf"), 72, 2.0, 12, 18),
    ("__log2f", "float", call("__log2f"), 28, 2.0, 42, 5),
    ("__logf", "float", call("__logf"), 52, 2.0, 20, 18),
    ("__powf", "float", call_both("__powf"), 75, 1.0, 18, 10),
    ("rsqrtf", "float", call("rsqrtf"), 28, 2.0, 42, 5),
    ("sqrtf", "float", call("sqrtf"), 56, 2.0, 47, 52),
    ("double +", "double", binary("+"), 48, 1.0, 20, 5),
    ("double /", "double", binary("/"), 1366, 0.063, 8, 69),
)


def operations_of(row, threads):
    """In a row: few are enough for one warp; many warps do not begin and end at once."""
    return 8 if threads == WARP else 256 if row[3] < 100 else 16


def source_of(row, threads):
    _, kind, (first, second), *_ = row
    pairs = operations_of(row, threads) // 2
    doubled = "\n".join(f"#define R{2 * n}(X) R{n}(X) R{n}(X)" for n in (1, 2, 4, 8, 16, 32, 64))
    return f"""#define R1(X) X
{doubled}
extern "C" __global__ void chain(unsigned* times, {kind}* out, {WORD.get(kind, kind)} p1, {WORD.get(kind, kind)} p2, int turns) {{
  {kind} t1 = p1, t2 = p2;
  unsigned start = 0, stop = 0;
  for (int i = 0; i < turns; ++i) {{
    __syncthreads();
    start = clock();
    R{pairs}({first} {second})
    stop = clock();
  }}
  out[threadIdx.x] = t1 + t2;
  times[2 * threadIdx.x] = start;
  times[2 * threadIdx.x + 1] = stop;
}}
"""


def words_of(path):
    """Of a .npy file with unsigned words."""
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    return struct.unpack(f"<{(len(data) - begin) // 4}I", data[begin:])


def cycles(program, row, threads, folder):
    """From the first warp's begin to the last one's end, in SP cycles."""
    kind = row[1]
    source = folder / f"chain{threads}.cu"
    source.write_text(source_of(row, threads), encoding="utf-8")
    times = folder / f"times{threads}.npy"
    parameters = (f"times=u32[{2 * threads}]:zero", f"out={ELEMENT[kind]}[{threads}]:zero", f"p1={FIRST[kind][0]}", f"p2={FIRST[kind][1]}",
                  "turns=2")
    words = [program, "run", source, "-c", MACHINE, "--grid", "1", "--block", str(threads), "--no-out", "-q", "--dump", f"times={times}"]
    for parameter in parameters:
        words += ["--param", parameter]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, check=False,
                          env=dict(os.environ, TESLASIM_CACHE=str(folder)))
    if done.returncode != 0:
        raise RuntimeError(f"{row[0]}: {done.stderr[-1500:]}")
    clocks = words_of(times)
    return (max(clocks[1::2]) - min(clocks[0::2])) % 2**32


def measured(program, row):
    """Latency and throughput."""
    with tempfile.TemporaryDirectory(prefix="teslasim-operations-") as place:
        folder = pathlib.Path(place)
        return (cycles(program, row, WARP, folder) / operations_of(row, WARP),
                operations_of(row, BLOCK) * BLOCK / cycles(program, row, BLOCK, folder))


def deviation(ours, published):
    return 100 * (ours / published - 1)


def line_of(row, latency, throughput):
    name, _, _, wanted_latency, wanted_throughput, *_ = row
    return (f"| `{name}` | {wanted_latency} | {latency:.0f} | {deviation(latency, wanted_latency):+.0f} % | {wanted_throughput:g} | "
            f"{throughput:.3g} | {deviation(throughput, wanted_throughput):+.0f} % |")


def problems_of(row, latency, throughput):
    name, _, _, wanted_latency, wanted_throughput, most_latency, most_throughput = row
    found = []
    for what, ours, wanted, most in (("latency", latency, wanted_latency, most_latency),
                                     ("throughput", throughput, wanted_throughput, most_throughput)):
        if abs(deviation(ours, wanted)) > most:
            found.append(f"{name}: {what} is {ours:.3g}, {deviation(ours, wanted):+.0f} % of {wanted}; at most {most} % are allowed")
    return found


PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "cuda-operations.md"
MARK = "<!-- made by tests/quality/operations.py -->"
HEAD = "| operation | latency, published | ours | | throughput, published | ours | |\n|---|---|---|---|---|---|---|\n"


def page(lines):
    """The page with this table between its marks."""
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    return before + MARK + "\n" + HEAD + "\n".join(lines) + "\n" + MARK + after


def main():
    table = "--table" in sys.argv
    program = pathlib.Path(sys.argv[1]).resolve()
    names = [word for word in sys.argv[2:] if word != "--table"]
    rows = [row for row in ROWS if not names or row[0] in names]
    lines, problems = [], []
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for row, result in zip(rows, pool.map(lambda row: measured(program, row), rows)):
            lines.append(line_of(row, *result))
            problems += problems_of(row, *result)
            if not table or names:
                print(lines[-1], flush=True)
    if table and not names:
        print(page(lines), end="")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems and not table else 0)


if __name__ == "__main__":
    main()

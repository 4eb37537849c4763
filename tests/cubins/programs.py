#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs compiled programs in both modes and compares what they store with the same algorithm in Python."""
import math
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
FORMATS = {"f32": "f", "u32": "I", "s32": "i", "u8": "B"}
TID_MASK = 0x3FF  # literal with which compilers take threadIdx.y out of $r0


def single(value):
    """Rounded to single precision."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def floats(count, seed, low=0.0, high=1.0):
    generator = random.Random(seed)
    return [single(generator.uniform(low, high)) for _ in range(count)]


def integers(count, seed, low, high):
    generator = random.Random(seed)
    return [generator.randrange(low, high) for _ in range(count)]


class Case:
    """One launch of one program: parameters in order, literals for c1, and what buffers must hold afterwards."""

    def __init__(self, path, grid, block, shared=0, literals=(), options=(), registers=None):
        self.path, self.grid, self.block = path, grid, block
        self.shared, self.literals, self.options = shared, literals, options
        self.registers = registers  # instead of what the file says
        self.parameters, self.expected, self.must_fail = [], {}, None

    def buffer(self, name, kind, values, bits=32):
        self.parameters.append(("buffer", name, kind, list(values), bits))
        return self

    def number(self, name, kind, value):
        self.parameters.append(("number", name, kind, value, 32))
        return self

    def expect(self, name, kind, values, absolute=0.0, relative=0.0):
        self.expected[name] = (kind, list(values), absolute, relative)
        return self

    def fail_with(self, code):
        self.must_fail = code
        return self

    def write(self, folder):
        lines = ['schema = "teslasim.launch/1"', f"grid = {list(self.grid)}", f"block = {list(self.block)}",
                 f"dynamic_shared_bytes = {self.shared}", "param = ["]
        for what, name, kind, value, bits in self.parameters:
            if what == "number":
                lines.append(f'  {{ name = "{name}", type = "{kind}", value = {value!r} }},')
                continue
            (folder / f"{name}.bin").write_bytes(struct.pack(f"<{len(value)}{FORMATS[kind]}", *value))
            lines.append(f'  {{ name = "{name}", type = "{kind}", file = "{name}.bin", pointer_bits = {bits} }},')
        lines.append("]")
        if self.literals:
            lines += ["[constant]", "bank = 1", 'type = "u32"', f"values = {list(self.literals)}"]
        for name, (kind, values, absolute, relative) in self.expected.items():
            (folder / f"{name}.want").write_bytes(struct.pack(f"<{len(values)}{FORMATS[kind]}", *values))
            lines += [f"[expect.{name}]", f'file = "{name}.want"', f"tol_abs = {absolute!r}", f"tol_rel = {relative!r}"]
        launch = folder / "case.launch.toml"
        launch.write_text("\n".join(lines) + "\n")
        return launch


def bits_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def vector_add():
    a, b = floats(32, 1), floats(32, 2)
    case = Case("flexgrip/vector_add", (1,), (32,))
    case.buffer("a", "f32", a).buffer("b", "f32", b).buffer("c", "f32", [0.0] * 32)
    return case.expect("c", "f32", [single(x + y) for x, y in zip(a, b)])


def geryon_vec_add():
    a, b = floats(1024, 3), floats(1024, 4)
    case = Case("small/geryon_vec_add", (8,), (128,))
    case.buffer("a", "f32", a).buffer("b", "f32", b).buffer("c", "f32", [0.0] * 1024)
    return case.expect("c", "f32", [single(x + y) for x, y in zip(a, b)])


def matrix_add(form):
    count = 512 * 512
    a, b = integers(count, 5, -(2**30), 2**30), integers(count, 6, -(2**30), 2**30)
    case = Case(f"small/matrix_add_sm12_{form}", (32, 32), (16, 16))
    case.buffer("a", "s32", a, 64).buffer("b", "s32", b, 64).buffer("c", "s32", [0] * count, 64)
    return case.expect("c", "s32", [x + y for x, y in zip(a, b)])


def nn():
    places, here = floats(2 * 500, 7, -90.0, 90.0), (single(30.25), single(-12.5))
    case = Case("flexgrip/nn", (4,), (128,))
    case.buffer("places", "f32", places).number("unused", "u32", 0).buffer("distances", "f32", [0.0] * 512)
    case.number("count", "s32", 500).number("latitude", "f32", here[0]).number("longitude", "f32", here[1])
    want = [math.hypot(here[0] - places[2 * i], here[1] - places[2 * i + 1]) for i in range(500)] + [0.0] * 12
    return case.expect("distances", "f32", want, relative=1e-5)


def mxm_simple():
    """The program stores each product on top of the one before, so the last one stays."""
    rows, columns, depth = 20, 24, 7
    a, b = integers(rows * depth, 8, 0, 2**32), integers(depth * columns, 9, 0, 2**32)
    case = Case("flexgrip/mxm_simple", (2, 2), (16, 16), literals=[TID_MASK])
    case.buffer("a", "u32", a).buffer("b", "u32", b).buffer("c", "u32", [0] * (rows * columns))
    case.number("rows", "s32", rows).number("columns", "s32", columns).number("depth", "s32", depth)
    last = depth - 1
    want = [a[y * depth + last] * b[last * columns + x] % 2**32 for y in range(rows) for x in range(columns)]
    return case.expect("c", "u32", want)


def mxm():
    inner, width, height = 64, 64, 32
    a, b = floats(height * inner, 10), floats(inner * width, 11)
    case = Case("flexgrip/mxm", (width // 32, height // 32), (32, 32), shared=0x2030, literals=[TID_MASK],
                options=["-s", "gpu.max_threads_per_cta=1024"])
    case.buffer("c", "f32", [0.0] * (height * width)).buffer("a", "f32", a).buffer("b", "f32", b)
    case.number("inner", "s32", inner).number("width", "s32", width)
    want = [sum(a[y * inner + k] * b[k * width + x] for k in range(inner)) for y in range(height) for x in range(width)]
    return case.expect("c", "f32", want, relative=1e-5)


def gray_filter():
    image = integers(64 * 64 * 3, 12, 0, 256)
    case = Case("flexgrip/gray_filter", (4, 4), (16, 16), literals=[TID_MASK])
    case.buffer("image", "u8", image).buffer("planes", "f32", [0.0] * len(image)).buffer("gray", "u32", [0] * 64 * 64)
    red, green, blue = image[0::3], image[1::3], image[2::3]
    gray = [int(0.2126 * r + 0.7152 * g + 0.0722 * b) for r, g, b in zip(red, green, blue)]
    return case.expect("planes", "f32", image).expect("gray", "u32", gray, absolute=1)


def scan():
    values = integers(1024, 13, 0, 1000)
    case = Case("flexgrip/scan", (1,), (256,), shared=0x24 + 2 * 256 * 4, literals=[1])
    case.buffer("out", "u32", [0] * 1024).buffer("in", "u32", values).number("count", "u32", 1024)
    return case.expect("out", "u32", [sum(values[:i]) for i in range(1024)])


def sort():
    """Odd-even transposition without barriers: right for one warp."""
    values = integers(64, 14, -(2**31), 2**31)
    case = Case("flexgrip/sort", (1,), (32,), literals=[4])
    case.buffer("data", "s32", values).number("passes", "s32", 64)
    return case.expect("data", "s32", sorted(values))


def folded(values, count):
    """Every thread adds its neighbour at distance 1, 2, 4 ... in step; beyond the threads there are zeros."""
    values = values + [0] * len(values)
    stride = 1
    while True:
        old = list(values)
        for i in range(count):
            if i % (2 * stride) == 0:
                values[i] = (old[i] + old[i + stride]) % 2**32
        stride *= 2
        if count < stride:
            return values


def reduction():
    values = integers(32, 15, 0, 2**32)
    case = Case("flexgrip/reduction", (1,), (32,), literals=[2])
    case.buffer("in", "u32", values).buffer("scratch", "u32", [0] * 64).number("count", "s32", 32)
    result = folded(values, 32)
    assert result[0] == sum(values) % 2**32
    return case.expect("in", "u32", [result[0]] + values[1:]).expect("scratch", "u32", result)


def scalar_vector_product():
    a, b = integers(32, 16, 0, 2**32), integers(32, 17, 0, 2**32)
    case = Case("flexgrip/scalar_vector_product", (1,), (32,), literals=[2])
    case.buffer("out", "u32", [0] * 64).buffer("a", "u32", a).buffer("b", "u32", b).number("count", "s32", 32)
    return case.expect("out", "u32", folded([x * y % 2**32 for x, y in zip(a, b)], 32))


def euler():
    cells = 256
    state = [floats(cells, 18, 0.5, 2.0)] + [floats(cells, 19 + i, -1.0, 1.0) for i in range(3)]
    state.append(floats(cells, 22, 8.0, 9.0))
    areas = floats(cells, 23, 0.1, 1.0)
    case = Case("flexgrip/euler", (2,), (128,), literals=[0x7E800000, bits_of(0.25), bits_of(0.125)])
    case.number("cells", "s32", cells).buffer("state", "f32", sum(state, [])).buffer("areas", "f32", areas)
    case.buffer("steps", "f32", [0.0] * cells)
    want = []
    for i in range(cells):
        density, *momentum, energy = (values[i] for values in state)
        speed_squared = sum((m / density) ** 2 for m in momentum)
        pressure = 0.4 * (energy - 0.5 * density * speed_squared)
        sound = math.sqrt(1.4 * pressure / density)
        want.append(0.5 / (math.sqrt(areas[i]) * (math.sqrt(speed_squared) + sound)))
    return case.expect("steps", "f32", want, relative=1e-5)


def sobel():
    width, height, threshold = 40, 24, 150
    image = integers(width * height, 24, 0, 64)
    case = Case("flexgrip/sobel", (3, 2), (16, 16), literals=[TID_MASK, 0, bits_of(255.0), 0xFF])
    case.buffer("image", "u8", image).buffer("edges", "u8", [0] * len(image))
    case.buffer("whole", "s32", [0] * len(image)).buffer("magnitude", "f32", [0.0] * len(image))
    case.number("width", "u32", width).number("height", "u32", height).number("threshold", "u32", threshold)
    magnitude = [0.0] * len(image)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            at = lambda dx, dy: image[(y + dy) * width + x + dx]
            across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1)
            down = at(-1, -1) + 2 * at(0, -1) + at(1, -1) - at(-1, 1) - 2 * at(0, 1) - at(1, 1)
            length = math.hypot(across, down)
            magnitude[y * width + x] = 0.0 if length > 255.0 else length
    case.expect("magnitude", "f32", magnitude, relative=1e-5, absolute=1e-20)
    return case.expect("whole", "s32", [int(m) for m in magnitude], absolute=1)


def back_propagation():
    hidden, groups = 16, 2
    inputs = floats(16 * groups + 1, 25)
    weights = floats((16 * groups + 1) * (hidden + 1), 26, -1.0, 1.0)
    case = Case("flexgrip/back_propagation", (1, groups), (16, 16), shared=0x78 + 1024,
                literals=[TID_MASK, 1, bits_of(4.0)])
    case.buffer("inputs", "f32", inputs).buffer("weights", "f32", weights)
    case.buffer("partial", "f32", [0.0] * (hidden * groups)).number("count", "s32", 16 * groups)
    case.number("hidden", "s32", hidden)
    stored, partial = list(weights), []
    for group in range(groups):
        index = lambda y, x: (hidden + 1) * 16 * group + (hidden + 1) * (y + 1) + x + 1
        node = [[single(weights[index(y, x)] * inputs[group * 16 + y + 1]) for x in range(16)] for y in range(16)]
        for step in (2, 4, 8, 16):
            for y in range(0, 16, step):
                node[y] = [single(p + q) for p, q in zip(node[y], node[y + step // 2])]
        for y in range(16):
            for x in range(16):
                stored[index(y, x)] = node[y][x]
        partial += node[0]
    return case.expect("weights", "f32", stored).expect("partial", "f32", partial)


def transpose():
    """Edited by hand: two of its four comparisons write registers that nothing reads, so no thread loads or stores."""
    before = floats(1024, 27)
    case = Case("flexgrip/transpose", (2, 2), (16, 16), shared=2048, literals=[TID_MASK, 16, 1])
    case.buffer("out", "f32", before).buffer("in", "f32", floats(1024, 28))
    case.number("width", "s32", 32).number("repeats", "s32", 2).number("more", "u32", 0).number("height", "s32", 32)
    return case.expect("out", "f32", before)


def fixed_angle(value):
    """What sin and cos make of a float that did not go through pre.sin: quadrants in bits 24:0, 23 behind the point."""
    return (bits_of(value) & 0x1FFFFFF) / 2.0**23 * math.pi / 2


def functional_test():
    """Nine special functions, each on 576 words: one per thread. ex2 takes bits 29:0 as a number with 23 binary places.
    The bound on sin, cos and log2 is that of the CUDA C Programming Guide, appendix C."""
    threads = 576
    functions = [lambda v: math.sin(fixed_angle(v))] * 2 + [lambda v: math.cos(fixed_angle(v))]
    functions += [lambda v: 1 / math.sqrt(v)] * 2 + [math.log2] * 2
    functions += [lambda v: 2.0 ** ((bits_of(v) & 0x3FFFFFFF) / 2.0**23), lambda v: 1 / v]
    values = floats(threads * len(functions), 29, 0.5, 1.5)
    case = Case("flexgrip/functional_test", (2,), (threads // 2,), options=["--allow-unaligned"])
    case.buffer("in", "f32", values).buffer("out", "f32", [0.0] * len(values))
    want = [functions[i // threads](value) for i, value in enumerate(values)]
    return case.expect("out", "f32", want, absolute=2.0**-21, relative=2.0**-21)


def transformed(values, roots):
    """Fourier transform of complex numbers in bit-reversed order, halves first; roots[k] stands for exp(-2 pi i k/n)."""
    count = len(values)
    if count == 1:
        return values
    low, high = transformed(values[: count // 2], roots[::2]), transformed(values[count // 2 :], roots[::2])
    turned = [(a * c - b * d, a * d + b * c) for (a, b), (c, d) in zip(high, roots)]
    return ([(a + c, b + d) for (a, b), (c, d) in zip(low, turned)] +
            [(a - c, b - d) for (a, b), (c, d) in zip(low, turned)])


def words_of(numbers):
    return [part % 2**32 for number in numbers for part in number]


def fft(count, block, real_roots=False):
    """In integers modulo 2^32. One warp: the program has no barriers. It uses $r16, of which its file says nothing."""
    case = Case("flexgrip/FFT", (1,), block, literals=[TID_MASK], registers=17)
    words = integers(2 * count, 30, 0, 2**32)
    turns = [(1, 0), (0, -1)] if real_roots else list(zip(integers(count // 2, 31, -999, 999), integers(count // 2, 32, -999, 999)))
    case.buffer("data", "u32", words).buffer("roots", "u32", words_of(turns)).number("count", "s32", count)
    return case.expect("data", "u32", words_of(transformed(list(zip(words[::2], words[1::2])), turns)))


def fft_of_four():
    """With the true fourth roots of one, so that the definition of the transform is the reference."""
    case = fft(4, (4,), real_roots=True)
    words = case.parameters[0][3]
    values = [(words[2 * i], words[2 * i + 1]) for i in (0, 2, 1, 3)]
    turn = [lambda a, b: (a, b), lambda a, b: (b, -a), lambda a, b: (-a, -b), lambda a, b: (-b, a)]
    want = [[sum(turn[j * k % 4](*values[j])[part] for j in range(4)) for part in (0, 1)] for k in range(4)]
    assert words_of(want) == case.expected["data"][1]
    return case


def fft_as_it_is():
    """With the 16 registers of the file: a store of $r16 is dropped, so real parts of sums stay as they were."""
    case = fft(64, (32,))
    case.registers = None
    data, roots = case.parameters[0][3], case.parameters[1][3]
    signed = lambda word: word - 2**32 if word >= 2**31 else word
    values = [list(pair) for pair in zip(data[::2], data[1::2])]
    turns = [(signed(a), signed(b)) for a, b in zip(roots[::2], roots[1::2])]
    span = 1
    while span < 64:
        for i in (i for i in range(64) if i & span == 0):
            (a, b), (c, d) = values[i + span], turns[i % span * (32 // span)]
            real, imaginary = a * c - b * d, a * d + b * c
            values[i + span] = [values[i][0] - real, values[i][1] - imaginary]
            values[i][1] += imaginary
        span *= 2
    return case.expect("data", "u32", words_of(values))


def load_forms():
    return Case("flexgrip/GLD", (1,), (32,)).fail_with("MEM-")


def store_forms():
    return Case("flexgrip/GST", (1,), (32,)).fail_with("MEM-")


CASES = {"vector_add": vector_add, "geryon_vec_add": geryon_vec_add, "matrix_add_text": lambda: matrix_add("text"),
         "matrix_add_elf": lambda: matrix_add("elf"), "nn": nn, "mxm_simple": mxm_simple, "mxm": mxm,
         "gray_filter": gray_filter, "scan": scan, "sort": sort, "reduction": reduction,
         "scalar_vector_product": scalar_vector_product, "euler": euler, "sobel": sobel,
         "back_propagation": back_propagation, "transpose": transpose, "functional_test": functional_test,
         "FFT": lambda: fft(256, (8, 2, 2)), "FFT_one_thread": lambda: fft(16, (1,)), "FFT_of_four": fft_of_four,
         "FFT_as_it_is": fft_as_it_is,
         "GLD": load_forms, "GST": store_forms}


def problem_of(program, cubins, case, mode):
    with tempfile.TemporaryDirectory() as name:
        launch = case.write(pathlib.Path(name))
        cubin = cubins / f"{case.path}.cubin"
        if case.registers:
            text = re.sub(r"reg = \d+", f"reg = {case.registers}", cubin.read_text())
            cubin = pathlib.Path(name) / "changed.cubin"
            cubin.write_text(text)
        command = [program, "run", str(cubin), "--launch", str(launch), "-c", "gtx280", "--no-out",
                   "--mode", mode, *case.options]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if case.must_fail:
        return "" if run.returncode == 5 and case.must_fail in run.stderr else f"exit {run.returncode}\n{run.stderr}"
    return "" if run.returncode == 0 else f"exit {run.returncode}\n{run.stdout[-1500:]}\n{run.stderr[-1500:]}"


def main():
    program, cubins, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    if not cubins.is_dir():
        print(f"skipped: there is no folder {cubins}")
        return SKIPPED
    failed = 0
    for name, make in CASES.items():
        if wanted and name not in wanted:
            continue
        case = make()
        if not (cubins / f"{case.path}.cubin").is_file():
            print(f"{name:24} skipped: {case.path}.cubin is not there")
            continue
        for mode in ("functional", "timing"):
            problem = problem_of(program, cubins, case, mode)
            failed += problem != ""
            print(f"{name:24} {mode:10} {'ok' if problem == '' else 'FAILED'}  {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

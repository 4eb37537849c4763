# SPDX-License-Identifier: Apache-2.0
"""The device library compiles as CUDA, for the device and for the host, and becomes instructions that the chip has.

usage: compile.py CLANG SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CLANG, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
FLAGS = ["-x", "cuda", "--cuda-path=/nonexistent", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib", "-O2", "-ffp-contract=off",
         "-std=c++14", "-Wall", "-Werror", "-Wno-unused-function", f"-I{ROOT}", "-S"]
HEAD = """#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
"""
# Called by name rather than found in the list: pointers and other types.
OTHERS = {
    "frexpf": "frexpf(x, q)", "ldexpf": "ldexpf(x, i)", "scalbnf": "scalbnf(x, i)", "scalblnf": "scalblnf(x, i)", "modff": "modff(x, p)",
    "remquof": "remquof(x, y, q)", "sincosf": "(sincosf(x, p, p + 1), x)", "sincos": "(sincos(x, p, p + 1), x)", "__sincosf": "(__sincosf(x, p, p + 1), x)",
    "fmaf": "fmaf(x, y, x)", "frexp": "frexp(x, q)", "modf": "modf(x, p)", "remquo": "remquo(x, y, q)",
    "nanf": 'nanf("")', "sincospif": "(sincospif(x, p, p + 1), x)", "sincospi": "(sincospi(x, p, p + 1), x)",
}
NAME = re.compile(r"TESLASIM_(ONE|TWO|RENAMED)\((\w+)")
FUNCTION = re.compile(r"TESLASIM_DEVICE [\w ]+?\b(\w+)\(([^)]*)\)")
ROUNDED = {"__fdiv_": "x, y", "__frcp_": "x", "__fsqrt_": "x", "__fmaf_": "x, y, x"}
DIRECTED = {"__fadd_": "x, y", "__fmul_": "x, y"}
WORDS = ("int", "uint", "ll", "ull")
CONVERSIONS = {f"__float2{word}_": "x" for word in WORDS} | {f"__{word}2float_": "i" for word in WORDS}


def calls(text):
    """An expression for each name of a header."""
    text = re.sub(r"^ *#define.*?(?<!\\)$", "", text, flags=re.M | re.S)
    found = [f"{name}({'x, y' if kind == 'TWO' else 'x'})" for kind, name in NAME.findall(text)]
    for name, parameters in FUNCTION.findall(text):
        values = ", ".join("x" if "float" in part else "i" for part in parameters.split(","))
        found.append(OTHERS.get(name, f"{name}({values})"))
    every, outward = ("rn", "rz", "ru", "rd"), ("ru", "rd")
    for marker, rows, modes in (("TESLASIM_ROUNDED(", ROUNDED, every), ("TESLASIM_CONVERSIONS(", CONVERSIONS, every), ("TESLASIM_DIRECTED(", DIRECTED, outward)):
        if marker in text:
            found += [f"{name}{mode}({values})" for name, values in rows.items() for mode in modes]
    return found


def compiled(source, side):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "k.cu")
        path.write_text(source, encoding="utf-8")
        done = subprocess.run([CLANG, *FLAGS, side, "-o", f"{folder}/out", str(path)], stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr[:2000])
        return pathlib.Path(folder, "out").read_text(encoding="utf-8")


class DeviceLibrary(unittest.TestCase):
    def source_of(self, header):
        text = (ROOT / "frontend/cuda" / header).read_text(encoding="utf-8")
        found = calls(text)
        self.assertGreater(len(found), 20)
        kernels = [f"__global__ void k{i}(float* p, float x, float y, int i, int* q) {{ *p = static_cast<float>({call}); }}"
                   for i, call in enumerate(found)]
        return HEAD + f'#include "frontend/cuda/{header}"\n' + "\n".join(kernels) + "\n"

    def check(self, header, *expected):
        ptx = compiled(self.source_of(header), "--cuda-device-only")
        self.assertIn(".entry", ptx)
        # No call is left, nothing is kept in local memory, no instruction of Fermi is used where rounding matters.
        for word in ("call", ".local", "fma.rn.f32", "div.rn.f32", "sqrt.rn.f32", "clz.", "popc."):
            left = [line.strip() for line in re.sub(r"//.*", "", ptx).splitlines() if word in line]
            self.assertEqual(left, [])
        # The optimiser must not have put one rounding in the place of another.
        for text in expected:
            self.assertIn(text, ptx)

    def test_mathematical_functions(self):
        self.check("math_names.h", "add.rz.ftz.f32", "mul.rz.ftz.f32", "add.rn.ftz.f32", "mul.rn.ftz.f32", "mad.f32")

    def test_exponentials_stand_on_the_powers_of_two_of_the_chip(self):
        for name, powers, products in (("exp2f", 1, 0), ("expf", 2, 3)):
            kernel = f"__global__ void k(float* p, float x) {{ *p = {name}(x); }}\n"
            ptx = compiled(HEAD + '#include "frontend/cuda/math_names.h"\n' + kernel, "--cuda-device-only")
            self.assertEqual(ptx.count("ex2.approx.ftz.f32"), powers, name)
            self.assertEqual(ptx.count("mul.rn.ftz.f32"), products, name)

    def test_double_functions(self):
        source = self.source_of("double_names.h").replace("float", "double")
        ptx = compiled(source, "--cuda-device-only")
        self.assertIn("fma.rn.f64", ptx)
        for word in ("div.rn.f64", "sqrt.rn.f64", "call"):
            self.assertNotIn(word, [line.split()[0] for line in ptx.splitlines() if line.strip()])

    def test_integer_functions(self):
        self.check("integer_names.h", *(f"cvt.{mode}.f32.{kind}" for mode in ("rn", "rz", "rp", "rm") for kind in ("s32", "u32", "s64", "u64")))

    def test_the_host_keeps_its_own_functions(self):
        host = "#include <math.h>\nfloat own(float x) { return sinf(x); }\n"
        text = compiled(HEAD + '#include "frontend/cuda/math_names.h"\n' + host, "--cuda-host-only")
        self.assertRegex(text, r"\bsinf\b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

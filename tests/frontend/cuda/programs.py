# SPDX-License-Identifier: Apache-2.0
"""The headers of CUDA C: each alone, a use of everything, and public programs become PTX by clang and LLVM alone.

usage: programs.py CLANG SOURCE_FOLDER TESLASIM
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CLANG, ROOT, TESLASIM = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
INCLUDE = ROOT / "frontend/cuda/include"
PUBLIC = ROOT / "../shared/cuda"
# The host's half; the device's half is compiled by the program.
HOST = ["-x", "cuda", "--cuda-path=/nonexistent", "--cuda-gpu-arch=sm_20", "-nocudainc", "-nocudalib", "-std=gnu++14", "-Wno-unknown-cuda-version",
        "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", f"-I{INCLUDE}", "-Xclang", "-target-sdk-version=9.2"]
GENERIC = re.compile(r"^\s+(?:@\S+\s+)?(?:(?:ld|st)(?:\.volatile)?(?:\.v[24])?\.[usbf]\d+|(?:atom|red)\.(?!global|shared)\w+)\b.*$", re.M)
# Programs of the folder -> why they are none, or generic accesses that are left.
NO_PROGRAMS = {
    "streamcluster/streamcluster_header.cu": "the host's part of streamcluster_cuda.cu",
    "CUDA/DOITGEN/doitgen.cu": "rtclock is not declared",
    "bfs/kernel.cu": "part of bfs.cu", "bfs/kernel2.cu": "part of bfs.cu", "hotspot3D/opt1.cu": "part of 3D.cu",
    "lud/cuda/lud.cu": "common.h of the whole suite",
}
PLACE = re.compile(r"^(?:warning|error)\[(CUDA-(?:DOUBLE|GENERIC))\]: .*\n +--> (.*)$", re.M)


class Failed(Exception):
    pass


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{command[0]}: {done.stdout[:20000]}")
    return done.stdout


def ptx_of(source, *flags, level=130):
    """What LLVM makes of the device's half; our compiler takes it."""
    arguments = ("-arch", f"sm_{level // 10}")
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder, "k.ptx")
        run(TESLASIM, "-q", "cc", source, *arguments, *flags, "--ptx", "-o", ptx)
        run(TESLASIM, "-q", "cc", ptx, *arguments, "-o", pathlib.Path(folder, "k.cubin"))
        return ptx.read_text(encoding="utf-8")


def entry(ptx, name):
    """The text of the kernel whose mangled name holds `name`."""
    return next(part for part in re.split(r"\.entry ", ptx)[1:] if name in part.split("(")[0])


class Headers(unittest.TestCase):
    def test_each_header_stands_alone(self):
        headers = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h"))
        self.assertGreater(len(headers), 30)
        with tempfile.TemporaryDirectory() as folder:
            for header in headers:
                source = pathlib.Path(folder, "k.cu")
                source.write_text(f"#include <{header}>\n", encoding="utf-8")
                for side in ("--cuda-device-only", "--cuda-host-only"):
                    with self.subTest(header=header, side=side):
                        run(CLANG, *HOST, side, "-Wall", "-Werror", "-fsyntax-only", source)


class Language(unittest.TestCase):
    SOURCE = ROOT / "tests/frontend/cuda/language.cu"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def ptx(self, level):
        return ptx_of(self.SOURCE, f"-DLEVEL={level}", level=level)

    def test_everything_becomes_instructions(self):
        ptx = self.ptx(130)
        self.assertNotRegex(ptx, r"(?m)^\s+call|^\s*\.extern \.func")
        self.assertRegex(entry(ptx, "places"), r"%tid\.y|%ctaid\.z")
        for word in ("membar.gl", "membar.cta", "bar.sync", "%clock"):
            self.assertIn(word, entry(ptx, "places"))
        for word in ("tex.1d.v4.f32.s32", "tex.1d.v4.f32.f32", "tex.1d.v4.s32.s32", "tex.2d.v4.u32.f32", "tex.2d.v4.f32.f32", "tex.3d.v4.f32.f32"):
            self.assertIn(word, entry(ptx, "textures"))
        for word in ("atom.shared.add.u32", "atom.global.exch.b32", "atom.global.max.u32", "atom.global.min.s32", "atom.global.cas.b64",
                     "atom.global.add.u64", "vote.any.pred", "vote.all.pred", ".inc.u32", ".dec.u32"):
            self.assertIn(word, entry(ptx, "atomics"))
        for word in ("add.rn.f64", "mul.rz.f64", "fma.rn.f64", "cvt.rpi.u64.f64"):
            self.assertIn(word, entry(ptx, "doubles"))

    def test_products_and_sums_say_whether_they_may_be_contracted(self):
        ptx = self.ptx(130)
        for word in ("mul.rn.ftz.f32", "add.rn.ftz.f32"):
            self.assertIn(word, entry(ptx, "never_contracted"))
        self.assertNotIn("ftz", entry(ptx, "may_be_contracted"))
        for word in ("mul.rn.f32", "add.rn.f32"):
            self.assertIn(word, entry(ptx, "may_be_contracted"))

    def test_lower_levels_leave_out_what_they_have_not(self):
        for level in (110, 120):
            self.assertIn(".entry", self.ptx(level))
        for level, name, needed in ((100, "atomicAdd", "1.1"), (110, "__any", "1.2")):
            with self.assertRaisesRegex(Failed, f"'{name}' is unavailable: it needs compute capability {needed}"):
                ptx_of(self.SOURCE, "-DLEVEL=120", level=level)

    def test_the_host_half_calls_the_runtime(self):
        target = pathlib.Path(self.folder.name, "host.s")
        run(CLANG, *HOST, "--cuda-host-only", "-O1", "-S", "-DLEVEL=130", "-Wall", "-Werror", "-include", "cuda_runtime.h", "-o", target, self.SOURCE)
        text = target.read_text(encoding="utf-8")
        # Calls whose place is reported have names of ours in the library.
        for word in ("teslasim_cudaPushCallConfiguration", "__cudaPopCallConfiguration", "cudaLaunchKernel", "cudaMemcpyToSymbol", "cudaBindTexture"):
            self.assertRegex(text, rf"\b(teslasim_)?{word}\b")


class Generic(unittest.TestCase):
    """Pointers that nobody can follow are taken as ones into device memory, as nvcc did."""
    LOADED = """struct Node { Node* next; int value; };
__global__ void walk(Node* first, int* out) {
  int sum = 0;
  for (Node* at = first; at; at = at->next)
    sum += at->value;
  out[0] = sum;
}
__global__ void many(int** rows, int* out) {
  int* row = rows[threadIdx.x];
  out[threadIdx.x] = row[3];
}
"""

    def test_loaded_ones_are_warned_of_at_their_line(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.cu")
            source.write_text(self.LOADED, encoding="utf-8")
            said = run(TESLASIM, "cc", source, "-arch", "sm_10", "-o", pathlib.Path(folder, "k.cubin"))
            places = [place.rsplit(":", 2)[-2] for code, place in PLACE.findall(said) if code == "CUDA-GENERIC"]
            self.assertTrue({"4", "5"} & set(places) and "10" in places, said)
            self.assertTrue(set(places) <= {"4", "5", "10"}, said)
            code = run(TESLASIM, "disasm", pathlib.Path(folder, "k.cubin"))
            self.assertIn("g[", code)


class Types(unittest.TestCase):
    PUNNED = """extern "C" __global__ void changed_as_float(float* words, int* out, int i) {
  const int before = ((int*)words)[i];
  words[threadIdx.x] = 1.0f;
  out[0] = ((int*)words)[i] - before;
}
"""

    def test_a_word_is_the_same_through_pointers_of_any_type(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.cu")
            source.write_text(self.PUNNED, encoding="utf-8")
            accesses = re.findall(r"(ld|st)\.global", entry(ptx_of(source), "changed_as_float"))
            self.assertEqual(accesses, ["ld", "st", "ld", "st"])


class PublicPrograms(unittest.TestCase):
    def test_all_of_them_compile(self):
        sources = sorted(PUBLIC.rglob("*.cu"))
        if not sources:
            self.skipTest("../shared/cuda is absent")
        compiled = 0
        for source in sources:
            name = source.relative_to(PUBLIC).as_posix()
            if any(name.endswith(other) for other in NO_PROGRAMS):
                continue
            with self.subTest(program=name):
                ptx = ptx_of(source, *(f"-I{place}" for place in list(source.parents)[:3]))
                left = GENERIC.findall(ptx)
                self.assertEqual([], left)
                self.check_lowest_level(source)
                compiled += 1
        print(f"{compiled} programs compiled for sm_13 and sm_10")
        self.assertGreater(compiled, 30)

    def check_lowest_level(self, source):
        """On sm_10 f64 by accident becomes f32, with a warning that names the line."""
        with tempfile.TemporaryDirectory() as folder:
            said = run(TESLASIM, "cc", source, "-arch", "sm_10", *(f"-I{place}" for place in list(source.parents)[:3]), "-o", pathlib.Path(folder, "k.cubin"))
        for code, place in PLACE.findall(said):
            self.assertRegex(place, r":\d+:\d+$", f"{code} without a line")
            self.assertEqual(code, "CUDA-DOUBLE")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)

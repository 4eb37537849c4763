# SPDX-License-Identifier: Apache-2.0
"""CUDA C from outside: `cc`, and .cu files as kernels. Needs clang 14 and LLVM 14 (packages.txt, group cuda)."""
import json
import os
import shutil
import struct
import subprocess
import unittest

from cli import PROGRAM, Cli, not_under_sanitizers

VECADD = """\
// c = a + b
#ifndef SCALE
#define SCALE 1.0f
#endif
__global__ void vecadd(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = SCALE * a[i] + b[i];
}
"""
TWO = """\
template <class T>
__global__ void fill(T* p, T value) { p[threadIdx.x] = value; }
template __global__ void fill<int>(int*, int);
namespace other { __global__ void fill_two(int* p) { p[threadIdx.x] = 2; } }
int main() { fill<<<1, 64>>>((int*)0, 3); return 0; }
"""
# Other threads overwrite what a thread stored itself: it must be loaded again behind the barrier.
OVERWRITTEN = """\
__global__ void overwritten(int* out, int n) {
  __shared__ int words[64];
  int thread = threadIdx.x;
  words[thread] = n;
  __syncthreads();
  if (thread < 32) words[thread + 32] = 5;
  __syncthreads();
  out[thread] = words[thread];
}
"""
# Names of CUDA 3's headers beside the overloads min and max.
NAMES = """\
__global__ void names(unsigned* out, unsigned a, unsigned b) {
  out[0] = umin(a, b);
  out[1] = umax(a, b);
  out[2] = (unsigned)(llmin(-(long long)a, b) + llmax(-1LL, b));
  out[3] = ullmin(~0ULL - a, b) == b && ullmax(~0ULL - a, b) == ~0ULL - a;
  out[4] = __byte_perm(a, b, 0x7210);
  out[5] = __byte_perm(a, b, b & 0x7777);
}
"""
LAUNCH = """\
schema = "teslasim.launch/1"
code = "vecadd.cu"
compile = "-DSCALE=2.0f"
kernel = "vecadd"
grid = [4]
block = [64]
param = [
  { name = "a", type = "f32", count = 256, init = "iota" },
  { name = "b", type = "f32", count = 256, init = "iota" },
  { name = "c", type = "f32", count = 256, init = "zero" },
  { name = "n", type = "u32", value = 250 },
]
"""
OPTIONS = ("--launch", "none", "--grid", "1", "--block", "64", "--no-out", "--mode", "functional")


@unittest.skipUnless(shutil.which("clang++-14") and shutil.which("llc-14"), "clang-14 and llvm-14 are not installed")
class CudaFiles(Cli):
    def setUp(self):
        super().setUp()
        self.write("vecadd.cu", VECADD)
        self.write("two.cu", TWO)

    def results(self, *options):
        self.expect(0, "run", "vecadd.launch.toml", "-o", "out", "--dump", "c=c.npy", *options)
        shutil.rmtree(self.here / "out")
        values = struct.unpack("<256f", (self.here / "c.npy").read_bytes()[-1024:])
        (self.here / "c.npy").unlink()
        return values

    def test_a_launch_file_names_cuda_c(self):
        self.write("vecadd.launch.toml", LAUNCH)
        self.assertEqual(self.results(), tuple(3.0 * i if i < 250 else 0.0 for i in range(256)))

    def test_shared_memory_changes_across_barriers(self):
        self.write("overwritten.cu", OVERWRITTEN)
        for level in 0, 1, 2, 3:
            with self.subTest(level=level):
                self.expect(0, "run", "overwritten.cu", *OPTIONS, "--compile", f"-O{level}", "--param", "out=s32[64]:zero", "--param", "n=9", "--dump",
                            "out=out.npy")
                self.assertEqual(struct.unpack("<64i", (self.here / "out.npy").read_bytes()[-256:]), (9,) * 32 + (5,) * 32)
                (self.here / "out.npy").unlink()

    def test_a_word_that_is_no_option_is_told_where_it_stands(self):
        self.write("vecadd.launch.toml", LAUNCH.replace("-DSCALE=2.0f", "-maxrregcount many"))
        error = self.expect(3, "run", "vecadd.launch.toml").stderr
        self.assertIn("error[LAUNCH-COMPILE]", error)
        self.assertIn("--> vecadd.launch.toml:3:", error)
        self.diagnosed("CLI-VALUE", self.expect(2, "run", "vecadd.cu", *OPTIONS, "--compile", "-O9"))

    def test_the_command_line_has_the_last_word_about_macros(self):
        self.write("vecadd.launch.toml", LAUNCH)
        values = self.results("--compile", "-DSCALE=4.0f")
        self.assertEqual(values[:250], tuple(5.0 * i for i in range(250)))

    def diagnosed(self, code, done):
        self.assertIn(f"error[{code}]", done.stderr)

    @not_under_sanitizers
    def test_every_level_computes_the_same(self):
        self.write("vecadd.launch.toml", LAUNCH)
        for machine in ("8800gtx", "8800gt", "gtx280"):
            self.assertEqual(self.results("-c", machine)[7], 21.0)

    def test_options_launch_it_too(self):
        given = ("--param", "a=f32[64]:iota", "--param", "b=f32[64]:iota", "--param", "c=f32[64]", "--param", "n=64")
        self.expect(0, "run", "vecadd.cu", *OPTIONS, *given)
        swapped = ("--param", "b=f32[64]:iota", "--param", "a=f32[64]:iota", *given[4:])
        self.diagnosed("LAUNCH-ORDER", self.expect(2, "run", "vecadd.cu", *OPTIONS, *swapped))

    def test_kernels_have_the_names_of_the_source(self):
        for name in ("fill<int>", "_Z4fillIiEvPT_S0_"):
            self.expect(0, "run", "two.cu", *OPTIONS, "--kernel", name, "--param", "p=u32[64]", "--param", "value=3")
        self.expect(0, "run", "two.cu", *OPTIONS, "--kernel", "other::fill_two", "--param", "p=u32[64]")
        error = self.expect(2, "run", "two.cu", *OPTIONS, "--kernel", "fil", "--param", "p=u32[64]")
        self.diagnosed("LAUNCH-KERNEL", error)

    def test_results_and_errors_call_kernels_as_the_source_does(self):
        given = (*OPTIONS[:6], "--kernel", "_Z4fillIiEvPT_S0_", "--param", "p=u32[64]")
        error = self.expect(2, "run", "two.cu", *given).stderr
        self.assertIn("error[LAUNCH-MISSING]: kernel 'fill<int>' needs another parameter", error)
        told = self.expect(0, "models", "two.cu", *given, "--param", "value=3").stdout
        self.assertEqual(told.splitlines()[0], "fill<int>")
        self.expect(0, "run", "two.cu", *given, "--param", "value=3", "-o", "filled")
        stats = json.loads((self.here / "filled/stats.json").read_text())
        self.assertEqual([launch["kernel"] for launch in stats["launches"]], ["fill<int>"])

    def test_an_access_through_a_null_pointer_stays_and_stops_the_run(self):
        for store in ("*(int*)0 = 5;", "int* p = 0; if (to[0] == 0) *p = 5; else to[1] = 2;", "int* p = 0; to[0] = *p;"):
            self.write("null.cu", f"__global__ void null(int* to) {{ {store} }}\n")
            done = self.expect(5, "run", "null.cu", *OPTIONS, "--param", "to=s32[64]")
            self.assertIn("error[MEM-OOB]", done.stderr)
            self.assertNotIn("deleted", done.stderr)

    def test_quiet_prints_errors_only_also_beside_errors(self):
        self.write("both.cu", '__global__ void f(int* to) { to[0] = "x" == "x"; to[1] = nothing; }\n')
        self.assertIn("warning[", self.expect(4, "cc", "both.cu").stderr)
        told = self.expect(4, "cc", "-q", "both.cu").stderr
        self.assertIn("error[CUDA-SOURCE]", told)
        self.assertNotIn("warning[", told)

    def test_code_for_a_later_level_is_refused_as_by_drivers(self):
        given = ("run", "vecadd.cu", *OPTIONS, "--param", "a=f32[64]:iota", "--param", "b=f32[64]:iota", "--param", "c=f32[64]",
                 "--param", "n=64", "-c")
        self.expect(0, *given, "8800gtx")
        self.expect(0, *given, "9800gt", "--compile", "-arch sm_11")
        error = self.expect(3, *given, "8800gtx", "--compile", "-arch sm_11").stderr
        self.assertIn("error[ISA-LEVEL]: kernel 'vecadd': the code is for sm_11, the machine is sm_10", error)
        self.expect(0, *given, "8800gtx", "--retarget", "sm_11", "--compile", "-arch sm_11")

    def test_cc_writes_an_ordinary_cubin(self):
        self.expect(0, "cc", "vecadd.cu", "-o", "v.cubin", "-arch", "sm_11", "-O3", "-maxrregcount", "10")
        listing = self.expect(0, "disasm", "v.cubin").stdout
        self.assertIn("sm_11, kernel vecadd:", listing)
        given = ("--param", "a=f32[64]:iota", "--param", "b=f32[64]:iota", "--param", "c=f32[64]", "--param", "n=64")
        self.expect(0, "run", "v.cubin", *OPTIONS, *given)

    def test_text_for_the_assembler_runs_like_the_cubin(self):
        self.expect(0, "cc", "vecadd.cu", "-o", "v.cubin")
        self.write("v.asm", self.expect(0, "disasm", "v.cubin", "--format", "asm").stdout)
        self.assertIn(".param bytes p2, 8, 0x0020", (self.here / "v.asm").read_text())
        self.expect(0, "asm", "v.asm", "-o", "again.cubin", "--format", "elf64")
        given = ("--param", "a=f32[64]:iota", "--param", "b=f32[64]:iota", "--param", "c=f32[64]", "--param", "n=60")
        results = {}
        for code in ("v.cubin", "v.asm", "again.cubin"):
            self.expect(0, "run", code, *OPTIONS, *given, "--dump", "c=c.npy")
            results[code] = (self.here / "c.npy").read_bytes()
            (self.here / "c.npy").unlink()
        self.assertEqual(1, len(set(results.values())), results)
        self.assertEqual(118.0, struct.unpack("<64f", results["v.asm"][-256:])[59])

    def test_cc_names_its_output_after_the_input(self):
        self.expect(0, "cc", "vecadd.cu")
        self.assertTrue((self.here / "vecadd.cubin").exists())
        self.expect(0, "cc", "--ptx", "vecadd.cu")
        self.assertIn(".entry _Z6vecadd", (self.here / "vecadd.ptx").read_text())
        self.expect(0, "cc", "vecadd.ptx", "-o", "again.cubin")

    def test_cc_shows_lines_resources_and_passes(self):
        shown = self.expect(0, "cc", "vecadd.cu", "--listing", "--resource-usage", "--print-after", "dead-code").stdout
        self.assertIn("// vecadd.cu:7: if (i < n) c[i] = SCALE * a[i] + b[i];", shown)
        self.assertRegex(shown, r"vecadd: \d+ registers, 44 B shared, 0 B local, 0 barriers")
        self.assertRegex(shown, r"(?m)^.*dead-code")
        self.assertFalse((self.here / "vecadd.cubin").exists())
        self.diagnosed("CLI-VALUE", self.expect(2, "cc", "vecadd.cu", "--print-after", "nothing"))

    def test_all_mistakes_have_their_places(self):
        self.write("bad.cu", "__global__ void k(float* p) {\n  p[0] = y;\n  atomicAdd((int*)p, 1);\n  z = 3;\n}\n")
        error = self.expect(4, "cc", "bad.cu", "-arch=sm_10").stderr
        for place in ("bad.cu:2:10", "bad.cu:3:3", "bad.cu:4:3"):
            self.assertIn(f"--> {place}", error)
        self.assertIn("it needs compute capability 1.1", error)
        self.assertEqual(error.count("error[CUDA-SOURCE]"), 3)

    def test_what_the_compiler_refuses_is_told_at_the_line_of_cuda(self):
        self.write("rec.cu", "__device__ int f(int n) {\n  return n < 2 ? n : f(n - 1) * f(n - 2) ^ n;\n}\n"
                             "__global__ void k(int* p) {\n  p[0] = f(p[1]);\n}\n")
        error = self.expect(4, "cc", "rec.cu").stderr
        self.assertRegex(error, r"error\[PTX-\w+\]")
        self.assertRegex(error, r"--> rec\.cu:\d")

    def test_warnings_come_again_from_the_cache(self):
        self.write("warn.cu", "__attribute__((deprecated)) __device__ int old(int x) { return x; }\n"
                              "__global__ void k(double* p) {\n  p[0] = p[1] / old(0);\n  p[1] = 1 << 40;\n}\n")
        first = self.expect(0, "cc", "warn.cu", "-arch", "sm_12").stderr
        self.assertIn("warning[CUDA-WARNING]", first)
        self.assertIn("warning[CUDA-DOUBLE]", first)
        self.assertIn("note: warn.cu:1: 'old' has been explicitly marked deprecated here", first)
        self.assertEqual(self.expect(0, "cc", "warn.cu", "-arch", "sm_12").stderr, first)
        self.expect(4, "cc", "warn.cu", "-arch", "sm_12", "--no-demote")

    @not_under_sanitizers
    def test_a_header_that_changed_is_read_again(self):
        self.write("size.h", "#define SIZE 3\n")
        self.write("size.cu", '#include "size.h"\n__global__ void k(int* p) { p[0] = SIZE; }\n')
        self.assertIn("0x00000003", self.expect(0, "disasm", "size.cu").stdout)
        self.write("size.h", "#define SIZE 5\n")
        self.assertIn("0x00000005", self.expect(0, "disasm", "size.cu").stdout)

    def test_nothing_is_left_where_there_is_no_cache(self):
        before = set(self.here.iterdir())
        environment = dict(os.environ, TESLASIM_CACHE="none", TMPDIR=str(self.here))
        done = subprocess.run([PROGRAM, "cc", "vecadd.cu", "--ptx", "-o", "-"], cwd=self.here, env=environment, capture_output=True,
                              text=True, check=True)
        self.assertIn(".entry _Z6vecadd", done.stdout)
        self.assertEqual(set(self.here.iterdir()), before)

    def test_without_clang_the_message_says_what_to_install(self):
        path = os.environ["PATH"]
        os.environ["PATH"] = str(self.here)
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        error = self.expect(8, "cc", "vecadd.cu").stderr
        self.assertIn("error[CUDA-CLANG]", error)
        self.assertIn("apt-get install clang-14 llvm-14", error)

    def test_a_kernel_error_shows_the_line_of_cuda(self):
        self.write("wild.cu", "__global__ void k(int* p) {\n  p[threadIdx.x * 100000] = 1;\n}\n")
        error = self.expect(5, "run", "wild.cu", *OPTIONS, "--param", "p=u32[64]").stderr
        self.assertIn("wild.cu:2", error)
        self.assertIn("p[threadIdx.x * 100000] = 1;", error)

    def test_names_of_integer_functions(self):
        self.write("names.cu", NAMES)
        self.expect(0, "run", "names.cu", *OPTIONS, "--param", "out=u32[6]", "--param", "a=0x83828180", "--param", "b=0x07065432",
                    "--dump", "out=out.npy")
        values = struct.unpack("<6I", (self.here / "out.npy").read_bytes()[-24:])
        difference = (0x07065432 - 0x83828180) & 0xffffffff
        self.assertEqual(values, (0x07065432, 0x83828180, difference, 1, 0x07828180, 0x54328382))

    def test_rotations_wrap_around(self):
        """LLVM 14 takes the `& 31` away and writes shifts."""
        self.write("turn.cu", "__global__ void k(unsigned* p) {\n  unsigned n = threadIdx.x * 3, x = p[threadIdx.x];\n"
                              "  p[threadIdx.x] = x << (n & 31) | x >> (-n & 31);\n"
                              "  p[threadIdx.x + 64] = x >> (n & 31) | x << (-n & 31);\n}\n")
        self.expect(0, "run", "turn.cu", *OPTIONS, "--param", "p=u32[128]:iota", "--dump", "p=p.npy")
        values = struct.unpack("<128I", (self.here / "p.npy").read_bytes()[-512:])
        for i in range(64):
            n = 3 * i % 32
            self.assertEqual(values[i], (i << n | i >> 32 - n) & 0xffffffff, i)
            self.assertEqual(values[i + 64], (i >> n | i << 32 - n) & 0xffffffff, i)

    def test_rerun_compiles_with_the_same_options(self):
        self.write("vecadd.launch.toml", LAUNCH)
        self.expect(0, "run", "vecadd.launch.toml", "-o", "out", "--compile", "-O1 -maxrregcount 8")
        self.assertEqual(json.loads((self.here / "out/run.json").read_text())["request"]["compile"], "-O1 -maxrregcount 8")
        self.expect(0, "rerun", "out")

    @not_under_sanitizers
    def test_rerun_has_the_headers_too(self):
        self.write("scale.h", "#define SCALE 3.0f\n")
        self.write("vecadd.cu", '#include "scale.h"\n' + VECADD)
        self.write("vecadd.launch.toml", LAUNCH.replace('compile = "-DSCALE=2.0f"\n', ""))
        self.expect(0, "run", "vecadd.launch.toml", "-o", "out")
        self.assertEqual((self.here / "out/inputs/scale.h").read_text(), "#define SCALE 3.0f\n")
        self.write("scale.h", "#define SCALE 5.0f\n")
        self.expect(0, "rerun", "out")


if __name__ == "__main__":
    unittest.main()

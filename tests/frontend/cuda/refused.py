# SPDX-License-Identifier: Apache-2.0
"""What of CUDA C these chips have not: each an error at its line.

usage: refused.py TESLASIM
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KERNEL = "__global__ void k(int* p)"
# name -> code of the error, what it says, and the source; `HERE` marks the line, and stands for nothing.
CASES = {
    "recursion": ("PTX-UNSUPPORTED", "calls itself", f"""
__device__ int g(int);
__device__ int f(int n) {{ return n < 2 ? 1 : g(n - 1) + 1; }}
__device__ int g(int n) {{ return n < 3 ? 2 : f(n - 2) * 2; }}  HERE
{KERNEL} {{ *p = f(*p); }}"""),
    "function pointer": ("PTX-UNSUPPORTED", "calls through pointers", f"""
__device__ int a(int x) {{ return x + 1; }}
__device__ int b(int x) {{ return x * 2; }}
__device__ int (*table[2])(int) = {{a, b}};
{KERNEL} {{
  p[1] = table[p[0] & 1](p[2]);  HERE
}}"""),
    "virtual function": ("PTX-UNSUPPORTED", "virtual functions", """
struct A { __device__ virtual int f() { return 1; } };
__global__ void k(A* q, int* p) {
  *p = q->f();  HERE
}"""),
    "new": ("PTX-UNSUPPORTED", "new and delete", "__global__ void k(int** p) {\n  *p = new int[4];  HERE\n}"),
    "delete": ("PTX-UNSUPPORTED", "new and delete", f"{KERNEL} {{\n  delete p;  HERE\n}}"),
    "malloc": ("CUDA-SOURCE", "'malloc' needs compute capability 2.0\\n(.*\\n)*.*cudaMalloc", "__global__ void k(void** p) {\n  *p = malloc(16);  HERE\n}"),
    "printf": ("CUDA-SOURCE", "'printf' needs compute capability 2.0\\n(.*\\n)*.*teslasim debug", f'{KERNEL} {{\n  printf("%d", *p);  HERE\n}}'),
    "assert": ("CUDA-SOURCE", "'assert' needs compute capability 2.0", f"#include <assert.h>\n{KERNEL} {{\n  assert(*p);  HERE\n}}"),
    "launch from a kernel": ("CUDA-SOURCE", "reference to __global__", f"__global__ void c() {{}}\n{KERNEL} {{\n  c<<<1, 1>>>();  HERE\n}}"),
    "surface": ("CUDA-SOURCE", "'surface' needs compute capability 2.0", f"surface<void, 2> s;  HERE\n{KERNEL} {{ *p = 1; }}"),
    "texture object": ("CUDA-SOURCE", "'cudaTextureObject_t' needs compute capability 3.0", "__global__ void k(cudaTextureObject_t t, float* p) {  HERE\n *p = 1; }"),
    "ballot": ("CUDA-SOURCE", "'__ballot' needs compute capability 2.0", f"{KERNEL} {{\n  *p = __ballot(p[1]);  HERE\n}}"),
    "shuffle": ("CUDA-SOURCE", "'__shfl' needs compute capability 3.0", f"{KERNEL} {{\n  *p = __shfl(p[1], 0);  HERE\n}}"),
    "counting barrier": ("CUDA-SOURCE", "'__syncthreads_count' needs compute capability 2.0", f"{KERNEL} {{\n  *p = __syncthreads_count(*p);  HERE\n}}"),
    "atomic sum of floats": ("CUDA-SOURCE", "'atomicAdd' on float needs compute capability 2.0\\n(.*\\n)*.*atomicCAS", "__global__ void k(float* p) {\n  atomicAdd(p, 1.0f);  HERE\n}"),
    "64-bit atomic on shared memory": ("PTX-UNSUPPORTED", "64-bit atomics", """
__global__ void k(unsigned long long* p) {
  __shared__ unsigned long long s;
  s = 0;
  __syncthreads();
  atomicAdd(&s, 1ULL);  HERE
  *p = s;
}"""),
    "64-bit clock": ("CUDA-SOURCE", "'clock64' needs compute capability 2.0", f"{KERNEL} {{\n  *p = clock64();  HERE\n}}"),
    "exact quotient of doubles": ("CUDA-SOURCE", "'__ddiv_rn' needs compute capability 2.0", "__global__ void k(double* p) {\n  *p = __ddiv_rn(p[0], p[1]);  HERE\n}"),
    "read-only load": ("CUDA-SOURCE", "'__ldg' needs compute capability 3.5", f"{KERNEL} {{\n  *p = __ldg(p + 1);  HERE\n}}"),
    "function of the host": ("CUDA-SOURCE", "only functions that are marked __device__", f"int own(int x);\n{KERNEL} {{\n  *p = own(3);  HERE\n}}"),
    "library": ("CUDA-SOURCE", "'cufft.h' is of a library of NVIDIA that is not part", f"#include <cufft.h>  HERE\n{KERNEL} {{ *p = 1; }}"),
    "exception": ("CUDA-SOURCE", "throw", f"{KERNEL} {{\n  if (*p) throw 1;  HERE\n}}"),
    "array of any length": ("CUDA-SOURCE", "variable-length", f"{KERNEL} {{\n  int a[*p];  HERE\n  a[0] = 1; }}"),
    "video instruction": ("PTX-UNSUPPORTED", "vadd.*2.0", f"""
{KERNEL} {{
  int r;
  asm("vadd.s32.s32.s32 %0, %1, %2;" : "=r"(r) : "r"(p[0]), "r"(p[1]));  HERE
  *p = r;
}}"""),
    "shared memory": ("PTX-SIZE", "'s' has 20000 bytes, more than 16384 of shared memory", f"{KERNEL} {{  HERE\n  __shared__ int s[5000];\n  s[*p] = 1; __syncthreads(); *p = s[p[1]];\n}}"),
    "parameters": ("PTX-SIZE", "the parameters of 'k' take more than 256 bytes", "struct S { int a[70]; };\n__global__ void k(S s, int* p) {  HERE\n  *p = s.a[*p];\n}"),
    "local memory": ("PTX-SIZE", "20000 bytes of local memory, more than 16384", f"{KERNEL} {{  HERE\n  int a[5000];\n  for (int i = 0; i < 5000; ++i) a[i] = p[i];\n  *p = a[p[5]];\n}}"),
    "constant memory": ("PTX-SIZE", "'c' has 80000 bytes, more than 65536 of constant memory", f"__constant__ int c[20000];  HERE\n{KERNEL} {{ *p = c[*p]; }}"),
    "another file's function": ("PTX-EXTERN", "not defined", f"extern __device__ int f(int);\n{KERNEL} {{\n  *p = f(*p);  HERE\n}}"),
    "another file's variable": ("PTX-EXTERN", "'v' is not defined", f"extern __device__ int v;\n{KERNEL} {{ *p = v; }}"),
}


def problem_of(name, code, says, source, teslasim):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "k.cu")
        file.write_text(source.replace("HERE", ""), encoding="utf-8")
        done = subprocess.run([teslasim, "cc", file, "-o", file.with_suffix(".cubin")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, env=dict(os.environ, TESLASIM_CACHE="none"))
    text = done.stdout
    lines = [number for number, line in enumerate(source.split("\n"), 1) if "HERE" in line]
    if done.returncode != 4:
        return f"{name}: exit {done.returncode}\n{text}"
    if f"error[{code}]" not in text or not re.search(says, text):
        return f"{name}: not {code} with '{says}'\n{text}"
    if lines and not re.search(rf"k\.cu:{lines[0]}:\d+", text):
        return f"{name}: not in line {lines[0]}\n{text}"
    return None


def main():
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        found = [each for each in pool.map(lambda one: problem_of(one[0], *one[1], sys.argv[1]), CASES.items()) if each]
    for each in found:
        print(each)
    print(f"{len(CASES)} constructs, {len(found)} problems")
    return len(found) != 0


if __name__ == "__main__":
    sys.exit(main())

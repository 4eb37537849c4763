// SPDX-License-Identifier: Apache-2.0
// Cases that a thread computes alone, checked against the same functions on the host. Included behind program.h.
#pragma once

#define BOTH __host__ __device__
typedef unsigned int Word;
typedef unsigned long long Wide;
typedef long long SignedWide;
typedef unsigned char Byte;
typedef unsigned short Half;

static int wrong = 0;

template <class Case>
__global__ void run_case(Word* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Case::run(i);
}

template <class Case>
static void test(const char* name) {
  enum { COUNT = 512 };
  Word found[COUNT], *out;
  CHECK(cudaMalloc((void**)&out, sizeof(found)));
  run_case<Case><<<COUNT / 64, 64>>>(out, COUNT);
  CHECK(cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(out));
  for (int i = 0; i < COUNT; ++i) {
    const Word expected = Case::run(i);
    if (found[i] != expected && wrong++ < 10) printf("%s[%d]: %08x instead of %08x\n", name, i, found[i], expected);
  }
}

#define CASE(name)                \
  struct name {                   \
    static BOTH Word run(Word i); \
  };                              \
  BOTH Word name::run(Word i)

BOTH inline Word next_random(Word& state) {
  state = state * 1664525u + 1013904223u;
  return state ^ (state >> 13);
}

#define TEST(name) test<name>(#name)

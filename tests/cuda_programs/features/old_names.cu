// SPDX-License-Identifier: Apache-2.0
// Device functions by the names without underscores that CUDA 1 had; conversions that are told how to round.
#include "program.h"

enum { WORDS = 20 };

__global__ void names(int* to, float x, float big, int a, unsigned int b) {
  to[0] = mul24(a, 3);
  to[1] = (int)umul24(b, 5U);
  to[2] = mulhi(a << 20, 1 << 20);
  to[3] = (int)umulhi(b << 20, 1U << 20);
  to[4] = (int)(mul64hi((long long)a << 40, 1LL << 40) >> 10);
  to[5] = (int)(umul64hi((unsigned long long)b << 40, 1ULL << 40) >> 10);
  to[6] = float_as_int(saturate(x));
  to[7] = float_as_int(int_as_float(0x40490fdb));
  to[8] = float2int(-x);
  to[9] = float2int(-x, cudaRoundNearest);
  to[10] = float2int(-x, cudaRoundPosInf);
  to[11] = float2int(-x, cudaRoundMinInf);
  to[12] = (int)float2uint(x);
  to[13] = (int)float2uint(x, cudaRoundNearest);
  to[14] = (int)float2uint(x, cudaRoundPosInf);
  to[15] = float_as_int(int2float((1 << 24) + a));
  to[16] = float_as_int(int2float((1 << 24) + a, cudaRoundZero));
  to[17] = float_as_int(uint2float((1U << 24) + b, cudaRoundPosInf));
  to[18] = float_as_int(uint2float((1U << 24) + b, cudaRoundMinInf));
  to[19] = float2int(big, cudaRoundZero);
}

static int bits(float x) {
  int word;
  memcpy(&word, &x, sizeof(word));
  return word;
}

int main() {
  const int a = 7;
  const unsigned int b = 9;
  const float x = 2.75f;
  const int expected[WORDS] = {21, 45, 7 << 8, 9 << 8, 7 << 6, 9 << 6, bits(1.0f), 0x40490fdb, -2, -3, -2, -3, 2, 3, 3,
                               bits(16777224.0f), bits(16777222.0f), bits(16777226.0f), bits(16777224.0f), 2147483647};
  int *device, got[WORDS];
  CHECK(cudaMalloc((void**)&device, sizeof(got)));
  names<<<1, 1>>>(device, x, 1e20f, a, b);
  CHECK(cudaMemcpy(got, device, sizeof(got), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < WORDS; ++i) {
    if (got[i] != expected[i]) printf("%d: %d, not %d\n", i, got[i], expected[i]);
    is_right = is_right && got[i] == expected[i];
  }
  return verdict(is_right);
}

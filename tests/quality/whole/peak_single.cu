// SPDX-License-Identifier: Apache-2.0
// Multiply-adds and multiplications in turn, after SHOC (Danalis et al. 2010): eight chains x = (2.9 - x / 2) * x, 64 steps a pass,
// the multiplication of a chain four places behind its multiply-add.
#define CHAINS 8
#define STEPS 64
#define BEHIND 4

extern "C" __global__ void peak_single(float* out, int passes) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  float x[CHAINS], factor[CHAINS];
  x[0] = (float)(thread & 15) * 0.0625f + 0.25f;
#pragma unroll
  for (int i = 1; i < CHAINS; ++i) x[i] = x[i - 1] + 0.125f;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int k = 0; k < STEPS + BEHIND; ++k) {
      if (k < STEPS) factor[k % CHAINS] = 2.9f - x[k % CHAINS] * 0.5f;
      if (k >= BEHIND) x[(k - BEHIND) % CHAINS] = factor[(k - BEHIND) % CHAINS] * x[(k - BEHIND) % CHAINS];
    }
  }
  float sum = x[0];
#pragma unroll
  for (int i = 1; i < CHAINS; ++i) sum += x[i];
  out[thread] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// Multiply-adds in double precision, after SHOC (Danalis et al. 2010): eight chains x = x * 0.75 + 0.3, 64 steps a pass.
#define CHAINS 8
#define STEPS 64

extern "C" __global__ void peak_double(const double* in, double* out, int passes) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  double x[CHAINS];
  x[0] = in[thread];
#pragma unroll
  for (int i = 1; i < CHAINS; ++i) x[i] = x[i - 1] + 1.0;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int k = 0; k < STEPS; ++k) x[k % CHAINS] = fma(x[k % CHAINS], 0.75, 0.3);
  }
  double sum = x[0];
#pragma unroll
  for (int i = 1; i < CHAINS; ++i) sum += x[i];
  out[thread] = sum;
}

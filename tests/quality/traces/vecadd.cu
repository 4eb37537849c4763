// SPDX-License-Identifier: Apache-2.0
// out[i] = a[i] + b[i], one thread per element.
__global__ void vecadd(const float* a, const float* b, float* out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

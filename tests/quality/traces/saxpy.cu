// SPDX-License-Identifier: Apache-2.0
// y = a * x + y, one thread per element.
__global__ void saxpy(unsigned n, float a, const float* x, float* y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

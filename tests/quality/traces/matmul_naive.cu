// SPDX-License-Identifier: Apache-2.0
// c = a * b, one thread per element of c, everything read from global memory.
__global__ void matmul_naive(const float* a, const float* b, float* c, unsigned k, unsigned n) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (unsigned i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

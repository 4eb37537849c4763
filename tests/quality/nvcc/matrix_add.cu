// SPDX-License-Identifier: Apache-2.0
// c = a + b, matrices of 512 x 512 numbers.
__global__ void matrix_add(const int* a, const int* b, int* c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 512 && y < 512) c[y * 512 + x] = a[y * 512 + x] + b[y * 512 + x];
}

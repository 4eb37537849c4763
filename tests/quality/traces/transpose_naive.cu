// SPDX-License-Identifier: Apache-2.0
// out = transposed in, straight through registers.
__global__ void transpose_naive(const float* in, float* out, unsigned width, unsigned height) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  out[__umul24(height, column) + row] = in[__umul24(width, row) + column];
}

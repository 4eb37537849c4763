// SPDX-License-Identifier: Apache-2.0
// out = transposed in, through a tile in shared memory with rows of 17 words.
__global__ void transpose_padded(const float* in, float* out, unsigned width, unsigned height) {
  __shared__ float tile[16][17];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned first_column = blockIdx.x * 16, first_row = blockIdx.y * 16;
  tile[y][x] = in[__umul24(width, first_row + y) + first_column + x];
  __syncthreads();
  out[__umul24(height, first_column + y) + first_row + x] = tile[x][y];
}

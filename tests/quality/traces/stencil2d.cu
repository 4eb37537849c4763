// SPDX-License-Identifier: Apache-2.0
// Five-point stencil from a tile of 18 x 18 in shared memory; the border of the field is copied.
__global__ void stencil2d(const float* in, float* out, unsigned width, unsigned height, float centre, float side) {
  __shared__ float tile[18][18];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned column = blockIdx.x * blockDim.x + x, row = blockIdx.y * blockDim.y + y;
  int last_column = width - 1, last_row = height - 1;
  unsigned here = __umul24(width, row) + column;
  float old = in[here];
  tile[y + 1][x + 1] = old;
  if (y == 0) tile[y][x + 1] = in[__umul24(width, max(static_cast<int>(row) - 1, 0)) + column];
  if (y == 15) tile[y + 2][x + 1] = in[__umul24(width, min(static_cast<int>(row) + 1, last_row)) + column];
  if (x == 0) tile[y + 1][x] = in[__umul24(width, row) + max(static_cast<int>(column) - 1, 0)];
  if (x == 15) tile[y + 1][x + 2] = in[__umul24(width, row) + min(static_cast<int>(column) + 1, last_column)];
  __syncthreads();
  float sum = tile[y + 1][x] + tile[y + 1][x + 2] + tile[y][x + 1] + tile[y + 2][x + 1];
  float value = side * sum + centre * old;
  if (column - 1 >= width - 2) value = old;
  if (row - 1 >= height - 2) value = old;
  out[here] = value;
}

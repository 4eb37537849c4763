// SPDX-License-Identifier: Apache-2.0
// Copies and transpositions after Ruetsch and Micikevicius 2009, "Optimizing matrix transpose in CUDA": tiles of 32 x 32, blocks of
// 32 x 8, each repeated in the kernel as often as it is told.
#define SIDE 32
#define ROWS 8

extern "C" __global__ void moves_copy(float* out, const float* in, int width, int height, int passes) {
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  int index = x + width * y;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < SIDE; i += ROWS) out[index + i * width] = in[index + i * width];
  }
}

extern "C" __global__ void moves_tile_copy(float* out, const float* in, int width, int height, int passes) {
  __shared__ float tile[SIDE][SIDE];
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  int index = x + width * y;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < SIDE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = in[index + i * width];
    __syncthreads();
    for (int i = 0; i < SIDE; i += ROWS) out[index + i * width] = tile[threadIdx.y + i][threadIdx.x];
  }
}

extern "C" __global__ void moves_naive(float* out, const float* in, int width, int height, int passes) {
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  int from = x + width * y, to = y + height * x;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < SIDE; i += ROWS) out[to + i] = in[from + i * width];
  }
}

extern "C" __global__ void moves_padded(float* out, const float* in, int width, int height, int passes) {
  __shared__ float tile[SIDE][SIDE + 1];
  int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  int from = x + width * y;
  x = blockIdx.y * SIDE + threadIdx.x;
  y = blockIdx.x * SIDE + threadIdx.y;
  int to = x + height * y;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < SIDE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
    __syncthreads();
    for (int i = 0; i < SIDE; i += ROWS) out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
  }
}

// SPDX-License-Identifier: Apache-2.0
// The transposition of NVIDIA's software kits of 2007 and 2008: tiles of 16 x 16 with a word more per row, guarded edges.
#define SIDE 16

extern "C" __global__ void transpose_16(float* out, const float* in, int width, int height) {
  __shared__ float tile[SIDE][SIDE + 1];
  unsigned x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  if (x < width && y < height) {
    unsigned index = y * width + x;
    tile[threadIdx.y][threadIdx.x] = in[index];
  }
  __syncthreads();
  x = blockIdx.y * SIDE + threadIdx.x;
  y = blockIdx.x * SIDE + threadIdx.y;
  if (x < height && y < width) {
    unsigned index = y * height + x;
    out[index] = tile[threadIdx.x][threadIdx.y];
  }
}

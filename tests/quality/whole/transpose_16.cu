// SPDX-License-Identifier: Apache-2.0
// The transpositions of NVIDIA's software kits of 2007 and 2008: tiles of 16 x 16 with a word more per row, without it, no tile.
// Guarded edges.
#define SIDE 16

template <int words>
__device__ __forceinline__ void through_tile(float* out, const float* in, int width, int height) {
  __shared__ float tile[SIDE][words];
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

extern "C" __global__ void transpose_16(float* out, const float* in, int width, int height) {
  through_tile<SIDE + 1>(out, in, width, height);
}

extern "C" __global__ void transpose_16_unpadded(float* out, const float* in, int width, int height) {
  through_tile<SIDE>(out, in, width, height);
}

extern "C" __global__ void transpose_16_naive(float* out, const float* in, int width, int height) {
  unsigned x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
  if (x < width && y < height) {
    unsigned index_in = x + width * y, index_out = y + height * x;
    out[index_out] = in[index_in];
  }
}

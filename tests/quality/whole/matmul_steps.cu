// SPDX-License-Identifier: Apache-2.0
// Products of matrices, one element a thread, after Ryoo et al. 2008: nothing in shared memory; tiles of 16 x 16, the loop over a
// tile as written; the same loop unrolled.
#define SIDE 16

extern "C" __global__ void matmul_untiled(float* c, const float* a, const float* b, int n, int steps) {
  int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  int at_a = row * n, at_b = column;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    sum += a[at_a] * b[at_b];
    at_a += 1;
    at_b += n;
  }
  c[row * n + column] = sum;
}

template <bool unroll>
__device__ __forceinline__ float product_of_tiles(float sum, float (*tile_a)[SIDE], float (*tile_b)[SIDE]) {
  if (unroll) {
#pragma unroll
    for (int k = 0; k < SIDE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
  } else {
#pragma unroll 1
    for (int k = 0; k < SIDE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
  }
  return sum;
}

template <bool unroll>
__device__ __forceinline__ void tiled(float* c, const float* a, const float* b, int n) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  int column = blockIdx.x * SIDE + threadIdx.x, row = blockIdx.y * SIDE + threadIdx.y;
  int at_a = row * n + threadIdx.x, at_b = threadIdx.y * n + column;
  float sum = 0.0f;
  for (int tile = 0; tile < n / SIDE; ++tile) {
    tile_a[threadIdx.y][threadIdx.x] = a[at_a];
    tile_b[threadIdx.y][threadIdx.x] = b[at_b];
    at_a += SIDE;
    at_b += SIDE * n;
    __syncthreads();
    sum = product_of_tiles<unroll>(sum, tile_a, tile_b);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matmul_rolled(float* c, const float* a, const float* b, int n) { tiled<false>(c, a, b, n); }
extern "C" __global__ void matmul_unrolled(float* c, const float* a, const float* b, int n) { tiled<true>(c, a, b, n); }

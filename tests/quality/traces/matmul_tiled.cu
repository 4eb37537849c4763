// SPDX-License-Identifier: Apache-2.0
// c = a * b with tiles of 16 x 16 elements in shared memory.
__global__ void matmul_tiled(const float* a, const float* b, float* c, unsigned k, unsigned n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  const float* from_a = a + __umul24(k, row) + x;
  const float* end = from_a + k;
  const float* from_b = b + __umul24(n, y) + column;
  float sum = 0;
  do {
    tile_a[y][x] = *from_a;
    tile_b[y][x] = *from_b;
    from_a += 16;
    from_b += 16 * n;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  } while (from_a != end);
  c[__umul24(n, row) + column] = sum;
}

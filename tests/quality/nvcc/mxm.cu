// SPDX-License-Identifier: Apache-2.0
// c = a * b in tiles of 32 x 32 elements. a has `inner` columns, b and c have `width`.
__global__ void mxm(float* c, const float* a, const float* b, int inner, int width) {
  __shared__ float tile_a[32][32], tile_b[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int first = inner * blockIdx.y * 32, last = first + inner - 1;
  int row = 32 * blockIdx.x;
  float sum = 0;
  for (int column = first; column <= last; column += 32, row += 32 * width) {
    tile_a[y][x] = a[column + inner * y + x];
    tile_b[y][x] = b[row + width * y + x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[(width * blockIdx.y + blockIdx.x) * 32 + width * y + x] = sum;
}

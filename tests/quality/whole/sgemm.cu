// SPDX-License-Identifier: Apache-2.0
// c = a * b, stored column by column, in the scheme of Volkov and Demmel 2008: 64 threads compute 64 x 16 elements, a row each in 16
// registers; a 16 x 16 tile of b goes through shared memory, four elements of a are loaded ahead of their use.
#define SIDE 16

__device__ __forceinline__ void add_row(float a, const float* b, float* c) {
#pragma unroll
  for (int i = 0; i < SIDE; ++i) c[i] += a * b[i];
}

extern "C" __global__ void sgemm(const float* a, int pitch_a, const float* b, int pitch_b, float* c, int pitch_c, int k) {
  __shared__ float tile[SIDE][SIDE + 1];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x * 64, column = blockIdx.y * SIDE, thread = x + y * SIDE;
  a += row + thread;
  b += x + (column + y) * pitch_b;
  c += row + thread + column * pitch_c;
  const float* end = b + k;
  float sum[SIDE] = {};
  do {
    float ahead[4] = {a[0 * pitch_a], a[1 * pitch_a], a[2 * pitch_a], a[3 * pitch_a]};
    tile[x][y] = b[0 * pitch_b];
    tile[x][y + 4] = b[4 * pitch_b];
    tile[x][y + 8] = b[8 * pitch_b];
    tile[x][y + 12] = b[12 * pitch_b];
    __syncthreads();
    a += 4 * pitch_a;
#pragma unroll
    for (int i = 0; i < SIDE - 4; i += 4) {
      add_row(ahead[0], tile[i], sum);
      ahead[0] = a[0 * pitch_a];
      add_row(ahead[1], tile[i + 1], sum);
      ahead[1] = a[1 * pitch_a];
      add_row(ahead[2], tile[i + 2], sum);
      ahead[2] = a[2 * pitch_a];
      add_row(ahead[3], tile[i + 3], sum);
      ahead[3] = a[3 * pitch_a];
      a += 4 * pitch_a;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) add_row(ahead[i], tile[SIDE - 4 + i], sum);
    b += SIDE;
    __syncthreads();
  } while (b < end);
#pragma unroll
  for (int i = 0; i < SIDE; ++i, c += pitch_c) c[0] = sum[i];
}

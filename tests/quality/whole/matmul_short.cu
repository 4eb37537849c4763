// SPDX-License-Identifier: Apache-2.0
// 16 columns times 16 rows, after the CUDA C Best Practices Guide 2.3: nothing in shared memory, a there, a and b there.
#define SIDE 16

extern "C" __global__ void short_direct(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < SIDE; ++i) sum += a[row * SIDE + i] * b[i * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void short_tile_a(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[SIDE][SIDE];
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  tile_a[threadIdx.y][threadIdx.x] = a[row * SIDE + threadIdx.x];
  for (int i = 0; i < SIDE; ++i) sum += tile_a[threadIdx.y][i] * b[i * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void short_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  tile_a[threadIdx.y][threadIdx.x] = a[row * SIDE + threadIdx.x];
  tile_b[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + column];
  __syncthreads();
  for (int i = 0; i < SIDE; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
  c[row * n + column] = sum;
}

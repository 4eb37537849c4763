// SPDX-License-Identifier: Apache-2.0
// C = A B of square matrices, twice: each thread alone, and blocks that share tiles. A block of the second reads every
// word of A and B once instead of 16 times.
#include "program.h"

#include <math.h>
#include <vector>

enum { TILE = 16 };

__global__ void multiply_alone(const float* a, const float* b, float* c, int size) {
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] = sum;
}

__global__ void multiply_tiles(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const int column = blockIdx.x * TILE + threadIdx.x;
  const int row = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int first = 0; first < size; first += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * size + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * size + column];
    // Nobody reads a tile before all have written it, or writes it before all have read it.
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * size + column] = sum;
}

static void multiply_on_host(const float* a, const float* b, float* c, int size) {
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      double sum = 0;
      for (int k = 0; k < size; ++k) sum += (double)a[row * size + k] * b[k * size + column];
      c[row * size + column] = (float)sum;
    }
  }
}

// Sums of `size` products of numbers up to 1: each addition may be wrong by half a unit of the last place of the sum.
static int count_wrong(const std::vector<float>& expected, const std::vector<float>& got, int size) {
  int wrong = 0;
  for (size_t i = 0; i < expected.size(); ++i) wrong += !(fabsf(expected[i] - got[i]) <= 1.2e-7f * size * sqrtf(size));
  return wrong;
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size");
  const int size = divide_up(option(argc, argv, "size", 96), TILE) * TILE;
  const size_t bytes = (size_t)size * size * sizeof(float);

  RandomNumbers random(2);
  std::vector<float> a(size * size), b(size * size), c(size * size), expected(size * size);
  for (int i = 0; i < size * size; ++i) {
    a[i] = random.between(-1, 1);
    b[i] = random.between(-1, 1);
  }
  multiply_on_host(&a[0], &b[0], &expected[0], size);

  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc((void**)&device_a, bytes));
  CHECK(cudaMalloc((void**)&device_b, bytes));
  CHECK(cudaMalloc((void**)&device_c, bytes));
  CHECK(cudaMemcpy(device_a, &a[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, &b[0], bytes, cudaMemcpyHostToDevice));

  const dim3 grid(size / TILE, size / TILE), block(TILE, TILE);
  int wrong = 0;
  for (int way = 0; way < 2; ++way) {
    CHECK(cudaMemset(device_c, 0xff, bytes));
    DeviceTimer timer;
    timer.start();
    if (way == 0) {
      multiply_alone<<<grid, block>>>(device_a, device_b, device_c, size);
    } else {
      multiply_tiles<<<grid, block>>>(device_a, device_b, device_c, size);
    }
    CHECK_LAUNCH();
    const float milliseconds = timer.stop_in_milliseconds();
    CHECK(cudaMemcpy(&c[0], device_c, bytes, cudaMemcpyDeviceToHost));
    const int wrong_here = count_wrong(expected, c, size);
    printf("%-6s %d x %d: %.4f ms, %.2f Gflop/s, %d wrong\n", way == 0 ? "alone" : "tiles", size, size, milliseconds,
           2e-6 * size * size * size / milliseconds, wrong_here);
    wrong += wrong_here;
  }
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  return verdict(wrong == 0);
}

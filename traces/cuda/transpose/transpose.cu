// SPDX-License-Identifier: Apache-2.0
// The transpose of a matrix in four ways, after Ruetsch and Micikevicius (2009), "Optimizing matrix transpose in CUDA":
// what uncoalesced writes cost, what bank conflicts cost, and a copy as the measure of both.
#include "program.h"

#include <vector>

enum { TILE = 16 };

// No transpose: as fast as memory allows.
__global__ void copy(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  out[y * width + x] = in[y * width + x];
}

// A half-warp reads a row and writes a column: 16 transactions.
__global__ void naive(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  out[x * height + y] = in[y * width + x];
}

// The tile turns in shared memory. With rows of 16 words a column lies in one bank, with 17 in all of them.
template <int row_length>
__global__ void tiled(const float* in, float* out, int width, int height) {
  __shared__ float tile[TILE][row_length];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int out_x = blockIdx.y * TILE + threadIdx.x;
  const int out_y = blockIdx.x * TILE + threadIdx.y;
  out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}

typedef void (*Kernel)(const float* in, float* out, int width, int height);

struct Way {
  const char* name;
  Kernel kernel;
  bool transposes;
};

static const Way ways[] = {
    {"copy", copy, false},
    {"naive", naive, true},
    {"tile", tiled<TILE>, true},
    {"padded tile", tiled<TILE + 1>, true},
};

int main(int argc, char** argv) {
  no_other_options(argc, argv, "width height");
  const int width = divide_up(option(argc, argv, "width", 256), TILE) * TILE;
  const int height = divide_up(option(argc, argv, "height", 192), TILE) * TILE;
  const size_t bytes = (size_t)width * height * sizeof(float);
  std::vector<float> in(width * height), out(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = (float)i;

  float *device_in, *device_out;
  CHECK(cudaMalloc((void**)&device_in, bytes));
  CHECK(cudaMalloc((void**)&device_out, bytes));
  CHECK(cudaMemcpy(device_in, &in[0], bytes, cudaMemcpyHostToDevice));

  const dim3 grid(width / TILE, height / TILE), block(TILE, TILE);
  int wrong = 0;
  for (int i = 0; i < (int)(sizeof(ways) / sizeof(ways[0])); ++i) {
    CHECK(cudaMemset(device_out, 0xff, bytes));
    DeviceTimer timer;
    timer.start();
    ways[i].kernel<<<grid, block>>>(device_in, device_out, width, height);
    CHECK_LAUNCH();
    const float milliseconds = timer.stop_in_milliseconds();
    CHECK(cudaMemcpy(&out[0], device_out, bytes, cudaMemcpyDeviceToHost));

    int wrong_here = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        wrong_here += out[ways[i].transposes ? x * height + y : y * width + x] != in[y * width + x];
      }
    }
    printf("%-12s %.4f ms  %6.2f GB/s  %d wrong\n", ways[i].name, milliseconds, 2e-6 * bytes / milliseconds, wrong_here);
    wrong += wrong_here;
  }
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return verdict(wrong == 0);
}

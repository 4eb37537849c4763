// SPDX-License-Identifier: Apache-2.0
// Heat that spreads over a plate: each point becomes the mean of its neighbours, step by step. Neighbours are read
// through a texture, whose cache holds what the points of a block share, and whose edges clamp without a branch. The
// same with plain loads shows what that is worth.
#include "program.h"

#include <math.h>
#include <vector>

enum { WIDTH_OF_BLOCK = 32, HEIGHT_OF_BLOCK = 4 };

// Textures are variables of the file; kernels name them, the host binds them to memory.
texture<float, 2, cudaReadModeElementType> heat;

__global__ void spread_by_texture(float* out, int pitch, int width, int height) {
  const int x = blockIdx.x * WIDTH_OF_BLOCK + threadIdx.x;
  const int y = blockIdx.y * HEIGHT_OF_BLOCK + threadIdx.y;
  if (x >= width || y >= height) return;
  // Points stand in the middle of their texels.
  const float u = x + 0.5f;
  const float v = y + 0.5f;
  out[y * pitch + x] = 0.25f * (tex2D(heat, u - 1, v) + tex2D(heat, u + 1, v) + tex2D(heat, u, v - 1) + tex2D(heat, u, v + 1));
}

__host__ __device__ inline float mean_of_neighbours(const float* in, int pitch, int x, int y, int width, int height) {
  const int left = x > 0 ? x - 1 : 0;
  const int right = x < width - 1 ? x + 1 : width - 1;
  const int above = y > 0 ? y - 1 : 0;
  const int below = y < height - 1 ? y + 1 : height - 1;
  return 0.25f * (in[y * pitch + left] + in[y * pitch + right] + in[above * pitch + x] + in[below * pitch + x]);
}

__global__ void spread_by_loads(const float* in, float* out, int pitch, int width, int height) {
  const int x = blockIdx.x * WIDTH_OF_BLOCK + threadIdx.x;
  const int y = blockIdx.y * HEIGHT_OF_BLOCK + threadIdx.y;
  if (x < width && y < height) out[y * pitch + x] = mean_of_neighbours(in, pitch, x, y, width, height);
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "width height steps");
  const int width = option(argc, argv, "width", 150);
  const int height = option(argc, argv, "height", 100);
  const int steps = option(argc, argv, "steps", 4);
  const size_t row = width * sizeof(float);
  std::vector<float> start(width * height), expected, next(width * height), result(width * height);
  RandomNumbers random(8);
  for (int i = 0; i < width * height; ++i) start[i] = random.between(0, 100);
  expected = start;
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) next[y * width + x] = mean_of_neighbours(&expected[0], width, x, y, width, height);
    }
    expected.swap(next);
  }

  // Rows begin where the texture unit and coalesced accesses want them: `pitch` bytes apart.
  float* plates[2];
  size_t pitch;
  CHECK(cudaMallocPitch((void**)&plates[0], &pitch, row, height));
  CHECK(cudaMallocPitch((void**)&plates[1], &pitch, row, height));
  heat.addressMode[0] = cudaAddressModeClamp;
  heat.addressMode[1] = cudaAddressModeClamp;
  heat.filterMode = cudaFilterModePoint;
  heat.normalized = false;

  const dim3 grid(divide_up(width, WIDTH_OF_BLOCK), divide_up(height, HEIGHT_OF_BLOCK));
  const dim3 block(WIDTH_OF_BLOCK, HEIGHT_OF_BLOCK);
  const int pitch_in_words = (int)(pitch / sizeof(float));
  bool is_right = true;
  for (int way = 0; way < 2; ++way) {
    CHECK(cudaMemcpy2D(plates[0], pitch, &start[0], row, row, height, cudaMemcpyHostToDevice));
    DeviceTimer timer;
    timer.start();
    for (int step = 0; step < steps; ++step) {
      float* const in = plates[step % 2];
      float* const out = plates[1 - step % 2];
      if (way == 0) {
        CHECK(cudaBindTexture2D(NULL, heat, in, heat.channelDesc, width, height, pitch));
        spread_by_texture<<<grid, block>>>(out, pitch_in_words, width, height);
      } else {
        spread_by_loads<<<grid, block>>>(in, out, pitch_in_words, width, height);
      }
      CHECK_LAUNCH();
    }
    const float milliseconds = timer.stop_in_milliseconds();
    CHECK(cudaMemcpy2D(&result[0], row, plates[steps % 2], pitch, row, height, cudaMemcpyDeviceToHost));
    float largest = 0;
    for (int i = 0; i < width * height; ++i) largest = fmaxf(largest, fabsf(result[i] - expected[i]));
    printf("%-8s %d x %d, %d steps in %.4f ms, %.1f million points per second, largest difference %.2g\n",
           way == 0 ? "texture" : "loads", width, height, steps, milliseconds, 1e-3 * width * height * steps / milliseconds,
           largest);
    is_right = is_right && largest <= 1e-5f * steps;
  }
  CHECK(cudaUnbindTexture(heat));
  CHECK(cudaFree(plates[0]));
  CHECK(cudaFree(plates[1]));
  return verdict(is_right);
}

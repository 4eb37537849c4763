// SPDX-License-Identifier: Apache-2.0
// Rows with a pitch and boxes of three dimensions: allocations, copies in all directions, fills; asynchronous fills; what is free.
#include "program.h"

#include <vector>

enum { WIDTH = 37, HEIGHT = 11, DEPTH = 3 };

__global__ void add_one(int* rows, size_t pitch) {
  int* const row = (int*)((char*)rows + threadIdx.y * pitch);
  row[threadIdx.x] += 1;
}
__global__ void add_one_everywhere(cudaPitchedPtr box) {
  char* const slice = (char*)box.ptr + blockIdx.x * box.pitch * HEIGHT;
  int* const row = (int*)(slice + threadIdx.y * box.pitch);
  row[threadIdx.x] += blockIdx.x;
}

static bool two_dimensions() {
  std::vector<int> in(WIDTH * HEIGHT), out(WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; ++i) in[i] = i;
  const size_t row = WIDTH * sizeof(int);
  int *first, *second;
  size_t pitch = 0, second_pitch = 0;
  CHECK(cudaMallocPitch((void**)&first, &pitch, row, HEIGHT));
  CHECK(cudaMallocPitch((void**)&second, &second_pitch, row, HEIGHT));
  CHECK(cudaMemcpy2D(first, pitch, &in[0], row, row, HEIGHT, cudaMemcpyHostToDevice));
  const dim3 block(WIDTH, HEIGHT);
  add_one<<<1, block>>>(first, pitch);
  CHECK_LAUNCH();
  CHECK(cudaMemset2D(second, second_pitch, 0xff, row, HEIGHT));
  CHECK(cudaMemcpy2D(second, second_pitch, first, pitch, row, HEIGHT - 1, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2D(&out[0], row, second, second_pitch, row, HEIGHT, cudaMemcpyDeviceToHost));
  bool is_right = pitch >= row && pitch % 16 == 0;
  for (int i = 0; i < WIDTH * HEIGHT; ++i) is_right = is_right && out[i] == (i < WIDTH * (HEIGHT - 1) ? i + 1 : -1);
  CHECK(cudaFree(first));
  CHECK(cudaFree(second));
  return is_right;
}

static bool three_dimensions() {
  const cudaExtent extent = make_cudaExtent(WIDTH * sizeof(int), HEIGHT, DEPTH);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  CHECK(cudaMemset3D(box, 0, extent));
  add_one_everywhere<<<DEPTH, dim3(WIDTH, HEIGHT)>>>(box);
  CHECK_LAUNCH();
  std::vector<int> out(WIDTH * HEIGHT * DEPTH);
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(&out[0], WIDTH * sizeof(int), WIDTH * sizeof(int), HEIGHT);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  bool is_right = true;
  for (int i = 0; i < WIDTH * HEIGHT * DEPTH; ++i) is_right = is_right && out[i] == i / (WIDTH * HEIGHT);
  CHECK(cudaFree(box.ptr));
  return is_right;
}

static bool memory_is_counted() {
  size_t before = 0, during = 0, after = 0, all = 0;
  CHECK(cudaMemGetInfo(&before, &all));
  char* block;
  CHECK(cudaMalloc((void**)&block, 10 << 20));
  CHECK(cudaMemGetInfo(&during, &all));
  CHECK(cudaMemsetAsync(block, 0x5a, 10 << 20, 0));
  char last = 0;
  CHECK(cudaMemcpy(&last, block + (10 << 20) - 1, 1, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(block));
  CHECK(cudaMemGetInfo(&after, &all));
  return before - during >= 10 << 20 && before == after && before <= all && last == 0x5a;
}

int main() {
  const bool rows = two_dimensions();
  const bool boxes = three_dimensions();
  const bool is_counted = memory_is_counted();
  printf("rows %d, boxes %d, counted %d\n", rows, boxes, is_counted);
  return verdict(rows && boxes && is_counted);
}

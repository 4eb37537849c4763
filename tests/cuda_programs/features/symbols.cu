// SPDX-License-Identifier: Apache-2.0
// Variables of the device: initial values, copies by variable and by name, offsets, addresses, sizes, structs with pointers.
#include "program.h"

__constant__ float scales[4] = {1, 2, 3, 4};
__constant__ int bias;
__device__ int counters[8] = {10, 11, 12, 13, 14, 15, 16, 17};
__device__ float total;
struct Places {
  const float* in;
  float* out;
  int count;
};
__constant__ Places places;
// The host knows these by their names only.
static __constant__ int first_step[2] = {1, 2};
static __device__ int seeds[2] = {5, 6};

__global__ void use_all() {
  const int i = threadIdx.x;
  if (i < places.count) places.out[i] = places.in[i] * scales[i % 4] + bias;
  if (i < 8) counters[i] += 100;
  if (i == 0) total = 2.5f * first_step[1] * seeds[0];
}

int main() {
  enum { COUNT = 50 };
  float in[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; ++i) in[i] = (float)i;
  float *device_in, *device_out;
  CHECK(cudaMalloc((void**)&device_in, sizeof(in)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  CHECK(cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice));

  const Places on_host = {device_in, device_out, COUNT};
  CHECK(cudaMemcpyToSymbol(places, &on_host, sizeof(on_host)));
  const int seven = 7;
  CHECK(cudaMemcpyToSymbol("bias", &seven, sizeof(seven), 0, cudaMemcpyHostToDevice));
  const float last_scale = 40;
  CHECK(cudaMemcpyToSymbol(scales, &last_scale, sizeof(float), 3 * sizeof(float)));
  const int two = 2, half_step = 1;
  CHECK(cudaMemcpyToSymbol("first_step", &half_step, sizeof(int), sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol("seeds", &two, sizeof(int), 0, cudaMemcpyHostToDevice));
  void* address = NULL;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, counters));
  CHECK(cudaGetSymbolSize(&size, "counters"));
  const int first_counter = 1000;
  CHECK(cudaMemcpy(address, &first_counter, sizeof(int), cudaMemcpyHostToDevice));
  use_all<<<1, 64>>>();
  CHECK_LAUNCH();

  bool is_right = size == 8 * sizeof(int);
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  const float expected_scales[] = {1, 2, 3, 40};
  for (int i = 0; i < COUNT; ++i) is_right = is_right && out[i] == in[i] * expected_scales[i % 4] + 7;
  int counters_on_host[7];
  CHECK(cudaMemcpyFromSymbol(counters_on_host, counters, sizeof(counters_on_host), sizeof(int)));
  for (int i = 0; i < 7; ++i) is_right = is_right && counters_on_host[i] == 111 + i;
  int first = 0;
  CHECK(cudaMemcpy(&first, address, sizeof(int), cudaMemcpyDeviceToHost));
  float total_on_host = 0;
  CHECK(cudaMemcpyFromSymbol(&total_on_host, "total", sizeof(float), 0, cudaMemcpyDeviceToHost));
  is_right = is_right && first == 1100 && total_on_host == 2.5f * 1 * 2;

  // Beyond the end, and what is no symbol.
  is_right = is_right && cudaMemcpyToSymbol(bias, &seven, 8) != cudaSuccess;
  is_right = is_right && cudaMemcpyToSymbol("no_such_symbol", &seven, 4) == cudaErrorInvalidSymbol;
  cudaGetLastError();
  return verdict(is_right);
}

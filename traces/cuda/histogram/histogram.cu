// SPDX-License-Identifier: Apache-2.0
// How often each of 256 values occurs: with atomic additions in device memory, and with a histogram of each block in
// shared memory that is added to the whole at the end. Shared atomics need compute capability 1.2.
#include "program.h"

#include <vector>

enum { BINS = 256, BLOCK = 256 };

__global__ void count_in_device_memory(const unsigned char* values, int count, unsigned int* bins) {
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK) atomicAdd(&bins[values[i]], 1U);
}

__global__ void count_in_shared_memory(const unsigned char* values, int count, unsigned int* bins) {
  __shared__ unsigned int bins_of_block[BINS];
  bins_of_block[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK) {
    atomicAdd(&bins_of_block[values[i]], 1U);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], bins_of_block[threadIdx.x]);
}

typedef void (*Kernel)(const unsigned char* values, int count, unsigned int* bins);

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size blocks");
  const int count = option(argc, argv, "size", 60000);
  const int blocks = option(argc, argv, "blocks", 30);
  const size_t bytes_of_bins = BINS * sizeof(unsigned int);
  std::vector<unsigned char> values(count);
  std::vector<unsigned int> expected(BINS), bins(BINS);
  RandomNumbers random(5);
  // Two dice rather than one: some values are frequent, so that atomic additions meet.
  for (int i = 0; i < count; ++i) ++expected[values[i] = (unsigned char)(random.below(128) + random.below(128))];

  unsigned char* device_values;
  unsigned int* device_bins;
  CHECK(cudaMalloc((void**)&device_values, count));
  CHECK(cudaMalloc((void**)&device_bins, bytes_of_bins));
  CHECK(cudaMemcpy(device_values, &values[0], count, cudaMemcpyHostToDevice));

  const char* names[] = {"device memory", "shared memory"};
  const Kernel kernels[] = {count_in_device_memory, count_in_shared_memory};
  int wrong = 0;
  for (int way = 0; way < 2; ++way) {
    CHECK(cudaMemset(device_bins, 0, bytes_of_bins));
    DeviceTimer timer;
    timer.start();
    kernels[way]<<<blocks, BLOCK>>>(device_values, count, device_bins);
    CHECK_LAUNCH();
    const float milliseconds = timer.stop_in_milliseconds();
    CHECK(cudaMemcpy(&bins[0], device_bins, bytes_of_bins, cudaMemcpyDeviceToHost));
    int wrong_here = 0;
    for (int bin = 0; bin < BINS; ++bin) wrong_here += bins[bin] != expected[bin];
    printf("%s: %d values in %.4f ms, %.1f million per second, %d bins wrong\n", names[way], count, milliseconds,
           1e-3 * count / milliseconds, wrong_here);
    wrong += wrong_here;
  }
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(device_bins));
  return verdict(wrong == 0);
}

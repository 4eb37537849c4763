// SPDX-License-Identifier: Apache-2.0
// The sum of many numbers in seven steps, each a little better than the one before, after the ladder of Harris (2007),
// "Optimizing parallel reduction in CUDA". Blocks sum in shared memory; the host adds the sums of the blocks.
#include "program.h"

#include <vector>

enum { BLOCK = 128 };

// Steps 1 to 5 ask how large a block is when they run, as if any size might come; 6 and 7 are compiled for one.

// 1: the working threads are every second, then every fourth, ...: all warps diverge, and % is dear on these chips.
__global__ void interleaved_remainder(const int* in, int* out, int count) {
  __shared__ int sums[BLOCK];
  const unsigned int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  sums[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned int distance = 1; distance < blockDim.x; distance *= 2) {
    if (thread % (2 * distance) == 0) sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// 2: the first threads work, so that whole warps are idle; the distance between their words makes bank conflicts.
__global__ void interleaved_index(const int* in, int* out, int count) {
  __shared__ int sums[BLOCK];
  const unsigned int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  sums[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned int distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned int index = 2 * distance * thread;
    if (index < blockDim.x) sums[index] += sums[index + distance];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// 3: neighbours take neighbours: no bank conflicts.
__global__ void sequential(const int* in, int* out, int count) {
  __shared__ int sums[BLOCK];
  const unsigned int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  sums[thread] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance) sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// 4: half of the threads did nothing but load. Now each adds two numbers on the way in.
__global__ void first_add_on_load(const int* in, int* out, int count) {
  __shared__ int sums[BLOCK];
  const unsigned int thread = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + thread;
  sums[thread] = (i < count ? in[i] : 0) + (i + blockDim.x < count ? in[i + blockDim.x] : 0);
  __syncthreads();
  for (unsigned int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (thread < distance) sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// The threads of a warp of these chips move together, so its last six steps need no barrier. `volatile` keeps every
// sum in shared memory, where the other threads look for it.
__device__ void sum_of_last_warp(volatile int* sums, int thread) {
  sums[thread] += sums[thread + 32];
  sums[thread] += sums[thread + 16];
  sums[thread] += sums[thread + 8];
  sums[thread] += sums[thread + 4];
  sums[thread] += sums[thread + 2];
  sums[thread] += sums[thread + 1];
}

// 5: the loop ends at the last warp. Its threads read up to 32 words behind theirs, hence the longer array.
__global__ void last_warp_unrolled(const int* in, int* out, int count) {
  __shared__ int sums[BLOCK + 32];
  const unsigned int thread = threadIdx.x;
  const int i = blockIdx.x * 2 * blockDim.x + thread;
  sums[thread] = (i < count ? in[i] : 0) + (i + blockDim.x < count ? in[i + blockDim.x] : 0);
  __syncthreads();
  for (unsigned int distance = blockDim.x / 2; distance > 32; distance /= 2) {
    if (thread < distance) sums[thread] += sums[thread + distance];
    __syncthreads();
  }
  if (thread < 32) sum_of_last_warp(sums, thread);
  if (thread == 0) out[blockIdx.x] = sums[0];
}

template <int block>
__device__ void sum_of_block(int* sums, int thread) {
  if (block >= 512) {
    if (thread < 256) sums[thread] += sums[thread + 256];
    __syncthreads();
  }
  if (block >= 256) {
    if (thread < 128) sums[thread] += sums[thread + 128];
    __syncthreads();
  }
  if (block >= 128) {
    if (thread < 64) sums[thread] += sums[thread + 64];
    __syncthreads();
  }
  if (thread < 32) sum_of_last_warp(sums, thread);
}

// 6: the size of the block is known to the compiler, so that nothing of the loop is left.
template <int block>
__global__ void all_unrolled(const int* in, int* out, int count) {
  __shared__ int sums[block + 32];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * 2 * block + thread;
  sums[thread] = (i < count ? in[i] : 0) + (i + block < count ? in[i + block] : 0);
  __syncthreads();
  sum_of_block<block>(sums, thread);
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// 7: few blocks walk over all numbers: most additions happen in a register.
template <int block>
__global__ void many_per_thread(const int* in, int* out, int count) {
  __shared__ int sums[block + 32];
  const int thread = threadIdx.x;
  const int stride = gridDim.x * 2 * block;
  int sum = 0;
  for (int i = blockIdx.x * 2 * block + thread; i < count; i += stride) {
    sum += in[i];
    if (i + block < count) sum += in[i + block];
  }
  sums[thread] = sum;
  __syncthreads();
  sum_of_block<block>(sums, thread);
  if (thread == 0) out[blockIdx.x] = sums[0];
}

typedef void (*Kernel)(const int* in, int* out, int count);

struct Step {
  const char* name;
  Kernel kernel;
  int numbers_per_thread;  // 0: as many as it takes for few blocks
};

static const Step steps[] = {
    {"interleaved, remainder", interleaved_remainder, 1},
    {"interleaved, index", interleaved_index, 1},
    {"sequential", sequential, 1},
    {"first add on load", first_add_on_load, 2},
    {"last warp unrolled", last_warp_unrolled, 2},
    {"all unrolled", all_unrolled<BLOCK>, 2},
    {"many per thread", many_per_thread<BLOCK>, 0},
};

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size");
  const int count = option(argc, argv, "size", 1 << 15);
  std::vector<int> numbers(count);
  RandomNumbers random(3);
  int expected = 0;
  for (int i = 0; i < count; ++i) expected += numbers[i] = random.below(1000);

  const int most_blocks = divide_up(count, BLOCK);
  int *device_in, *device_out;
  CHECK(cudaMalloc((void**)&device_in, count * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_out, most_blocks * sizeof(int)));
  CHECK(cudaMemcpy(device_in, &numbers[0], count * sizeof(int), cudaMemcpyHostToDevice));

  bool is_right = true;
  float first_time = 0;
  for (int i = 0; i < (int)(sizeof(steps) / sizeof(steps[0])); ++i) {
    const Step& step = steps[i];
    int blocks = divide_up(count, BLOCK * (step.numbers_per_thread == 0 ? 4 : step.numbers_per_thread));
    if (step.numbers_per_thread == 0 && blocks > 120) blocks = 120;
    DeviceTimer timer;
    timer.start();
    step.kernel<<<blocks, BLOCK>>>(device_in, device_out, count);
    CHECK_LAUNCH();
    const float milliseconds = timer.stop_in_milliseconds();
    if (i == 0) first_time = milliseconds;

    std::vector<int> sums(blocks);
    CHECK(cudaMemcpy(&sums[0], device_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int block = 0; block < blocks; ++block) sum += sums[block];
    printf("%d %-22s %.4f ms  %6.2f GB/s  %5.2f times the first  %s\n", i + 1, step.name, milliseconds,
           1e-6 * count * sizeof(int) / milliseconds, first_time / milliseconds, sum == expected ? "right" : "WRONG");
    is_right = is_right && sum == expected;
  }
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return verdict(is_right);
}

// SPDX-License-Identifier: Apache-2.0
// Every atomic function on both memories, 64-bit ones, votes, fences: the last block to arrive sums what all have written.
#include "program.h"

enum { BLOCKS = 12, BLOCK = 96, THREADS = BLOCKS * BLOCK };

__global__ void update(int* words, unsigned int* unsigned_words, unsigned long long* wide, float* exchanged) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  atomicAdd(&words[0], i);
  atomicSub(&words[1], i);
  atomicMax(&words[2], i);
  atomicMin(&words[3], -i);
  atomicAnd(&words[4], ~(1 << (i % 20)));
  atomicOr(&words[5], 1 << (i % 20));
  atomicXor(&words[6], i);
  atomicInc(&unsigned_words[0], 9U);
  atomicDec(&unsigned_words[1], 9U);
  atomicMax(&unsigned_words[2], 0x80000000U + i);
  atomicAdd(&wide[0], 0x100000001ULL);
  exchanged[i] = atomicExch(&exchanged[THREADS], (float)(i + 1));
  // A lock-free product modulo 2^32.
  int old = words[7], seen;
  do {
    seen = old;
    old = atomicCAS(&words[7], seen, seen * 3);
  } while (old != seen);

  __shared__ int sum_of_block;
  __shared__ int all_even;
  if (threadIdx.x == 0) {
    sum_of_block = 0;
    all_even = 1;
  }
  __syncthreads();
  atomicAdd(&sum_of_block, 1);
  if (!__all(threadIdx.x < 1000) || __any(threadIdx.x > 1000)) all_even = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&words[8], sum_of_block * all_even);
}

__device__ unsigned int arrived = 0;

__global__ void sum_by_last_block(const int* in, volatile int* sums, int* total) {
  __shared__ int part[BLOCK];
  __shared__ bool is_last;
  part[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < BLOCK; ++i) sum += part[i];
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < BLOCKS; ++i) sum += sums[i];
  *total = sum;
}

static bool updates_are_right() {
  int words[9] = {0, 0, -5, 5, -1, 0, 0, 1, 0};
  unsigned int unsigned_words[3] = {0, 0, 0};
  unsigned long long wide[1] = {0};
  int* device_words;
  unsigned int* device_unsigned;
  unsigned long long* device_wide;
  float *device_exchanged, exchanged[THREADS + 1];
  CHECK(cudaMalloc((void**)&device_words, sizeof(words)));
  CHECK(cudaMalloc((void**)&device_unsigned, sizeof(unsigned_words)));
  CHECK(cudaMalloc((void**)&device_wide, sizeof(wide)));
  CHECK(cudaMalloc((void**)&device_exchanged, sizeof(exchanged)));
  CHECK(cudaMemcpy(device_words, words, sizeof(words), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_unsigned, unsigned_words, sizeof(unsigned_words), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_wide, wide, sizeof(wide), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_exchanged, 0, sizeof(exchanged)));
  update<<<BLOCKS, BLOCK>>>(device_words, device_unsigned, device_wide, device_exchanged);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(words, device_words, sizeof(words), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(unsigned_words, device_unsigned, sizeof(unsigned_words), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(wide, device_wide, sizeof(wide), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(exchanged, device_exchanged, sizeof(exchanged), cudaMemcpyDeviceToHost));
  int sum = 0, all_bits = 0, product = 1, exclusive = 0;
  unsigned int down = 0;
  double exchanged_sum = 0;
  for (int i = 0; i < THREADS; ++i) {
    sum += i;
    all_bits |= 1 << (i % 20);
    exclusive ^= i;
    product = (int)(3U * (unsigned int)product);
    down = down == 0 ? 9 : down - 1;
    exchanged_sum += exchanged[i];
  }
  // Everybody got what somebody else had put there; the last one's number stayed.
  exchanged_sum += exchanged[THREADS];
  const bool words_right = words[0] == sum && words[1] == -sum && words[2] == THREADS - 1 && words[3] == -(THREADS - 1) &&
                           words[4] == ~all_bits && words[5] == all_bits && words[6] == exclusive && words[7] == product &&
                           words[8] == THREADS;
  const bool others_right = unsigned_words[0] == THREADS % 10 && unsigned_words[1] == down && unsigned_words[2] == 0x80000000U + THREADS - 1 &&
                            wide[0] == THREADS * 0x100000001ULL && exchanged_sum == sum + THREADS;
  return words_right && others_right;
}

static bool last_block_is_right() {
  int in[THREADS], total = 0;
  for (int i = 0; i < THREADS; ++i) in[i] = i;
  int *device_in, *device_sums, *device_total;
  CHECK(cudaMalloc((void**)&device_in, sizeof(in)));
  CHECK(cudaMalloc((void**)&device_sums, BLOCKS * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_total, sizeof(int)));
  CHECK(cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice));
  sum_by_last_block<<<BLOCKS, BLOCK>>>(device_in, device_sums, device_total);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(&total, device_total, sizeof(int), cudaMemcpyDeviceToHost));
  return total == THREADS * (THREADS - 1) / 2;
}

int main() {
  const bool updates = updates_are_right();
  const bool last = last_block_is_right();
  printf("updates %d, last block %d\n", updates, last);
  return verdict(updates && last);
}

// SPDX-License-Identifier: Apache-2.0
// Locks that threads of one warp compete for: who holds one goes on while the others ask.
#include "program.h"

enum { BLOCKS = 2, BLOCK = 64, THREADS = BLOCKS * BLOCK };

__device__ int lock_word;
__device__ int locks[8];

__global__ void until_done(volatile int* count) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock_word, 0, 1) == 0) {
      count[0] = count[0] * 2 % 1000003 + 1;
      if (threadIdx.x & 1) count[1] += 1;
      __threadfence();
      atomicExch(&lock_word, 0);
      done = true;
    }
  }
}

struct Lock {
  int* word;
  __device__ void take() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
  }
  __device__ void give_back() { atomicExch(word, 0); }
};

__global__ void before_a_barrier(Lock lock, volatile int* count) {
  if (threadIdx.x % 3 == 0) {
    lock.take();
    count[0] += threadIdx.x;
    lock.give_back();
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd((int*)count + 1, 1);
}

__global__ void in_shared_memory(int* sums) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  bool waits = true;
  do {
    if (atomicExch(&lock, 1) == 0) {
      *(volatile int*)&sum += threadIdx.x;
      atomicExch(&lock, 0);
      waits = false;
    }
  } while (waits);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void two_at_once(volatile int* counts) {
  const int first = threadIdx.x & 3, second = 4 + (threadIdx.x & 1);
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[first], 0, 1) != 0) continue;
    if (atomicCAS(&locks[second], 0, 1) == 0) {
      counts[first] += 1;
      counts[second] += 1;
      __threadfence();
      atomicExch(&locks[second], 0);
      done = true;
    }
    atomicExch(&locks[first], 0);
  }
}

int main() {
  int *counts, *word, host[8];
  CHECK(cudaMalloc((void**)&counts, sizeof(host)));
  CHECK(cudaMalloc((void**)&word, sizeof(int)));
  CHECK(cudaMemset(word, 0, sizeof(int)));
  int wrong = 0;

  CHECK(cudaMemset(counts, 0, sizeof(host)));
  until_done<<<BLOCKS, BLOCK>>>(counts);
  CHECK(cudaMemcpy(host, counts, sizeof(host), cudaMemcpyDeviceToHost));
  int expected = 0;
  for (int i = 0; i < THREADS; ++i) expected = expected * 2 % 1000003 + 1;
  wrong += host[0] != expected || host[1] != THREADS / 2;

  CHECK(cudaMemset(counts, 0, sizeof(host)));
  const Lock lock = {word};
  before_a_barrier<<<BLOCKS, BLOCK>>>(lock, counts);
  CHECK(cudaMemcpy(host, counts, sizeof(host), cudaMemcpyDeviceToHost));
  int sum = 0;
  for (int i = 0; i < BLOCK; i += 3) sum += i;
  wrong += host[0] != BLOCKS * sum || host[1] != BLOCKS;

  in_shared_memory<<<BLOCKS, BLOCK>>>(counts);
  CHECK(cudaMemcpy(host, counts, sizeof(host), cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS; ++i) wrong += host[i] != BLOCK * (BLOCK - 1) / 2;

  CHECK(cudaMemset(counts, 0, sizeof(host)));
  two_at_once<<<BLOCKS, BLOCK>>>(counts);
  CHECK(cudaMemcpy(host, counts, sizeof(host), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; ++i) wrong += host[i] != THREADS / (i < 4 ? 4 : 2);
  return verdict(wrong == 0);
}

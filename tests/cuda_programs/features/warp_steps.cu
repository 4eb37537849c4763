// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp hand each other values without barriers and without `volatile`, as programs of 2007 do.
#include <string.h>

#include "program.h"

enum { THREADS = 64 };

__global__ void sum(const int* from, int* to) {
  __shared__ int sums[THREADS];
  const int i = threadIdx.x;
  sums[i] = from[i];
  __syncthreads();
  if (i < 32) {
    sums[i] += sums[i + 32];
    sums[i] += sums[i + 16];
    sums[i] += sums[i + 8];
    sums[i] += sums[i + 4];
    sums[i] += sums[i + 2];
    sums[i] += sums[i + 1];
  }
  if (i == 0) *to = sums[0];
}
__global__ void scan(int* words) {
  __shared__ int sums[THREADS + 32];
  int* const own = sums + (threadIdx.x >> 5) * 48 + 16 + (threadIdx.x & 31);
  own[-16] = 0;
  own[0] = words[threadIdx.x];
  own[0] = own[0] + own[-1];
  own[0] = own[0] + own[-2];
  own[0] = own[0] + own[-4];
  own[0] = own[0] + own[-8];
  own[0] = own[0] + own[-16];
  words[threadIdx.x] = own[0];
}

/// Four lanes share a word and take turns, as histograms did before atomic operations.
__global__ void take_turns(const unsigned char* bins, int* counts) {
  __shared__ int words[4][8];
  words[threadIdx.x >> 3][threadIdx.x & 7] = 0;
  for (int round = 0; round < 20; ++round) {
    const int bin = bins[round * 32 + threadIdx.x];
#pragma unroll
    for (int turn = 0; turn < 4; ++turn) {
      if ((threadIdx.x & 3) == turn) ++words[bin][threadIdx.x >> 2];
    }
  }
  counts[threadIdx.x] = words[threadIdx.x >> 3][threadIdx.x & 7];
}
static bool turns_are_taken() {
  enum { COUNT = 640 };
  unsigned char bins[COUNT], *device_bins;
  int expected[32] = {0}, counts[32], *device_counts;
  for (int i = 0; i < COUNT; ++i) {
    bins[i] = (i * i * 7 + i / 3) & 3;
    ++expected[bins[i] * 8 + i % 32 / 4];
  }
  CHECK(cudaMalloc((void**)&device_bins, COUNT));
  CHECK(cudaMalloc((void**)&device_counts, sizeof(counts)));
  CHECK(cudaMemcpy(device_bins, bins, COUNT, cudaMemcpyHostToDevice));
  take_turns<<<1, 32>>>(device_bins, device_counts);
  CHECK(cudaMemcpy(counts, device_counts, sizeof(counts), cudaMemcpyDeviceToHost));
  return memcmp(counts, expected, sizeof(counts)) == 0;
}

int main() {
  int words[THREADS], total = 0, got = 0, *device, *device_sum;
  for (int i = 0; i < THREADS; ++i) total += words[i] = i * i % 37;
  CHECK(cudaMalloc((void**)&device, sizeof(words)));
  CHECK(cudaMalloc((void**)&device_sum, sizeof(got)));
  CHECK(cudaMemcpy(device, words, sizeof(words), cudaMemcpyHostToDevice));
  sum<<<1, THREADS>>>(device, device_sum);
  CHECK(cudaMemcpy(&got, device_sum, sizeof(got), cudaMemcpyDeviceToHost));
  bool is_right = got == total;
  scan<<<1, THREADS>>>(device);
  int scanned[THREADS];
  CHECK(cudaMemcpy(scanned, device, sizeof(scanned), cudaMemcpyDeviceToHost));
  for (int i = 0, before = 0; i < THREADS; ++i) {
    before = (i == 32 ? 0 : before) + words[i];
    is_right = is_right && scanned[i] == before;
  }
  return verdict(is_right && turns_are_taken());
}

// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp hand each other values without barriers and without `volatile`, as programs of 2007 do.
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
  return verdict(is_right);
}

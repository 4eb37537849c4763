// SPDX-License-Identifier: Apache-2.0
// Launches of many blocks, again and again; the host computes the same.
#include <stdio.h>
#include <stdlib.h>

__global__ void turn(unsigned* to, unsigned turns) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = to[at];
  for (unsigned i = 0; i < turns; ++i) sum = 3 * sum + at;
  to[at] = sum;
}

int main(int count, char** words) {
  const unsigned launches = count > 1 ? atoi(words[1]) : 1, blocks = 4001, threads = 128, turns = 24;
  const unsigned all = blocks * threads;
  unsigned* buffer;
  unsigned* host = (unsigned*)calloc(all, sizeof(unsigned));
  cudaMalloc((void**)&buffer, all * sizeof(unsigned));
  cudaMemcpy(buffer, host, all * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (unsigned i = 0; i < launches; ++i) turn<<<blocks, threads>>>(buffer, turns);
  cudaMemcpy(host, buffer, all * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (unsigned at = 0; at < all; ++at) {
    unsigned sum = 0;
    for (unsigned i = 0; i < launches * turns; ++i) sum = 3 * sum + at;
    if (sum != host[at]) return printf("%u is %u, not %u\n", at, host[at], sum), 1;
  }
  printf("ok\n");
  return 0;
}

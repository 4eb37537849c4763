// SPDX-License-Identifier: Apache-2.0
// Signed integers that leave their range wrap around on the chips, which generators of random numbers count on.
#include "program.h"

__device__ int lehmer(int state) {
  state = state * 16807;
  if (state < 0) state += 2147483647;
  return state;
}

__device__ long long positive(int i) {
  long long state = i;
  state = state * 6364136223846793005LL + 1442695040888963407LL;
  if (state < 0) state = -state;
  return state;
}

__global__ void generate(int* words, long long* wide, int* order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int state = i + 123457;
  for (int turn = 0; turn < 20; ++turn) state = lehmer(state);
  words[i] = state;
  wide[i] = positive(i * 7919);
  const int large = 2147483647 - (i & 1);
  order[i] = large + 1 > large;
}

int main() {
  const int count = 512;
  int *words, *order;
  long long* wide;
  cudaMalloc(&words, count * sizeof(int));
  cudaMalloc(&order, count * sizeof(int));
  cudaMalloc(&wide, count * sizeof(long long));
  generate<<<4, 128>>>(words, wide, order);
  int found_words[count], found_order[count];
  long long found_wide[count];
  cudaMemcpy(found_words, words, sizeof found_words, cudaMemcpyDeviceToHost);
  cudaMemcpy(found_order, order, sizeof found_order, cudaMemcpyDeviceToHost);
  cudaMemcpy(found_wide, wide, sizeof found_wide, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    unsigned state = unsigned(i) + 123457U;
    for (int turn = 0; turn < 20; ++turn) {
      state *= 16807U;
      if (int(state) < 0) state += 2147483647U;
    }
    unsigned long long wide_state = (unsigned long long)(i * 7919LL) * 6364136223846793005ULL + 1442695040888963407ULL;
    if ((long long)wide_state < 0) wide_state = 0 - wide_state;
    wrong += unsigned(found_words[i]) != state;
    wrong += (unsigned long long)found_wide[i] != wide_state;
    wrong += found_order[i] != (i & 1);
  }
  printf("wrapping: %d wrong\n%s\n", wrong, wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}

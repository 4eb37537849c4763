// SPDX-License-Identifier: Apache-2.0
// Both halves of a program ask the compiler what the level has not. An argument is the number that is expected.
#include "program.h"

#if defined(CUDA_NO_SM_13_DOUBLE_INTRINSICS)
__device__ int high_word(int) {
  return 10;
}
enum { EXPECTED = 10 };
#else
__device__ int high_word(int x) {
  return __double2hiint(__hiloint2double(x, 0));
}
enum { EXPECTED = 13 };
#endif

__global__ void ask(int* to) {
  *to = high_word(13);
}

int main(int count, char** words) {
  int *to, got = 0;
  CHECK(cudaMalloc((void**)&to, sizeof(got)));
  ask<<<1, 1>>>(to);
  CHECK(cudaMemcpy(&got, to, sizeof(got), cudaMemcpyDeviceToHost));
  return verdict(got == EXPECTED && (count < 2 || got == atoi(words[1])));
}

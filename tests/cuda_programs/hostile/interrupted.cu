// SPDX-License-Identifier: Apache-2.0
// A program that does not end by itself, for tests of Ctrl-C: three launches, then, by the word on the command line, a kernel
// without end, launches without end, waiting of the host, or a handler of the program's own.
#include <cuda_runtime.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__global__ void add(int* words) {
  words[threadIdx.x] += 1;
}
__global__ void never_ends(volatile int* flag) {
  while (*flag >= 0) {
  }
}

static void own_handler(int) {
  _exit(3);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "handler") == 0) signal(SIGINT, own_handler);
  int* words = NULL;
  cudaMalloc((void**)&words, 4096);
  cudaMemset(words, 0, 4096);
  for (int i = 0; i < 3; ++i) add<<<1, 64>>>(words);
  printf("ready\n");
  fflush(stdout);
  if (strcmp(what, "kernel") == 0) never_ends<<<4, 64>>>(words);
  while (strcmp(what, "launches") == 0) add<<<1, 64>>>(words);
  while (strcmp(what, "kernel") != 0) pause();
  printf("went on\n");
  return 0;
}

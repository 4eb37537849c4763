// SPDX-License-Identifier: Apache-2.0
// Thousands of launches, copies, allocations, events and streams in one program: `--size` of each.
#include "program.h"

#include <stdio.h>
#include <unistd.h>

__global__ void increase(int* counter) {
  if (threadIdx.x == 0) *counter += 1;
}

static long resident_kilobytes() {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void launch(int* counter, int times) {
  for (int i = 0; i < times; ++i) {
    int* scratch;
    cudaEvent_t event;
    cudaStream_t stream;
    CHECK(cudaMalloc((void**)&scratch, 1000 + i % 7));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaStreamCreate(&stream));
    increase<<<1, 32, 0, stream>>>(counter);
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(scratch));
  }
}

int main(int argc, char** argv) {
  const int times = option(argc, argv, "size", 1000);
  int *counter, total = 0;
  CHECK(cudaMalloc((void**)&counter, sizeof(int)));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  launch(counter, times / 2);
  const long before = resident_kilobytes();
  launch(counter, times - times / 2);
  const long growth = resident_kilobytes() - before;
  CHECK(cudaMemcpy(&total, counter, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d launches, memory of the second half grew by %ld kB\n", total, growth);
  // A row of the table of launches may stay; more may not.
  return verdict(total == times && growth < 1024 + times / 2);
}

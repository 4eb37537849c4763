// SPDX-License-Identifier: Apache-2.0
// Streams with copies and kernels of their own, events that measure simulated time, queries, waiting across streams.
#include "program.h"

enum { STREAMS = 3, COUNT = 4096 };

__global__ void work(float* values, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[i];
  for (int round = 0; round < rounds; ++round) value = value * 1.5f - 0.25f;
  values[i] = value;
}

static float milliseconds_of(float* values, int rounds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  CHECK(cudaEventRecord(start, 0));
  work<<<COUNT / 128, 128>>>(values, rounds);
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return milliseconds;
}

int main() {
  float *pinned, *device;
  const size_t bytes = COUNT * sizeof(float);
  CHECK(cudaMallocHost((void**)&pinned, STREAMS * bytes));
  CHECK(cudaMalloc((void**)&device, STREAMS * bytes));
  for (int i = 0; i < STREAMS * COUNT; ++i) pinned[i] = (float)(i % 100);

  cudaStream_t streams[STREAMS];
  cudaEvent_t done[STREAMS];
  for (int i = 0; i < STREAMS; ++i) {
    CHECK(cudaStreamCreate(&streams[i]));
    CHECK(cudaEventCreate(&done[i]));
    float* const host_part = pinned + i * COUNT;
    float* const device_part = device + i * COUNT;
    if (i > 0) CHECK(cudaStreamWaitEvent(streams[i], done[i - 1], 0));
    CHECK(cudaMemcpyAsync(device_part, host_part, bytes, cudaMemcpyHostToDevice, streams[i]));
    work<<<COUNT / 128, 128, 0, streams[i]>>>(device_part, i + 1);
    CHECK(cudaMemcpyAsync(host_part, device_part, bytes, cudaMemcpyDeviceToHost, streams[i]));
    CHECK(cudaEventRecord(done[i], streams[i]));
  }
  bool is_right = true;
  for (int i = 0; i < STREAMS; ++i) {
    CHECK(cudaStreamSynchronize(streams[i]));
    is_right = is_right && cudaStreamQuery(streams[i]) == cudaSuccess && cudaEventQuery(done[i]) == cudaSuccess;
    CHECK(cudaStreamDestroy(streams[i]));
  }
  for (int i = 0; i < STREAMS * COUNT; ++i) {
    float expected = (float)(i % 100);
    for (int round = 0; round < i / COUNT + 1; ++round) expected = expected * 1.5f - 0.25f;
    is_right = is_right && pinned[i] == expected;
  }
  float across = -1;
  CHECK(cudaEventElapsedTime(&across, done[0], done[STREAMS - 1]));
  const float shorter = milliseconds_of(device, 100);
  const float longer = milliseconds_of(device, 3000);
  printf("across streams %.4f ms, 100 rounds %.4f ms, 3000 rounds %.4f ms\n", across, shorter, longer);
  is_right = is_right && across > 0 && shorter > 0 && longer > 2 * shorter;
  for (int i = 0; i < STREAMS; ++i) CHECK(cudaEventDestroy(done[i]));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
  return verdict(is_right);
}

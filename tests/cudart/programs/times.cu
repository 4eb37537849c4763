// SPDX-License-Identifier: Apache-2.0
// Prints what events say about kernels and copies.
#include <stdio.h>
#include <stdlib.h>

__global__ void square(float* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * values[i];
}

static float elapsed(cudaEvent_t start, cudaEvent_t end) {
  float ms = 0;
  cudaEventSynchronize(end);
  if (cudaEventElapsedTime(&ms, start, end) != cudaSuccess) exit(1);
  return ms;
}

int main(int count, char** words) {
  const int n = count > 1 ? atoi(words[1]) : 4096;
  const int repeats = count > 2 ? atoi(words[2]) : 1;
  const size_t bytes = n * sizeof(float);
  float *pinned, *device, *other;
  cudaMallocHost(&pinned, bytes);
  cudaMalloc(&device, bytes);
  cudaMalloc(&other, bytes);
  for (int i = 0; i < n; ++i) pinned[i] = 1;
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start);
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice);
  cudaEventRecord(end);
  printf("to_device_ms %.9g\n", elapsed(start, end));
  cudaEventRecord(start);
  for (int i = 0; i < repeats; ++i) square<<<(n + 255) / 256, 256>>>(device, n);
  cudaEventRecord(end);
  printf("kernel_ms %.9g\n", elapsed(start, end));
  cudaEventRecord(start);
  cudaMemcpy(other, device, bytes, cudaMemcpyDeviceToDevice);
  cudaEventRecord(end);
  printf("on_device_ms %.9g\n", elapsed(start, end));
  cudaEventRecord(start);
  cudaMemcpy(pinned, device, bytes, cudaMemcpyDeviceToHost);
  cudaEventRecord(end);
  printf("to_host_ms %.9g\n", elapsed(start, end));
  return cudaGetLastError() == cudaSuccess && pinned[n - 1] == 1 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// What must not be done, each by its name: prints the name of the error, and ends as any program does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void store(int* to, int index) {
  to[index + threadIdx.x] = 1;
}
__global__ void store_bytes(char* to) {
  *(int*)(to + 1) = 1;
}
__global__ void forever(int* to) {
  while (*(volatile int*)to == 0) {
  }
}

static cudaError_t act(const char* what) {
  int* buffer;
  int host[256];
  cudaError_t error = cudaMalloc(&buffer, 1024);
  if (error != cudaSuccess) return error;
  if (!strcmp(what, "double-free")) {
    cudaFree(buffer);
    return cudaFree(buffer);
  }
  if (!strcmp(what, "free-inside")) return cudaFree(buffer + 4);
  if (!strcmp(what, "host-pointer")) return cudaMemcpy(host, host, sizeof(host), cudaMemcpyDeviceToHost);
  if (!strcmp(what, "past-the-end")) return cudaMemcpy(buffer, host, 1000000000, cudaMemcpyHostToDevice);
  if (!strcmp(what, "bad-host")) return cudaMemcpy(buffer, (void*)16, 1024, cudaMemcpyHostToDevice);
  if (!strcmp(what, "wrong-kind")) return cudaMemcpy(buffer, host, 4, (cudaMemcpyKind)9);
  if (!strcmp(what, "too-much")) return cudaMalloc(&buffer, (size_t)1 << 40);
  if (!strcmp(what, "empty-grid")) store<<<0, 32>>>(buffer, 0);
  if (!strcmp(what, "large-block")) store<<<1, 1024>>>(buffer, 0);
  if (!strcmp(what, "much-shared")) store<<<1, 32, 20000>>>(buffer, 0);
  if (!strcmp(what, "outside")) store<<<1, 32>>>(buffer, 256 + 128);
  if (!strcmp(what, "misaligned")) store_bytes<<<1, 1>>>((char*)buffer);
  if (!strcmp(what, "kernel-host-pointer")) store<<<1, 32>>>(host, 0);
  if (!strcmp(what, "endless")) forever<<<1, 32>>>(buffer);
  if (!strcmp(what, "bad-stream")) return cudaStreamSynchronize((cudaStream_t)77);
  if (!strcmp(what, "bad-event")) return cudaEventRecord((cudaEvent_t)77);
  if (!strcmp(what, "bad-symbol")) return cudaMemcpyToSymbol("nobody", host, 4);
  if (!strcmp(what, "no-configuration")) return cudaLaunch(store_bytes);
  if (!strcmp(what, "unknown-kernel")) {
    cudaFuncAttributes facts;
    return cudaFuncGetAttributes(&facts, "nobody");
  }
  if (!strcmp(what, "free-no-host-memory")) return cudaFreeHost(host);
  if (!strcmp(what, "unrecorded-event")) {
    cudaEvent_t event;
    float ms;
    cudaEventCreate(&event);
    return cudaEventElapsedTime(&ms, event, event);
  }
  if (!strcmp(what, "size-of-no-symbol")) {
    size_t size;
    return cudaGetSymbolSize(&size, "nobody");
  }
  error = cudaGetLastError();
  return error != cudaSuccess ? error : cudaThreadSynchronize();
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  const cudaError_t error = act(what);
  printf("%s\n", cudaGetErrorName(error));
  // What a kernel broke stays broken until the device is reset.
  const bool sticky = cudaThreadSynchronize() != cudaSuccess;
  cudaThreadExit();
  int* buffer;
  printf("%s, %s\n", sticky ? "sticky" : "not sticky", cudaMalloc(&buffer, 16) == cudaSuccess ? "usable" : "broken");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Error codes as CUDA gives them: kept until asked for, asked for without forgetting, with a text each; the program goes on.
#include "program.h"

__global__ void nothing() {}
__global__ void large_shared(int* out) {
  __shared__ int words[3000];
  words[threadIdx.x] = 1;
  __syncthreads();
  *out = words[blockDim.x - 1];
}

__global__ void __launch_bounds__(64) small_blocks() {}

static bool failed;

#define EXPECT(code, call) expect((code), (call), #call, __LINE__)

static void expect(cudaError_t expected, cudaError_t got, const char* call, int line) {
  if (expected == got) return;
  printf("line %d: %s gives %d (%s), expected %d (%s)\n", line, call, got, cudaGetErrorString(got), expected, cudaGetErrorString(expected));
  failed = true;
}

int main() {
  int* words = NULL;
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc((void**)&words, (size_t)1 << 40));
  EXPECT(cudaErrorMemoryAllocation, cudaPeekAtLastError());
  EXPECT(cudaErrorMemoryAllocation, cudaGetLastError());
  EXPECT(cudaSuccess, cudaGetLastError());
  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(99));
  EXPECT(cudaErrorInvalidDevice, cudaGetLastError());

  EXPECT(cudaSuccess, cudaMalloc((void**)&words, 4096));
  nothing<<<0, 32>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<1, 0>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<1, 513>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<70000, 1>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<dim3(1, 1, 2), 1>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  small_blocks<<<1, 64>>>();
  EXPECT(cudaSuccess, cudaGetLastError());
  small_blocks<<<1, 65>>>();
  EXPECT(cudaErrorInvalidValue, cudaGetLastError());
  cudaFuncAttributes attributes;
  EXPECT(cudaSuccess, cudaFuncGetAttributes(&attributes, (const char*)small_blocks));
  EXPECT((cudaError_t)64, (cudaError_t)attributes.maxThreadsPerBlock);
  large_shared<<<1, 32, 8192>>>(words);
  EXPECT(cudaErrorLaunchOutOfResources, cudaGetLastError());
  EXPECT(cudaErrorMissingConfiguration, cudaLaunch(nothing));
  cudaGetLastError();
  nothing<<<1, 32>>>();
  EXPECT(cudaSuccess, cudaGetLastError());
  EXPECT(cudaSuccess, cudaThreadSynchronize());

  int host[4] = {0};
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(words, host, sizeof(host), (cudaMemcpyKind)77));
  cudaGetLastError();
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(words, 4, host, 4, 8, 2, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(words, 16, host, 4, 8, 1, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(host, 4, words, 16, 8, 1, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemset2D(words, 4, 0, 8, 1));
  EXPECT(cudaSuccess, cudaMemcpy2D(words, 8, host, 8, 8, 2, cudaMemcpyHostToDevice));
  cudaGetLastError();
  EXPECT(cudaSuccess, cudaFree(NULL));
  EXPECT(cudaSuccess, cudaFree(words));
  float milliseconds;
  cudaEvent_t never_recorded;
  EXPECT(cudaSuccess, cudaEventCreate(&never_recorded));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, never_recorded, never_recorded));
  cudaGetLastError();
  EXPECT(cudaErrorInvalidDevicePointer, cudaMemset((void*)16, 0, 4));
  cudaGetLastError();
  for (int code = 0; code < 40; ++code) failed = failed || strlen(cudaGetErrorString((cudaError_t)code)) < 3;
  return verdict(!failed);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Host code in C: CUDA's headers and its functions are C's too. */
#include <cuda_runtime.h>
#include <cuda.h>

#include "parts.h"

int device_facts_in_c(void) {
  struct cudaDeviceProp facts;
  struct cudaExtent extent = make_cudaExtent(4, 2, 1);
  const float4 four = make_float4(1, 2, 3, 4);
  dim3 grid = {2, 1, 1};
  CUdevice device = -1;
  int major = 0, minor = 0;
  if (cudaGetDeviceProperties(&facts, 0) != cudaSuccess) return 0;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 0;
  if (cuDeviceComputeCapability(&major, &minor, device) != CUDA_SUCCESS) return 0;
  return facts.major == major && facts.minor == minor && extent.width * extent.height == 8 && grid.x == 2 && four.w == 4;
}

int copied_in_c(void) {
  int from[16], to[16], i, *device = 0;
  for (i = 0; i < 16; ++i) from[i] = 3 * i;
  if (cudaMalloc((void**)&device, sizeof(from)) != cudaSuccess) return 0;
  if (cudaMemcpy(device, from, sizeof(from), cudaMemcpyHostToDevice) != cudaSuccess) return 0;
  if (cudaMemset(device, 0, 4) != cudaSuccess) return 0;
  if (cudaMemcpy(to, device, sizeof(to), cudaMemcpyDeviceToHost) != cudaSuccess) return 0;
  if (cudaFree(device) != cudaSuccess || cudaFree(device) != cudaErrorInvalidDevicePointer) return 0;
  return plain_sum(to, 16) == 3 * 15 * 16 / 2;
}

// SPDX-License-Identifier: Apache-2.0
// Launches by hand as in CUDA 2.x; attributes of kernels; questions about the device; choosing one.
#include "program.h"

__global__ void fill(char letter, double number, int* out, short last) {
  __shared__ int words[32];
  words[threadIdx.x] = letter + (int)number + last + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[31 - threadIdx.x];
}

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  cudaDeviceProp device, wanted;
  CHECK(cudaGetDeviceProperties(&device, 0));
  memset(&wanted, 0, sizeof(wanted));
  wanted.major = 1;
  wanted.minor = 1;
  int chosen = -1, current = -1, driver = 0, runtime = 0;
  CHECK(cudaChooseDevice(&chosen, &wanted));
  CHECK(cudaSetDevice(chosen));
  CHECK(cudaGetDevice(&current));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  bool is_right = count == 1 && chosen == 0 && current == 0 && runtime == CUDART_VERSION && driver >= runtime;
  is_right = is_right && device.major == 1 && device.warpSize == 32 && device.sharedMemPerBlock == 16384 && device.maxThreadsPerBlock == 512 &&
             device.maxThreadsDim[0] == 512 && device.maxThreadsDim[2] == 64 && device.maxGridSize[0] == 65535 && device.maxGridSize[2] == 1 &&
             device.totalConstMem == 65536 && device.multiProcessorCount > 0 && device.clockRate > 100000 && device.totalGlobalMem > 1 << 20;
  printf("%s: %d SMs, %d kHz\n", device.name, device.multiProcessorCount, device.clockRate);

  int *device_out, out[32];
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  const char letter = 'x';
  const double number = 1000;
  const short last = -5;
  CHECK(cudaConfigureCall(dim3(1), dim3(32), 0, 0));
  CHECK(cudaSetupArgument(&letter, sizeof(letter), 0));
  CHECK(cudaSetupArgument(number, 8));
  CHECK(cudaSetupArgument(device_out, 16));
  CHECK(cudaSetupArgument(last, 24));
  CHECK(cudaLaunch(fill));
  CHECK(cudaThreadSynchronize());
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) is_right = is_right && out[i] == 'x' + 1000 - 5 + 31 - i;

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, fill));
  CHECK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferShared));
  is_right = is_right && attributes.numRegs > 0 && attributes.numRegs < 32 && attributes.sharedSizeBytes >= 128 && attributes.maxThreadsPerBlock == 512;
  CHECK(cudaThreadExit());
  return verdict(is_right);
}

// SPDX-License-Identifier: Apache-2.0
// A program in the manner of the samples of CUDA 4.x and 5.x: helper headers, C++ of the standard library around the kernels.
#include <helper_cuda.h>
#include <helper_functions.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

class Polynomial {
 public:
  __host__ __device__ explicit Polynomial(float a = 0, float b = 0, float c = 0) : a_(a), b_(b), c_(c) {}
  __host__ __device__ float operator()(float x) const { return (a_ * x + b_) * x + c_; }

 private:
  float a_, b_, c_;
};

__global__ void evaluate(const Polynomial polynomial, const float* in, float* out, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) out[i] = polynomial(in[i]);
}

int main(int argc, char** argv) {
  findCudaDevice(argc, (const char**)argv);
  size_t count = 1000;
  if (checkCmdLineFlag(argc, (const char**)argv, "n")) count = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  std::vector<float> in(count), out(count);
  for (size_t i = 0; i < count; ++i) in[i] = (float)i / 16;
  const Polynomial polynomial(2, -3, 0.5f);
  float *device_in, *device_out;
  checkCudaErrors(cudaMalloc(&device_in, count * sizeof(float)));
  checkCudaErrors(cudaMalloc(&device_out, count * sizeof(float)));
  checkCudaErrors(cudaMemcpy(device_in, in.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  StopWatchInterface* timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  evaluate<<<4, 128>>>(polynomial, device_in, device_out, count);
  getLastCudaError("evaluate");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  std::cout << "time " << sdkGetTimerValue(&timer) << " ms" << std::endl;
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaMemcpy(out.data(), device_out, count * sizeof(float), cudaMemcpyDeviceToHost));
  float largest = 0;
  for (size_t i = 0; i < count; ++i) largest = std::max(largest, std::fabs(out[i] - polynomial(in[i])) / (1 + std::fabs(out[i])));
  checkCudaErrors(cudaFree(device_in));
  checkCudaErrors(cudaFree(device_out));
  checkCudaErrors(cudaDeviceReset());
  std::cout << (largest < 1e-6f ? "PASSED" : "FAILED") << std::endl;
  return largest < 1e-6f ? EXIT_SUCCESS : EXIT_FAILURE;
}

// SPDX-License-Identifier: Apache-2.0
// c = a + b: one thread per element. The first program: memory on the device, copies, a launch, a check.
#include "program.h"

#include <vector>

__global__ void vector_add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // The last block may reach behind the end.
  if (i < count) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size block");
  const int count = option(argc, argv, "size", 100000);
  const int block = option(argc, argv, "block", 256);
  const size_t bytes = count * sizeof(float);

  RandomNumbers random(1);
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) {
    a[i] = random.between(-1, 1);
    b[i] = random.between(-1, 1);
  }

  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc((void**)&device_a, bytes));
  CHECK(cudaMalloc((void**)&device_b, bytes));
  CHECK(cudaMalloc((void**)&device_c, bytes));
  CHECK(cudaMemcpy(device_a, &a[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, &b[0], bytes, cudaMemcpyHostToDevice));

  DeviceTimer timer;
  timer.start();
  vector_add<<<divide_up(count, block), block>>>(device_a, device_b, device_c, count);
  CHECK_LAUNCH();
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&c[0], device_c, bytes, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += c[i] != a[i] + b[i];
  printf("%d elements in %.4f ms, %.1f GB/s\n", count, milliseconds, 3e-6 * bytes / milliseconds);
  printf("%d wrong\n", wrong);
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  return verdict(wrong == 0);
}

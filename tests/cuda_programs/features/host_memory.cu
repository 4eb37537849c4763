// SPDX-License-Identifier: Apache-2.0
// Memory of the host that kernels read and write (mapped), pinned memory of all kinds, copies from host to host.
#include "program.h"

enum { COUNT = 1000 };

__global__ void twice(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) out[i] = 2 * in[i];
}

int main() {
  CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
  int *in, *out, *device_in, *device_out, *combined;
  const size_t bytes = COUNT * sizeof(int);
  CHECK(cudaHostAlloc((void**)&in, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc((void**)&out, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaHostAlloc((void**)&combined, bytes, cudaHostAllocWriteCombined));
  CHECK(cudaHostGetDevicePointer((void**)&device_in, in, 0));
  CHECK(cudaHostGetDevicePointer((void**)&device_out, out, 0));
  for (int i = 0; i < COUNT; ++i) {
    in[i] = i;
    out[i] = -1;
  }
  twice<<<8, 128>>>(device_in, device_out);
  CHECK_LAUNCH();
  bool is_right = true;
  for (int i = 0; i < COUNT; ++i) is_right = is_right && out[i] == 2 * i;
  // What the host writes between launches is seen by the next.
  for (int i = 0; i < COUNT; ++i) in[i] = 5 * i;
  twice<<<8, 128>>>(device_in, device_out);
  CHECK_LAUNCH();
  for (int i = 0; i < COUNT; ++i) is_right = is_right && out[i] == 10 * i;

  CHECK(cudaMemcpy(combined, out, bytes, cudaMemcpyHostToHost));
  is_right = is_right && memcmp(combined, out, bytes) == 0;
  unsigned int flags = 0;
  CHECK(cudaHostGetFlags(&flags, combined));
  is_right = is_right && (flags & cudaHostAllocWriteCombined) != 0;
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFreeHost(combined));
  return verdict(is_right);
}

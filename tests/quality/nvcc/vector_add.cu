// SPDX-License-Identifier: Apache-2.0
// c[i] = a[i] + b[i], one thread per element.
__global__ void vector_add(const float* a, const float* b, float* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

// SPDX-License-Identifier: Apache-2.0
// The module that main.c loads.
struct Range {
  float low, high;
  int count;
};

__constant__ float factor = 2;
__device__ int calls;

extern "C" __global__ void scale(float* to, const float* from, Range range, double offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) calls += 1;
  if (i >= range.count) return;
  const float scaled = factor * from[i] + (float)offset;
  to[i] = scaled < range.low ? range.low : scaled > range.high ? range.high : scaled;
}

extern "C" __global__ void reversed(int* words) {
  extern __shared__ int block[];
  block[threadIdx.x] = words[threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = block[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void stores_at(int* to, int index) {
  to[index] = 1;
}

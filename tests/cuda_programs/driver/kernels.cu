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

texture<float, 1> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> plate;
texture<int, 3> cube;

extern "C" __global__ void reads_line(float* to, int offset) {
  to[threadIdx.x] = tex1Dfetch(line, offset + (int)threadIdx.x);
}

extern "C" __global__ void reads_plate(float* to, float step) {
  to[threadIdx.y * blockDim.x + threadIdx.x] = tex2D(plate, step * (threadIdx.x + 0.5f), step * (threadIdx.y + 0.5f));
}

extern "C" __global__ void reads_cube(int* to) {
  to[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = tex3D(cube, threadIdx.x, threadIdx.y, threadIdx.z);
}

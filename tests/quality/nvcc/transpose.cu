// SPDX-License-Identifier: Apache-2.0
// Elements through shared memory to the same place, `repeats` times; the field may have any extents.
__global__ void transpose(float* out, const float* in, int width, int repeats, unsigned unused, int height) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  int i = width * y + x;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    if (x < height && y < width) out[i] = tile[threadIdx.y][threadIdx.x];
  }
}

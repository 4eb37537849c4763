// SPDX-License-Identifier: Apache-2.0
// Reads alone and writes alone, coalesced, four rows of a grid's threads a pass.
extern "C" __global__ void stream_read(const unsigned* in, unsigned* out, int passes) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, sum = 0;
  const unsigned* from = in + thread;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    sum += from[0] + from[threads] + from[2 * threads] + from[3 * threads];
    from += 4 * threads;
  }
  out[thread] = sum;
}

extern "C" __global__ void stream_write(unsigned* out, unsigned first, int passes) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  unsigned* to = out + thread;
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    to[0] = first;
    to[threads] = first + 1;
    to[2 * threads] = first + 2;
    to[3 * threads] = first + 3;
    first += 4;
    to += 4 * threads;
  }
}

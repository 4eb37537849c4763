// SPDX-License-Identifier: Apache-2.0
// One sum per block. In step s every thread whose index is a multiple of 2s adds its neighbour at distance s. The remainder is
// made in floating point, as the trace does it: the chip has no division of integers.
__global__ void reduce1(const float* in, float* out) {
  __shared__ float data[256];
  unsigned thread = threadIdx.x, threads = blockDim.x;
  data[thread] = in[blockIdx.x * threads + thread];
  __syncthreads();
  for (unsigned s = 1; s < threads; s *= 2) {
    unsigned quotient = static_cast<unsigned>((static_cast<float>(thread) + 0.5f) * __fdividef(1.0f, static_cast<float>(2 * s)));
    if (thread == __umul24(quotient, 2 * s)) data[thread] += data[thread + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

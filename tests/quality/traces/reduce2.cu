// SPDX-License-Identifier: Apache-2.0
// One sum per block. The working threads are the first ones, with ever more conflicts of banks.
__global__ void reduce2(const float* in, float* out) {
  __shared__ float data[256];
  unsigned thread = threadIdx.x, threads = blockDim.x;
  data[thread] = in[blockIdx.x * threads + thread];
  __syncthreads();
  for (unsigned s = 1; s < threads; s *= 2) {
    unsigned index = __umul24(2 * s, thread);
    if (index < threads) data[index] += data[index + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

// SPDX-License-Identifier: Apache-2.0
// One sum per block. The working threads are the first ones and use consecutive words.
__global__ void reduce3(const float* in, float* out) {
  __shared__ float data[256];
  unsigned thread = threadIdx.x, threads = blockDim.x;
  data[thread] = in[blockIdx.x * threads + thread];
  __syncthreads();
  unsigned s = threads / 2;
  do {
    if (thread < s) data[thread] += data[thread + s];
    __syncthreads();
    s /= 2;
  } while (s != 0);
  if (thread == 0) out[blockIdx.x] = data[0];
}

// SPDX-License-Identifier: Apache-2.0
// How often the values 0 to 31 occur in a block's piece of the data, with bins for each thread.
__global__ void histogram(const unsigned* in, unsigned* out, unsigned per_thread) {
  __shared__ unsigned bins[32][64];
  unsigned thread = threadIdx.x;
  for (int i = 0; i < 32; ++i) bins[i][thread] = 0;
  const unsigned* from = in + __umul24(per_thread, blockIdx.x) * 64 + thread;
  unsigned left = per_thread;
  do {
    ++bins[*from % 32][thread];
    from += 64;
  } while (--left != 0);
  __syncthreads();
  if (thread >= 32) return;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < 64; ++i) sum += bins[thread][(thread + i) % 64];
  out[blockIdx.x * 32 + thread] = sum;
}

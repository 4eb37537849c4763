// SPDX-License-Identifier: Apache-2.0
// Sums of all words before a word, four words per thread; `count` is a power of two.
__global__ void scan(uint4* out, const uint4* in, unsigned count) {
  __shared__ unsigned sums[512];
  unsigned size = count / 4, thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  uint4 own = in[i], until = own;
  until.y += until.x;
  until.z += until.y;
  until.w += until.z;
  unsigned place = 2 * thread - (thread & (size - 1));
  sums[place] = 0;
  place += size;
  sums[place] = until.w;
  for (unsigned distance = 1; distance < size; distance *= 2) {
    __syncthreads();
    unsigned sum = sums[place] + sums[place - distance];
    __syncthreads();
    sums[place] = sum;
  }
  unsigned before = sums[place] - until.w;
  out[i] = make_uint4(before + until.x - own.x, before + until.y - own.y, before + until.z - own.z, before + until.w - own.w);
}

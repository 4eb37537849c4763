// SPDX-License-Identifier: Apache-2.0
// One is added to every word: again and again, as in the example of overlapping copies of NVIDIA's software kit; in place, in order
// and with neighbours exchanged, as in NVIDIA's tutorial on access to memory (2007).
extern "C" __global__ void increments_repeated(int* out, const int* in, int n, int passes) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) {
    for (int pass = 0; pass < passes; ++pass) out[index] = in[index] + 1;
  }
}

extern "C" __global__ void increments_in_place(float* data) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  data[index] += 1.0f;
}

extern "C" __global__ void increments_permuted(float* data, unsigned exchange, unsigned shift) {
  unsigned index = blockIdx.x * blockDim.x + (threadIdx.x ^ exchange) + shift;
  data[index] += 1.0f;
}

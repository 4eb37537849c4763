// SPDX-License-Identifier: Apache-2.0
// One is added to every word: again and again, as in the example of overlapping copies of NVIDIA's software kit; in place, in order
// and with neighbours exchanged, as in NVIDIA's tutorial on access to memory (2007); structures of three words, as they are and through
// shared memory, as there.
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

extern "C" __global__ void increments_triples(float3* out, const float3* in) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  float3 a = in[index];
  a.x += 2.0f;
  a.y += 2.0f;
  a.z += 2.0f;
  out[index] = a;
}

extern "C" __global__ void increments_triples_shared(float* out, const float* in) {
  int index = 3 * blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float words[256 * 3];
  words[threadIdx.x] = in[index];
  words[threadIdx.x + 256] = in[index + 256];
  words[threadIdx.x + 512] = in[index + 512];
  __syncthreads();
  float3 a = ((float3*)words)[threadIdx.x];
  a.x += 2.0f;
  a.y += 2.0f;
  a.z += 2.0f;
  ((float3*)words)[threadIdx.x] = a;
  __syncthreads();
  out[index] = words[threadIdx.x];
  out[index + 256] = words[threadIdx.x + 256];
  out[index + 512] = words[threadIdx.x + 512];
}

// SPDX-License-Identifier: Apache-2.0
// The seven steps of Harris 2007, "Optimizing parallel reduction in CUDA", as he shows them: sums of integers by blocks of 128.
// The last warp keeps its sum in a register between stores, as his later code does; without `volatile` a compiler need not store.
#define THREADS 128

__device__ __forceinline__ void add_last_warp(int* data, unsigned thread) {
  volatile int* words = data;
  int sum = words[thread];
  words[thread] = sum = sum + words[thread + 32];
  words[thread] = sum = sum + words[thread + 16];
  words[thread] = sum = sum + words[thread + 8];
  words[thread] = sum = sum + words[thread + 4];
  words[thread] = sum = sum + words[thread + 2];
  words[thread] = sum = sum + words[thread + 1];
}

extern "C" __global__ void reduction_modulo(const int* in, int* out) {
  __shared__ int data[THREADS];
  unsigned thread = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[thread] = in[i];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (thread % (2 * s) == 0) data[thread] += data[thread + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduction_interleaved(const int* in, int* out) {
  __shared__ int data[THREADS];
  unsigned thread = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[thread] = in[i];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned index = 2 * s * thread;
    if (index < blockDim.x) data[index] += data[index + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduction_sequential(const int* in, int* out) {
  __shared__ int data[THREADS];
  unsigned thread = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[thread] = in[i];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (thread < s) data[thread] += data[thread + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduction_first_add(const int* in, int* out) {
  __shared__ int data[THREADS];
  unsigned thread = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  data[thread] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (thread < s) data[thread] += data[thread + s];
    __syncthreads();
  }
  if (thread == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduction_last_warp(const int* in, int* out) {
  __shared__ int data[THREADS];
  unsigned thread = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  data[thread] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (thread < s) data[thread] += data[thread + s];
    __syncthreads();
  }
  if (thread < 32) add_last_warp(data, thread);
  if (thread == 0) out[blockIdx.x] = data[0];
}

// Steps 6 and 7: the size of a block is an argument of the template.
template <unsigned threads>
__device__ __forceinline__ void add_all(int* data, unsigned thread) {
  if (threads >= 512) {
    if (thread < 256) data[thread] += data[thread + 256];
    __syncthreads();
  }
  if (threads >= 256) {
    if (thread < 128) data[thread] += data[thread + 128];
    __syncthreads();
  }
  if (threads >= 128) {
    if (thread < 64) data[thread] += data[thread + 64];
    __syncthreads();
  }
  if (thread < 32) add_last_warp(data, thread);
}

template <unsigned threads>
__device__ __forceinline__ void unrolled(const int* in, int* out) {
  __shared__ int data[threads];
  unsigned thread = threadIdx.x, i = blockIdx.x * (threads * 2) + threadIdx.x;
  data[thread] = in[i] + in[i + threads];
  __syncthreads();
  add_all<threads>(data, thread);
  if (thread == 0) out[blockIdx.x] = data[0];
}

template <unsigned threads>
__device__ __forceinline__ void strided(const int* in, int* out, unsigned n) {
  __shared__ int data[threads];
  unsigned thread = threadIdx.x, i = blockIdx.x * (threads * 2) + threadIdx.x, step = threads * 2 * gridDim.x;
  data[thread] = 0;
  while (i < n) {
    data[thread] += in[i] + in[i + threads];
    i += step;
  }
  __syncthreads();
  add_all<threads>(data, thread);
  if (thread == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduction_unrolled(const int* in, int* out) { unrolled<THREADS>(in, out); }
extern "C" __global__ void reduction_strided(const int* in, int* out, unsigned n) { strided<THREADS>(in, out, n); }

// SPDX-License-Identifier: Apache-2.0
// Loops as programs of NVIDIA's SDKs have them: whole_* is unrolled whole, kept_* stays a loop with one body,
// partly_* becomes a loop with several turns in one and a loop for the turns that are left over.

__global__ void whole_16_turns(float* out) {
  __shared__ float row[16], column[16][16];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += row[k] * column[k][threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void whole_31_turns_with_branches(unsigned* out, const unsigned* table, unsigned word) {
  unsigned result = 0;
  for (int bit = 0; bit < 31; ++bit, word >>= 1) {
    if (word & 1) result ^= table[bit];
  }
  out[threadIdx.x] = result;
}

__global__ void whole_since_asked_for(float* out, const float* in) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 100; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

__global__ void kept_as_nobody_knows_the_turns(float* out, const float* a, const float* b, int count) {
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += 1024) sum += a[i] * b[i];
  out[threadIdx.x] = sum;
}

__global__ void kept_as_the_counter_is_halved(float* out) {
  __shared__ float sums[256];
  for (int distance = 128; distance > 0; distance >>= 1) {
    __syncthreads();
    sums[threadIdx.x] += sums[threadIdx.x + distance];
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

__global__ void kept_as_it_would_be_large(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 2048; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

__global__ void kept_since_asked_for(float* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 8; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

/// An advisory says so.
__global__ void kept_though_asked_for(float* out, const float* in, int count) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < count; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

/// An advisory says that too.
__global__ void kept_as_too_large_though_asked_for(float* out, const float* in) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 100000; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

__global__ void partly_since_asked_for(float* out, const float* in, int count) {
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < count; ++i) sum += in[i * 64 + threadIdx.x] * sum;
  out[threadIdx.x] = sum;
}

__global__ void partly_with_barriers_since_asked_for(float* out, const float* in, int count) {
  __shared__ float row[64];
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < count; ++i) {
    row[threadIdx.x] = in[i * 64 + threadIdx.x];
    __syncthreads();
    sum += row[63 - threadIdx.x] * sum;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

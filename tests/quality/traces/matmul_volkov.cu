// SPDX-License-Identifier: Apache-2.0
// c = a * b, all n x n and stored column by column, in the scheme of Volkov and Demmel 2008: a thread computes a row of S elements
// of c in registers; only an S x S tile of b goes through shared memory. `pitch` is the distance of columns in bytes.
template <class T>
__device__ __forceinline__ T* beyond(T* from, unsigned bytes) {
  return (T*)((char*)from + bytes);
}
template <int S>
__device__ __forceinline__ void volkov(const float* a, const float* b, float* c, unsigned pitch) {
  __shared__ float tile[S][S + 1];
  const int per = S * S / 64, ahead = 4;
  unsigned x = threadIdx.x, y = threadIdx.y;
  const float* from_b = beyond(b, __umul24(blockIdx.y * S + y, pitch)) + x;
  const float* end = beyond(from_b, pitch);
  unsigned row = blockIdx.x * 64 + y * S + x;
  const float* from_a = a + row;
  float sum[S] = {};
  do {
    float column[S], part[per];
#pragma unroll
    for (int k = 0; k < ahead; ++k, from_a = beyond(from_a, pitch)) column[k] = *from_a;
    const float* next_b = from_b;
#pragma unroll
    for (int i = 0; i < per; ++i, next_b = beyond(next_b, __umul24(pitch, 64 / S))) part[i] = *next_b;
    from_b += S;
#pragma unroll
    for (int i = 0; i < per; ++i) tile[x][y + i * (64 / S)] = part[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S; ++k) {
#pragma unroll
      for (int i = 0; i < S; ++i) sum[i] += tile[k][i] * column[k];
      if (k + ahead < S) {
        column[k + ahead] = *from_a;
        from_a = beyond(from_a, pitch);
      }
    }
    __syncthreads();
  } while (from_b != end);
  float* to = beyond(c, __umul24(blockIdx.y * S, pitch)) + row;
#pragma unroll
  for (int i = 0; i < S; ++i, to = beyond(to, pitch)) *to = sum[i];
}
extern "C" __global__ void volkov8(const float* a, const float* b, float* c, unsigned pitch) { volkov<8>(a, b, c, pitch); }
extern "C" __global__ void volkov16(const float* a, const float* b, float* c, unsigned pitch) { volkov<16>(a, b, c, pitch); }
extern "C" __global__ void volkov32(const float* a, const float* b, float* c, unsigned pitch) { volkov<32>(a, b, c, pitch); }

// SPDX-License-Identifier: Apache-2.0
// A use of everything that a kernel can say, for compute capability 1.3; not run. LEVEL leaves out what a lower one has not.
#include <cutil_inline.h>
#include <cutil_math.h>
#include <helper_cuda.h>

#include <algorithm>
#include <iostream>
#include <vector>

texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
texture<int2> pairs;
texture<float, 3> volume;
texture<unsigned char, 2> grey;
__constant__ float coefficients[16];
__device__ int counter;
extern __shared__ float dynamic[];

__global__ void __launch_bounds__(64) places(int* q) {
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  q[0] = block.x + thread.y + blockIdx.z + gridDim.x + warpSize + static_cast<int>(clock());
  __threadfence();
  __threadfence_block();
  __syncthreads();
  q[1] = q[0] + __mul24(q[1], q[2]) + __umul24(q[1], q[2]) + __mulhi(q[1], q[2]) + __umulhi(q[3], q[4]);
  q[2] = __popc(q[1]) + __clz(q[2]) + __ffs(q[3]) + __brev(q[4]) + __sad(q[1], q[2], q[3]) + abs(q[4]) + max(1, 3U);
  q[3] = counter;
}

__global__ void textures(float* p, int i) {
  const float4 colour = tex2D(colours, 1.0F, 2.0F);
  const int2 pair = tex1Dfetch(pairs, 3);
  p[0] = tex1Dfetch(line, i) + tex1D(line, 0.5F) + colour.x + colour.w + pair.y + tex3D(volume, 1, 2, 3);
  p[1] = tex2D(grey, 1, 2) + coefficients[threadIdx.x] + dynamic[threadIdx.x];
}

__global__ void atomics(int* q, unsigned int* u, float* p, unsigned long long* l) {
  q[0] = atomicSub(q, 2) + atomicExch(q, 1) + atomicMin(q, 5) + atomicMax(q, 6) + atomicCAS(q, 1, 2);
  u[0] = atomicInc(u, 9U) + atomicDec(u, 9U) + atomicAnd(u, 7U) + atomicOr(u, 8U) + atomicXor(u, 3U) + atomicMax(u, 3U);
  p[0] = atomicExch(p, 2.0F);
#if LEVEL >= 120
  __shared__ int shared_word;
  __shared__ unsigned int shared_count;
  shared_word = 0;
  shared_count = 0;
  __syncthreads();
  atomicAdd(&shared_word, 3);
  atomicInc(&shared_count, 4U);
  p[1] = shared_word + shared_count;
  l[0] = atomicAdd(l, 5ULL) + atomicExch(l, 3ULL) + atomicCAS(l, 1ULL, 2ULL);
  q[1] = __any(q[2] > 3) + __all(q[2] > 4);
#endif
}

__global__ void overloads(float* p, int i) {
  p[0] = sin(p[1]) + sqrt(p[2]) + exp(p[3]) + log(p[4]) + fabs(p[5]) + floor(p[6]) + abs(p[7]) + pow(p[8], p[9]);
  p[1] = std::abs(p[1]) + std::sqrt(p[2]) + std::pow(p[3], p[4]) + pow(p[5], i) + min(p[6], p[7]) + max(p[8], p[9]);
  p[2] = isnan(p[1]) + isinf(p[2]) + std::isnan(p[3]) + __saturatef(p[4]) + __fdividef(p[5], p[6]) + CUDART_PI_F;
  p[3] = __int_as_float(__float_as_int(p[4])) + __float2int_rn(p[5]) + __int2float_rz(i) + fmod(p[6], p[7]);
  const float3 direction = normalize(make_float3(p[1], p[2], p[3])) * 2.0F + make_float3(1.0F);
  p[4] = dot(direction, cross(direction, make_float3(p[5]))) + length(direction);
}
__global__ void never_contracted(float* p) {
  p[0] = __fadd_rn(__fmul_rn(p[1], p[2]), p[3]);
}
__global__ void may_be_contracted(float* p) {
  p[0] = p[1] * p[2] + p[3];
}

__global__ void doubles(double* d, float* p, int* q) {
  d[0] = sin(2) + pow(p[2], d[1]) + pow(d[1], 3) + atan2(p[2], q[1]) + max(p[1], d[1]) + fabs(d[4]) + floor(d[3]);
  d[1] = fmod(d[1], d[2]) + sqrt(d[4]) + exp(d[4]) + fma(d[1], d[2], d[3]) + rsqrt(d[2]) + ldexp(d[1], 4) + round(d[1]);
  d[2] = remainder(d[1], d[2]) + frexp(d[3], q) + modf(d[4], d) + nextafter(d[5], d[6]) + logb(d[7]) + remquo(d[1], d[2], q);
#if LEVEL >= 130
  d[3] = __dadd_rn(d[1], d[2]) + __dmul_rz(d[1], d[2]) + __fma_rn(d[1], d[2], d[3]) + __hiloint2double(q[1], q[2]);
  q[0] = __double2int_rz(d[1]) + __double2hiint(d[2]) + __double2loint(d[3]) + __double2ull_ru(d[4]);
#endif
}

int main() {
  float* data = nullptr;
  CUDA_SAFE_CALL(cudaMalloc(&data, 4));
  cutilSafeCall(cudaMalloc((void**)&data, 4));
  checkCudaErrors(cudaMemcpyToSymbol(coefficients, data, 16));
  cudaMemcpyToSymbol("coefficients", data, 16);
  cudaBindTexture(0, line, data, 64);
  line.filterMode = cudaFilterModeLinear;
  colours.normalized = true;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray* array = nullptr;
  cudaMallocArray(&array, &channels, 3, 4);
  cudaBindTextureToArray(colours, array, channels);
  cudaFuncSetCacheConfig(places, cudaFuncCachePreferL1);
  overloads<<<dim3(1, 2), 64, 256>>>(data, 3);
  CUT_CHECK_ERROR("launch failed");
  std::vector<float> numbers(3, max(1.0F, 2.0F) + std::max(1, 2) + min(3, 4) + sqrt(2.0F) + pow(2.0F, 2) + abs(-3.5F));
  std::cout << numbers[0] << cudaGetErrorString(cudaGetLastError()) << rsqrtf(3);
}

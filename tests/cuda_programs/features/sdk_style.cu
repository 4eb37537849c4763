// SPDX-License-Identifier: Apache-2.0
// In the manner of NVIDIA's samples of 2008: shared memory of any type by a class, volatile tails of reductions, tiles, functors
// as arguments, symbols by name, checks and timers of cutil.
#include <algorithm>
#include <vector>

#include <cutil_inline.h>
#include <shrUtils.h>

template <typename T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};
template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double __smem_d[];
    return (double*)__smem_d;
  }
};

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(T* g_idata, T* g_odata, unsigned int n) {
  T* sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x;
  const unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256) sdata[tid] = mySum = mySum + sdata[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) sdata[tid] = mySum = mySum + sdata[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) sdata[tid] = mySum = mySum + sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    volatile T* smem = sdata;
    if (blockSize >= 64) smem[tid] = mySum = mySum + smem[tid + 32];
    if (blockSize >= 32) smem[tid] = mySum = mySum + smem[tid + 16];
    if (blockSize >= 16) smem[tid] = mySum = mySum + smem[tid + 8];
    if (blockSize >= 8) smem[tid] = mySum = mySum + smem[tid + 4];
    if (blockSize >= 4) smem[tid] = mySum = mySum + smem[tid + 2];
    if (blockSize >= 2) smem[tid] = mySum = mySum + smem[tid + 1];
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

#define BLOCK_SIZE 16
#define AS(i, j) CUT_BANK_CHECKER(((float*)&As[0][0]), (BLOCK_SIZE * i + j))

__global__ void matrixMul(float* C, float* A, float* B, int wA, int wB) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1;
  float Csub = 0;
  for (int a = aBegin, b = BLOCK_SIZE * bx; a <= aEnd; a += BLOCK_SIZE, b += BLOCK_SIZE * wB) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    AS(ty, tx) = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) Csub += AS(ty, k) * Bs[k][tx];
    __syncthreads();
  }
  C[wB * BLOCK_SIZE * by + BLOCK_SIZE * bx + wB * ty + tx] = Csub;
}

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
template <class Op>
__global__ void neighbours(float4* to, const float4* from, Op op, int2 shape) {
  const int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  if (i >= shape.x * shape.y) return;
  const float4 v = from[i];
  to[i] = make_float4(op(v.x, v.y), op(v.y, v.z), op(v.z, v.w), op(v.w, v.x));
}

__device__ unsigned int blocks_done = 0;
__constant__ float coefficients[4];

__global__ void __launch_bounds__(128, 2) weighted(const float* from, float* to, int n) {
#if __CUDA_ARCH__ >= 200
  printf("there is no printf on these chips\n");
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * coefficients[i & 3];
  if (threadIdx.x == 0) atomicInc(&blocks_done, gridDim.x);
}

template <class T>
bool reduces(int n) {
  enum { BLOCKS = 16, THREADS = 256 };
  std::vector<T> values(n);
  double expected = 0, got = 0;
  for (int i = 0; i < n; ++i) expected += values[i] = (T)(i % 5);
  T *in, *out, sums[BLOCKS];
  cutilSafeCall(cudaMalloc((void**)&in, n * sizeof(T)));
  cutilSafeCall(cudaMalloc((void**)&out, sizeof(sums)));
  cutilSafeCall(cudaMemcpy(in, &values[0], n * sizeof(T), cudaMemcpyHostToDevice));
  reduce<T, THREADS, false><<<dim3(BLOCKS, 1, 1), dim3(THREADS, 1, 1), THREADS * sizeof(T)>>>(in, out, n);
  cutilCheckMsg("Kernel execution failed");
  cutilSafeCall(cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS; ++i) got += sums[i];
  cutilSafeCall(cudaFree(in));
  cutilSafeCall(cudaFree(out));
  return got == expected;
}

enum { WIDTH = 64 };

static bool multiplies(float* A, float* C, const std::vector<float>& host) {
  std::vector<float> got(host.size()), reference(host.size());
  matrixMul<<<dim3(WIDTH / BLOCK_SIZE, WIDTH / BLOCK_SIZE), dim3(BLOCK_SIZE, BLOCK_SIZE)>>>(C, A, A, WIDTH, WIDTH);
  cutilSafeCall(cudaMemcpy(&got[0], C, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      double sum = 0;
      for (int k = 0; k < WIDTH; ++k) sum += (double)host[i * WIDTH + k] * host[k * WIDTH + j];
      reference[i * WIDTH + j] = (float)sum;
    }
  }
  return cutCompareL2fe(&reference[0], &got[0], (unsigned)got.size(), 1e-6f) == CUTTrue;
}

static bool takes_functors(float* A, float* C, const std::vector<float>& host) {
  float sums[4], largest[4];
  neighbours<<<8, 128>>>((float4*)C, (const float4*)A, Add(), make_int2(32, 32));
  cutilSafeCall(cudaMemcpy(sums, C, sizeof(sums), cudaMemcpyDeviceToHost));
  neighbours<<<8, 128>>>((float4*)C, (const float4*)A, Max(), make_int2(32, 32));
  cutilSafeCall(cudaMemcpy(largest, C, sizeof(largest), cudaMemcpyDeviceToHost));
  return sums[3] == host[3] + host[0] && largest[0] == std::max(host[0], host[1]);
}

static bool finds_symbols_by_name(float* A, float* C, const std::vector<float>& host) {
  const float weights[4] = {1, 2, 3, 4};
  unsigned int done = 0;
  std::vector<float> got(host.size());
  cutilSafeCall(cudaMemcpyToSymbol("coefficients", weights, sizeof(weights)));
  weighted<<<8, 128>>>(A, C, 1000);
  cutilSafeCall(cudaThreadSynchronize());
  cutilSafeCall(cudaMemcpyFromSymbol(&done, "blocks_done", sizeof(done)));
  cutilSafeCall(cudaMemcpy(&got[0], C, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return done == 8 && got[999] == 4 * host[999] && got[997] == 2 * host[997];
}

int main(int argc, char** argv) {
  if (cutCheckCmdLineFlag(argc, (const char**)argv, "device"))
    cutilDeviceInit(argc, argv);
  else
    cudaSetDevice(cutGetMaxGflopsDeviceId());
  unsigned int timer = 0;
  cutilCheckError(cutCreateTimer(&timer));
  cutilCheckError(cutStartTimer(timer));
  bool right = reduces<int>(5000) && reduces<float>(5000) && reduces<double>(5000);
  std::vector<float> host(WIDTH * WIDTH);
  for (size_t i = 0; i < host.size(); ++i) host[i] = (float)((i * 7919) % 1000) / 1000.0f;
  float *A, *C;
  cutilSafeCall(cudaMalloc((void**)&A, host.size() * sizeof(float)));
  cutilSafeCall(cudaMalloc((void**)&C, host.size() * sizeof(float)));
  cutilSafeCall(cudaMemcpy(A, &host[0], host.size() * sizeof(float), cudaMemcpyHostToDevice));
  right = multiplies(A, C, host) && takes_functors(A, C, host) && finds_symbols_by_name(A, C, host) && right;
  cutilCheckError(cutStopTimer(timer));
  shrLog("Processing time: %f (ms)\n", cutGetTimerValue(timer));
  cutilCheckError(cutDeleteTimer(timer));
  shrLog(right ? "PASSED\n" : "FAILED\n");
  cudaThreadExit();
  if (!right) return 1;
  cutilExit(argc, argv);
}

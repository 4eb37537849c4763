// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums after Harris 2007, "Parallel prefix sum (scan) with CUDA": two elements a thread, up a tree of sums in shared
// memory and down again, with padding against conflicts; then the sums of the blocks are added.
#define MOST 512
#define PADDED(n) ((n) + ((n) >> 4))

__device__ __forceinline__ int add_up(float* data) {
  int thread = threadIdx.x, stride = 1;
  for (int d = blockDim.x; d > 0; d >>= 1) {
    __syncthreads();
    if (thread < d) {
      int i = __mul24(__mul24(2, stride), thread);
      int left = i + stride - 1, right = left + stride;
      data[PADDED(right)] += data[PADDED(left)];
    }
    stride *= 2;
  }
  return stride;
}

__device__ __forceinline__ void hand_down(float* data, int stride) {
  int thread = threadIdx.x;
  for (int d = 1; d <= blockDim.x; d *= 2) {
    stride >>= 1;
    __syncthreads();
    if (thread < d) {
      int i = __mul24(__mul24(2, stride), thread);
      int left = i + stride - 1, right = left + stride;
      float kept = data[PADDED(left)];
      data[PADDED(left)] = data[PADDED(right)];
      data[PADDED(right)] += kept;
    }
  }
}

extern "C" __global__ void scan_blocks(float* out, const float* in, float* sums) {
  __shared__ float data[PADDED(MOST)];
  int thread = threadIdx.x, first = __mul24(blockIdx.x, blockDim.x << 1) + thread, second = first + blockDim.x;
  data[PADDED(thread)] = in[first];
  data[PADDED(thread + blockDim.x)] = in[second];
  int stride = add_up(data);
  if (thread == 0) {
    int last = (blockDim.x << 1) - 1;
    sums[blockIdx.x] = data[PADDED(last)];
    data[PADDED(last)] = 0.0f;
  }
  hand_down(data, stride);
  __syncthreads();
  out[first] = data[PADDED(thread)];
  out[second] = data[PADDED(thread + blockDim.x)];
}

extern "C" __global__ void scan_add(float* data, const float* sums, int n) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = sums[blockIdx.x];
  unsigned address = __mul24(blockIdx.x, blockDim.x << 1) + threadIdx.x;
  __syncthreads();
  data[address] += sum;
  data[address + blockDim.x] += (threadIdx.x + blockDim.x < n) * sum;
}

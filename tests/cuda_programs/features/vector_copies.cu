// SPDX-License-Identifier: Apache-2.0
// Structures that are copied or cleared whole, of every alignment, through registers, shared and local memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

struct __align__(16) Row {
  float words[8];
};
struct Large {
  int words[40];
};
struct __align__(16) Mixed {
  float4 place;
  int2 cell;
  int number;
};

template <typename Any>
__global__ void copy(const Any* from, Any* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

__global__ void count(Mixed* all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Mixed one = all[i];
  one.number += 1;
  all[i] = one;
}

__global__ void clear(float4* to) { to[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(0, 0, 0, 0); }

__global__ void exchange(uint4* words) {
  __shared__ uint4 kept[64];
  const int i = threadIdx.x;
  const uint4 first = words[i];
  kept[i] = words[64 + i];
  __syncthreads();
  words[64 + i] = first;
  words[i] = kept[i];
}

__global__ void choose(const float4* from, float4* to, int which) {
  float4 some[4];
  for (int i = 0; i < 4; ++i) some[i] = from[i * 64 + threadIdx.x];
  to[threadIdx.x] = some[which & 3];
}

constexpr int threads = 64, blocks = 4, most = 256 * sizeof(Large);
std::vector<unsigned char> given(most), found(most);
void *from, *to;

void start() {
  cudaMemcpy(from, given.data(), most, cudaMemcpyHostToDevice);
  cudaMemset(to, 9, most);
}

bool differs(const void* device, std::size_t bytes, const unsigned char* expected) {
  cudaMemcpy(found.data(), device, bytes, cudaMemcpyDeviceToHost);
  return std::memcmp(found.data(), expected, bytes) != 0;
}

template <typename Any>
int copies() {
  start();
  copy<<<blocks, threads>>>(static_cast<const Any*>(from), static_cast<Any*>(to));
  return differs(to, blocks * threads * sizeof(Any), given.data());
}

int counts() {
  start();
  count<<<blocks, threads>>>(static_cast<Mixed*>(from));
  std::vector<Mixed> expected(blocks * threads);
  std::memcpy(expected.data(), given.data(), expected.size() * sizeof(Mixed));
  for (Mixed& one : expected) ++one.number;
  return differs(from, expected.size() * sizeof(Mixed), reinterpret_cast<const unsigned char*>(expected.data()));
}

int clears() {
  start();
  clear<<<blocks, threads>>>(static_cast<float4*>(to));
  const std::vector<unsigned char> expected(blocks * threads * sizeof(float4));
  return differs(to, expected.size(), expected.data());
}

int exchanges() {
  start();
  exchange<<<1, threads>>>(static_cast<uint4*>(from));
  constexpr int half = threads * sizeof(uint4);
  std::vector<unsigned char> expected(given.begin() + half, given.begin() + 2 * half);
  expected.insert(expected.end(), given.begin(), given.begin() + half);
  return differs(from, expected.size(), expected.data());
}

int choices() {
  int wrong = 0;
  for (int which = 0; which < 4; ++which) {
    start();
    choose<<<1, threads>>>(static_cast<const float4*>(from), static_cast<float4*>(to), which);
    wrong += differs(to, threads * sizeof(float4), given.data() + which * threads * sizeof(float4));
  }
  return wrong;
}

int main() {
  for (int i = 0; i < most; ++i) given[i] = static_cast<unsigned char>(i * 7 + i / 251);
  cudaMalloc(&from, most);
  cudaMalloc(&to, most);
  const int wrong = copies<float4>() + copies<double2>() + copies<Row>() + copies<Large>() + copies<float2>() + counts() +
                    clears() + exchanges() + choices();
  std::printf("vector copies: %d wrong\n%s\n", wrong, wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}

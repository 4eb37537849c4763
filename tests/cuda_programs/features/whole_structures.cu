// SPDX-License-Identifier: Apache-2.0
// Structures that are copied, changed in part or cleared, of every alignment, through registers, shared and local
// memory, and words of which a part is needed.
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

__global__ void invert(uchar4* pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 pixel = pixels[i];
  pixel.x = 255 - pixel.x;
  pixel.y = 255 - pixel.y;
  pixel.z = 255 - pixel.z;
  pixels[i] = pixel;
}

__global__ void swap(short2* pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const short2 pair = pairs[i];
  pairs[i] = make_short2(pair.y, pair.x);
}

__global__ void move(int4* places, const int4* steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int4 place = places[i];
  const int4 step = steps[i];
  place.x += step.x;
  place.y -= step.y;
  place.z ^= step.z;
  places[i] = place;
}

__global__ void cut(const unsigned* words, unsigned* parts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[3 * i] = words[2 * i] & 255;
  parts[3 * i + 1] = words[2 * i + 1] >> 16;
  parts[3 * i + 2] = (unsigned)(reinterpret_cast<const unsigned long long*>(words)[i] >> 40) & 0xffff;
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

template <typename Any>
std::vector<Any> values() {
  std::vector<Any> all(blocks * threads);
  std::memcpy(all.data(), given.data(), all.size() * sizeof(Any));
  return all;
}
template <typename Any>
int finds(const void* device, const std::vector<Any>& expected) {
  return differs(device, expected.size() * sizeof(Any), reinterpret_cast<const unsigned char*>(expected.data()));
}

int changes() {
  start();
  invert<<<blocks, threads>>>(static_cast<uchar4*>(from));
  std::vector<uchar4> pixels = values<uchar4>();
  for (uchar4& one : pixels) one = make_uchar4(255 - one.x, 255 - one.y, 255 - one.z, one.w);
  int wrong = finds(from, pixels);
  start();
  swap<<<blocks, threads>>>(static_cast<short2*>(from));
  std::vector<short2> pairs = values<short2>();
  for (short2& one : pairs) one = make_short2(one.y, one.x);
  wrong += finds(from, pairs);
  start();
  cudaMemcpy(to, given.data() + 4, most - 4, cudaMemcpyHostToDevice);
  move<<<blocks, threads>>>(static_cast<int4*>(from), static_cast<const int4*>(to));
  std::vector<int4> places = values<int4>();
  std::vector<int4> steps(places.size());
  std::memcpy(steps.data(), given.data() + 4, steps.size() * sizeof(int4));
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].x = static_cast<int>(static_cast<unsigned>(places[i].x) + static_cast<unsigned>(steps[i].x));
    places[i].y = static_cast<int>(static_cast<unsigned>(places[i].y) - static_cast<unsigned>(steps[i].y));
    places[i].z ^= steps[i].z;
  }
  return wrong + finds(from, places);
}

int cuts() {
  start();
  cut<<<blocks, threads>>>(static_cast<const unsigned*>(from), static_cast<unsigned*>(to));
  const std::vector<uint2> words = values<uint2>();
  std::vector<uint3> parts;
  for (const uint2& one : words) parts.push_back(make_uint3(one.x & 255, one.y >> 16, one.y >> 8 & 0xffff));
  return finds(to, parts);
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
                    clears() + exchanges() + choices() + changes() + cuts();
  std::printf("whole structures: %d wrong\n%s\n", wrong, wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}

// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums of any number of elements, after Harris, Sengupta and Owens (2007), "Parallel prefix sum (scan)
// with CUDA". A block sums its part up a tree and hands the sums down again; the totals of the blocks are scanned in the
// same way and added to their blocks.
#include "program.h"

#include <vector>

enum { BLOCK = 128, PART = 2 * BLOCK };

// One word of padding after every 16 keeps the threads of a half-warp in different banks at every level of the tree.
__device__ int padded(int index) {
  return index + index / 16;
}

__global__ void scan_parts(const int* in, int* out, int* totals, int count) {
  __shared__ int tree[PART + PART / 16];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * PART + thread;
  const int second = first + BLOCK;
  tree[padded(thread)] = first < count ? in[first] : 0;
  tree[padded(thread + BLOCK)] = second < count ? in[second] : 0;

  int distance = 1;
  for (int pairs = BLOCK; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (thread < pairs) {
      const int left = distance * (2 * thread + 1) - 1;
      tree[padded(left + distance)] += tree[padded(left)];
    }
    distance *= 2;
  }
  if (thread == 0) {
    totals[blockIdx.x] = tree[padded(PART - 1)];
    tree[padded(PART - 1)] = 0;
  }
  for (int pairs = 1; pairs <= BLOCK; pairs *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < pairs) {
      const int left = distance * (2 * thread + 1) - 1;
      const int sum_of_left = tree[padded(left)];
      tree[padded(left)] = tree[padded(left + distance)];
      tree[padded(left + distance)] += sum_of_left;
    }
  }
  __syncthreads();
  if (first < count) out[first] = tree[padded(thread)];
  if (second < count) out[second] = tree[padded(thread + BLOCK)];
}

__global__ void add_totals(int* out, const int* totals, int count) {
  __shared__ int total;
  if (threadIdx.x == 0) total = totals[blockIdx.x];
  __syncthreads();
  const int first = blockIdx.x * PART + threadIdx.x;
  if (first < count) out[first] += total;
  if (first + BLOCK < count) out[first + BLOCK] += total;
}

// `out` may be `in`.
static void scan(const int* in, int* out, int count) {
  const int parts = divide_up(count, PART);
  int* totals;
  CHECK(cudaMalloc((void**)&totals, parts * sizeof(int)));
  scan_parts<<<parts, BLOCK>>>(in, out, totals, count);
  CHECK_LAUNCH();
  if (parts > 1) {
    scan(totals, totals, parts);
    add_totals<<<parts, BLOCK>>>(out, totals, count);
    CHECK_LAUNCH();
  }
  CHECK(cudaFree(totals));
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size");
  const int count = option(argc, argv, "size", 70000);
  std::vector<int> numbers(count), sums(count);
  RandomNumbers random(4);
  for (int i = 0; i < count; ++i) numbers[i] = random.below(100);

  int *device_in, *device_out;
  CHECK(cudaMalloc((void**)&device_in, count * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_out, count * sizeof(int)));
  CHECK(cudaMemcpy(device_in, &numbers[0], count * sizeof(int), cudaMemcpyHostToDevice));
  DeviceTimer timer;
  timer.start();
  scan(device_in, device_out, count);
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&sums[0], device_out, count * sizeof(int), cudaMemcpyDeviceToHost));

  int expected = 0;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += sums[i] != expected;
    expected += numbers[i];
  }
  printf("%d elements in %.4f ms, %.1f million per second, %d wrong\n", count, milliseconds, 1e-3 * count / milliseconds,
         wrong);
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return verdict(wrong == 0);
}

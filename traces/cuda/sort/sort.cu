// SPDX-License-Identifier: Apache-2.0
// Bitonic sort (Batcher 1968) of keys with values: a network of comparisons that does not depend on the data. Pairs that
// are close lie in one block's shared memory, where many stages follow each other; pairs that are far apart take a launch
// per stage.
#include "program.h"

#include <algorithm>
#include <vector>

enum { BLOCK = 128, PART = 2 * BLOCK };

__device__ inline void order(unsigned int& key_a, unsigned int& value_a, unsigned int& key_b, unsigned int& value_b,
                             bool is_up) {
  if ((key_a > key_b) != is_up) return;
  const unsigned int key = key_a, value = value_a;
  key_a = key_b;
  value_a = value_b;
  key_b = key;
  value_b = value;
}

// The lower of the two elements, `distance` apart, that thread `i` of a stage compares.
__device__ inline int lower_of_pair(int i, int distance) {
  return 2 * i - (i & (distance - 1));
}

__device__ inline void stages_in_block(unsigned int* keys, unsigned int* values, int first, int length, int first_distance) {
  for (int distance = first_distance; distance > 0; distance /= 2) {
    __syncthreads();
    const int low = lower_of_pair(threadIdx.x, distance);
    order(keys[low], values[low], keys[low + distance], values[low + distance], ((first + low) & length) == 0);
  }
}

// Sequences of length 2, 4, ... up to a part, each sorted up or down.
__global__ void sort_parts(unsigned int* keys, unsigned int* values) {
  __shared__ unsigned int part_keys[PART];
  __shared__ unsigned int part_values[PART];
  const int first = blockIdx.x * PART;
  for (int i = threadIdx.x; i < PART; i += BLOCK) {
    part_keys[i] = keys[first + i];
    part_values[i] = values[first + i];
  }
  for (int length = 2; length <= PART; length *= 2) stages_in_block(part_keys, part_values, first, length, length / 2);
  __syncthreads();
  for (int i = threadIdx.x; i < PART; i += BLOCK) {
    keys[first + i] = part_keys[i];
    values[first + i] = part_values[i];
  }
}

// One stage whose pairs are farther apart than a part.
__global__ void merge_far(unsigned int* keys, unsigned int* values, int length, int distance) {
  const int low = lower_of_pair(blockIdx.x * BLOCK + threadIdx.x, distance);
  unsigned int key_a = keys[low], value_a = values[low];
  unsigned int key_b = keys[low + distance], value_b = values[low + distance];
  order(key_a, value_a, key_b, value_b, (low & length) == 0);
  keys[low] = key_a;
  values[low] = value_a;
  keys[low + distance] = key_b;
  values[low + distance] = value_b;
}

// All stages that are left once pairs lie within a part.
__global__ void merge_near(unsigned int* keys, unsigned int* values, int length) {
  __shared__ unsigned int part_keys[PART];
  __shared__ unsigned int part_values[PART];
  const int first = blockIdx.x * PART;
  for (int i = threadIdx.x; i < PART; i += BLOCK) {
    part_keys[i] = keys[first + i];
    part_values[i] = values[first + i];
  }
  stages_in_block(part_keys, part_values, first, length, BLOCK);
  __syncthreads();
  for (int i = threadIdx.x; i < PART; i += BLOCK) {
    keys[first + i] = part_keys[i];
    values[first + i] = part_values[i];
  }
}

static void sort_on_device(unsigned int* keys, unsigned int* values, int count) {
  sort_parts<<<count / PART, BLOCK>>>(keys, values);
  CHECK_LAUNCH();
  for (int length = 2 * PART; length <= count; length *= 2) {
    for (int distance = length / 2; distance > BLOCK; distance /= 2) {
      merge_far<<<count / PART, BLOCK>>>(keys, values, length, distance);
      CHECK_LAUNCH();
    }
    merge_near<<<count / PART, BLOCK>>>(keys, values, length);
    CHECK_LAUNCH();
  }
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size");
  const int wanted = option(argc, argv, "size", 4096);
  int count = PART;
  while (count < wanted) count *= 2;
  const size_t bytes = count * sizeof(unsigned int);
  std::vector<unsigned int> keys(count), values(count), sorted_keys(count), sorted_values(count);
  RandomNumbers random(10);
  for (int i = 0; i < count; ++i) {
    keys[i] = random.next();
    values[i] = i;
  }

  unsigned int *device_keys, *device_values;
  CHECK(cudaMalloc((void**)&device_keys, bytes));
  CHECK(cudaMalloc((void**)&device_values, bytes));
  CHECK(cudaMemcpy(device_keys, &keys[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_values, &values[0], bytes, cudaMemcpyHostToDevice));
  DeviceTimer timer;
  timer.start();
  sort_on_device(device_keys, device_values, count);
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&sorted_keys[0], device_keys, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sorted_values[0], device_values, bytes, cudaMemcpyDeviceToHost));

  // The keys as the host sorts them, and every value still with its key.
  std::vector<unsigned int> expected = keys;
  std::sort(expected.begin(), expected.end());
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += sorted_keys[i] != expected[i] || sorted_values[i] >= (unsigned int)count || keys[sorted_values[i]] != sorted_keys[i];
  }
  printf("%d pairs in %.4f ms, %.2f million per second, %d wrong\n", count, milliseconds, 1e-3 * count / milliseconds, wrong);
  CHECK(cudaFree(device_keys));
  CHECK(cudaFree(device_values));
  return verdict(wrong == 0);
}

// SPDX-License-Identifier: Apache-2.0
// Arrays of single threads, in local memory: filled in loops, as stacks, as matrices, sorted in place; with timing, too.
#include <stdio.h>

enum { THREADS = 64, LONGEST = 32, RESULTS = 4 };

// The element that `rank` others stand below, by parting as often as it takes.
__host__ __device__ int element_of_rank(const int* values, int count, int rank) {
  int own[LONGEST];
  for (int i = 0; i < count; ++i) own[i] = values[i];
  int left = 0, right = count - 1;
  while (left < right) {
    const int pivot = own[(left + right) / 2];
    int i = left, j = right;
    do {
      while (own[i] < pivot) ++i;
      while (own[j] > pivot) --j;
      if (i <= j) {
        const int held = own[i];
        own[i++] = own[j];
        own[j--] = held;
      }
    } while (i <= j);
    if (rank <= j) {
      right = j;
    } else if (rank >= i) {
      left = i;
    } else {
      break;
    }
  }
  return own[rank];
}

__host__ __device__ int leaves_of_tree(int start) {
  int stack[LONGEST], size = 0, leaves = 0;
  stack[size++] = start;
  while (size > 0) {
    const int value = stack[--size];
    if (value <= 1) {
      ++leaves;
    } else {
      stack[size++] = value / 2;
      stack[size++] = value - value / 2;
    }
  }
  return leaves;
}

__host__ __device__ int trace_of_square(const int* values, int side) {
  int matrix[8][8], sum = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) matrix[i][j] = values[(i * side + j) % LONGEST] % 100;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) sum += matrix[i][j] * matrix[j][i];
  return sum;
}

// Bytes and wide words, backwards.
__host__ __device__ int mixed_words(const int* values, int count) {
  unsigned char bytes[LONGEST];
  long long wide[LONGEST];
  for (int i = count - 1; i >= 0; --i) {
    bytes[i] = values[i];
    wide[i] = (long long)values[i] << 20;
  }
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += bytes[i] + (int)(wide[count - 1 - i] >> 18);
  return sum;
}

__host__ __device__ void all_of(const int* values, int thread, int* results) {
  results[0] = element_of_rank(values, 1 + thread % (LONGEST - 1), thread % (LONGEST - 1) / 2);
  results[1] = leaves_of_tree(1 + thread % 17);
  results[2] = trace_of_square(values, 1 + thread % 8);
  results[3] = mixed_words(values, thread % LONGEST);
}

__global__ void run(const int* values, int* results) {
  all_of(values + threadIdx.x, threadIdx.x, results + RESULTS * threadIdx.x);
}

int main() {
  int values[THREADS + LONGEST], found[THREADS * RESULTS], failures = 0;
  for (int i = 0; i < THREADS + LONGEST; ++i) values[i] = (i * 7919 + 13) % 1009 - 500;
  int *device_values, *device_results;
  cudaMalloc(&device_values, sizeof(values));
  cudaMalloc(&device_results, sizeof(found));
  cudaMemcpy(device_values, values, sizeof(values), cudaMemcpyHostToDevice);
  run<<<1, THREADS>>>(device_values, device_results);
  if (cudaMemcpy(found, device_results, sizeof(found), cudaMemcpyDeviceToHost) != cudaSuccess) ++failures;
  for (int thread = 0; thread < THREADS && failures < 8; ++thread) {
    int expected[RESULTS];
    all_of(values + thread, thread, expected);
    for (int k = 0; k < RESULTS; ++k) {
      if (found[thread * RESULTS + k] == expected[k]) continue;
      printf("%d of thread %d: %d instead of %d\n", k, thread, found[thread * RESULTS + k], expected[k]);
      ++failures;
    }
  }
  puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}

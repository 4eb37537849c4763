// SPDX-License-Identifier: Apache-2.0
// What programs do wrong, one case for each number on the command line. The program must come back from every call, print the
// code that CUDA gives and end by itself: the test compares the last line.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

enum { COUNT = 256 };

__global__ void fill(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
__global__ void store_at(int* out, long long offset) {
  if (threadIdx.x == 37) *(int*)((char*)out + offset) = 1;
}
__global__ void never_ends(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void counts_for_ever(int* out) {
  for (;;) out[0] += 1;
}
__global__ void parts_at_barrier(volatile int* out) {
  if (threadIdx.x < 32) {
    while (out[0] == 0) {
    }
  }
  __syncthreads();
  out[1] = 1;
}
__global__ void shared_too_far(int* out) {
  __shared__ int words[32];
  words[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x + out[0]];
}

static int* device_words(size_t bytes) {
  int* words = NULL;
  cudaMalloc((void**)&words, bytes);
  cudaMemset(words, 0, bytes);
  return words;
}

static cudaError_t launched() {
  const cudaError_t at_launch = cudaGetLastError();
  return at_launch != cudaSuccess ? at_launch : cudaThreadSynchronize();
}

static cudaError_t double_free() {
  int* const words = device_words(1024);
  cudaFree(words);
  return cudaFree(words);
}
static cudaError_t free_of_the_middle() {
  return cudaFree((char*)device_words(1024) + 256);
}
static cudaError_t free_of_the_host() {
  int on_stack;
  return cudaFree(&on_stack);
}
static cudaError_t pointer_of_the_host() {
  static int words[COUNT];
  fill<<<1, COUNT>>>(words);
  return launched();
}
static cudaError_t null_pointer() {
  fill<<<1, COUNT>>>(NULL);
  return launched();
}
static cudaError_t use_after_free() {
  int* const words = device_words(1024);
  cudaFree(words);
  fill<<<1, COUNT>>>(words);
  return launched();
}
static cudaError_t store_behind_the_end() {
  store_at<<<1, 64>>>(device_words(1024), 1024 + 512);
  return launched();
}
static cudaError_t store_before_the_start() {
  store_at<<<1, 64>>>(device_words(1024), -4096);
  return launched();
}
static cudaError_t misaligned_store() {
  store_at<<<1, 64>>>(device_words(1024), 2);
  return launched();
}
static cudaError_t shared_behind_the_end() {
  int* const words = device_words(1024);
  const int far_away = 100000;
  cudaMemcpy(words, &far_away, sizeof(far_away), cudaMemcpyHostToDevice);
  shared_too_far<<<1, 32>>>(words);
  return launched();
}
static cudaError_t kernel_without_end() {
  never_ends<<<1, 32>>>(device_words(4));
  return launched();
}
static cudaError_t loop_without_end() {
  counts_for_ever<<<1, 32>>>(device_words(4));
  return launched();
}
static cudaError_t barrier_without_end() {
  parts_at_barrier<<<1, 64>>>(device_words(8));
  return launched();
}
static cudaError_t copy_past_the_end_of_the_device() {
  std::vector<char> host(4096);
  return cudaMemcpy(device_words(1024), &host[0], 1000000000, cudaMemcpyHostToDevice);
}
static cudaError_t copy_from_past_the_end() {
  std::vector<char> host(4096);
  return cudaMemcpy(&host[0], device_words(1024), 1000000000, cudaMemcpyDeviceToHost);
}
static cudaError_t copy_of_host_as_device() {
  char from[16], to[16];
  return cudaMemcpy(to, from, sizeof(from), cudaMemcpyDeviceToDevice);
}
static cudaError_t copy_to_null() {
  return cudaMemcpy(NULL, device_words(64), 64, cudaMemcpyDeviceToHost);
}
static cudaError_t no_threads() {
  fill<<<1, 0>>>(device_words(1024));
  return launched();
}
static cudaError_t no_blocks() {
  fill<<<0, 32>>>(device_words(1024));
  return launched();
}
static cudaError_t too_many_threads() {
  fill<<<1, 1024>>>(device_words(4096));
  return launched();
}
static cudaError_t too_deep_a_block() {
  fill<<<1, dim3(1, 1, 65)>>>(device_words(1024));
  return launched();
}
static cudaError_t too_much_shared_memory() {
  fill<<<1, 32, 20000>>>(device_words(1024));
  return launched();
}
static cudaError_t no_kernel() {
  int not_a_kernel = 0;
  return cudaLaunchKernel(&not_a_kernel, dim3(1), dim3(1), NULL, 0, 0);
}
static cudaError_t destroyed_stream() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  fill<<<1, 32, 0, stream>>>(device_words(1024));
  return launched();
}
static cudaError_t invented_event() {
  return cudaEventRecord((cudaEvent_t)0x1234, 0);
}
static cudaError_t null_results() {
  cudaMalloc((void**)NULL, 16);
  cudaGetDeviceCount(NULL);
  cudaEventCreate(NULL);
  return cudaGetLastError();
}
static cudaError_t everything_at_once() {
  return cudaMalloc((void**)malloc(sizeof(void*)), ~(size_t)0);
}

struct Case {
  const char* name;
  cudaError_t (*run)();
};
#define CASE(name) {#name, name}
static const Case cases[] = {
    CASE(double_free), CASE(free_of_the_middle), CASE(free_of_the_host), CASE(pointer_of_the_host), CASE(null_pointer),
    CASE(use_after_free), CASE(store_behind_the_end), CASE(store_before_the_start), CASE(misaligned_store), CASE(shared_behind_the_end),
    CASE(kernel_without_end), CASE(loop_without_end), CASE(barrier_without_end), CASE(copy_past_the_end_of_the_device), CASE(copy_from_past_the_end),
    CASE(copy_of_host_as_device), CASE(copy_to_null), CASE(no_threads), CASE(no_blocks), CASE(too_many_threads), CASE(too_deep_a_block),
    CASE(too_much_shared_memory), CASE(no_kernel), CASE(destroyed_stream), CASE(invented_event), CASE(null_results), CASE(everything_at_once),
};

int main(int argc, char** argv) {
  const int count = sizeof(cases) / sizeof(cases[0]);
  const int chosen = argc > 1 ? atoi(argv[1]) : -1;
  if (chosen < 0 || chosen >= count) {
    for (int i = 0; i < count; ++i) printf("%d %s\n", i, cases[i].name);
    return 0;
  }
  const cudaError_t error = cases[chosen].run();
  printf("%s: %d %s\n", cases[chosen].name, (int)error, cudaGetErrorString(error));
  return 0;
}

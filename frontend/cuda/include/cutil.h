// SPDX-License-Identifier: Apache-2.0
// The helpers of the samples of CUDA 1.x to 4.x: checks that end the program, timers, options of the command line.
#pragma once

#include "cuda_runtime.h"
#include "helper_options.h"
#include "helper_timers.h"

#define CUDA_SAFE_CALL_NO_SYNC(call) teslasim_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCall(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define checkCudaErrors(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize())
#define cutilSafeMalloc(pointer) (pointer)
#define CUDA_SAFE_THREAD_SYNC() CUDA_SAFE_CALL_NO_SYNC(cudaThreadSynchronize())
#define CUT_CHECK_ERROR(message) teslasim_check(cudaGetLastError(), message, __FILE__, __LINE__)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define getLastCudaError(message) CUT_CHECK_ERROR(message)
#define cutilCheckError(call) teslasim_check_flag((call), #call, __FILE__, __LINE__)
#define cutilCondition(condition) teslasim_check_flag((condition), #condition, __FILE__, __LINE__)
#define CUT_SAFE_CALL(call) cutilCheckError(call)
#define CUT_CONDITION(condition) cutilCondition(condition)
#define CUT_DEVICE_INIT(...) CUDA_SAFE_CALL_NO_SYNC(cudaSetDevice(0))
#define cutilDeviceInit(...) CUDA_SAFE_CALL_NO_SYNC(cudaSetDevice(0))
#define CUT_EXIT(...) exit(EXIT_SUCCESS)
#define cutilExit(...) exit(EXIT_SUCCESS)
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUTIL_API

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

inline void teslasim_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
inline void teslasim_check_flag(bool is_right, const char* what, const char* file, int line) {
  if (is_right) return;
  fprintf(stderr, "%s:%d: %s failed\n", file, line, what);
  exit(EXIT_FAILURE);
}
inline int cutGetMaxGflopsDeviceId() {
  return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
  return 0;
}
inline int findCudaDevice(int, const char**) {
  teslasim_check(cudaSetDevice(0), "cudaSetDevice", __FILE__, __LINE__);
  return 0;
}

/// Whether two arrays differ nowhere by more than `largest`.
inline CUTBoolean cutComparefe(const float* reference, const float* data, unsigned int count, float largest) {
  for (unsigned int i = 0; i < count; ++i) {
    if (!(fabsf(reference[i] - data[i]) <= largest)) return CUTFalse;
  }
  return CUTTrue;
}
inline CUTBoolean cutComparef(const float* reference, const float* data, unsigned int count) {
  return cutComparefe(reference, data, count, 0.0F);
}
inline CUTBoolean cutComparei(const int* reference, const int* data, unsigned int count) {
  return memcmp(reference, data, count * sizeof(int)) == 0 ? CUTTrue : CUTFalse;
}
/// Whether the distance of two vectors is at most `largest` of the length of the first.
inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned int count, float largest) {
  double distance = 0;
  double length = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    distance += difference * difference;
    length += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
  }
  return std::sqrt(distance) <= static_cast<double>(largest) * std::sqrt(length) ? CUTTrue : CUTFalse;
}

// SPDX-License-Identifier: Apache-2.0
// The helpers of the samples of CUDA 1.x to 4.x: checks that end the program, timers, options of the command line.
#pragma once

#include "cuda_runtime.h"
#include "helper_compare.h"
#include "helper_devices.h"
#include "helper_files.h"
#include "helper_images.h"
#include "helper_options.h"
#include "helper_paths.h"
#include "helper_timers.h"

#define TESLASIM_CHECK(call) teslasim_check((call), #call, __FILE__, __LINE__)
#define TESLASIM_CHECK_FLAG(flag) teslasim_check_flag((flag), #flag, __FILE__, __LINE__)
#define TESLASIM_CHECK_LAST(message) teslasim_check(cudaGetLastError(), message, __FILE__, __LINE__)

#define CUDA_SAFE_CALL_NO_SYNC(call) TESLASIM_CHECK(call)
#define CUDA_SAFE_CALL(call) TESLASIM_CHECK(call)
#define cutilSafeCall(call) TESLASIM_CHECK(call)
#define cutilSafeCallNoSync(call) TESLASIM_CHECK(call)
#define checkCudaErrors(call) TESLASIM_CHECK(call)
#define CU_SAFE_CALL(call) TESLASIM_CHECK(call)
#define CU_SAFE_CALL_NO_SYNC(call) TESLASIM_CHECK(call)
#define cutilDrvSafeCall(call) TESLASIM_CHECK(call)
#define cutilDrvSafeCallNoSync(call) TESLASIM_CHECK(call)

#define cutilSafeThreadSync() TESLASIM_CHECK(cudaThreadSynchronize())
#define CUDA_SAFE_THREAD_SYNC() TESLASIM_CHECK(cudaThreadSynchronize())
#define CUT_CHECK_ERROR(message) TESLASIM_CHECK_LAST(message)
#define cutilCheckMsg(message) TESLASIM_CHECK_LAST(message)
#define getLastCudaError(message) TESLASIM_CHECK_LAST(message)
#define cutilCheckMsgAndSync(message) \
  (TESLASIM_CHECK_LAST(message), teslasim_check(cudaThreadSynchronize(), message, __FILE__, __LINE__))

#define cutilCheckError(call) TESLASIM_CHECK_FLAG(call)
#define cutilCondition(condition) TESLASIM_CHECK_FLAG(condition)
#define CUT_SAFE_CALL(call) TESLASIM_CHECK_FLAG(call)
#define CUT_CONDITION(condition) TESLASIM_CHECK_FLAG(condition)
#define CUT_SAFE_MALLOC(call) teslasim_check_flag((call) != 0, #call, __FILE__, __LINE__)
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)

#define CUT_DEVICE_INIT(...) TESLASIM_CHECK(cudaSetDevice(0))
#define CUT_EXIT(...) exit(EXIT_SUCCESS)
#define cutilExit(...) exit(EXIT_SUCCESS)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilBankChecker(array, index) array[index]
#define CUTIL_API

#if !defined(EXIT_WAIVED)
#define EXIT_WAIVED 2
#endif
#if !defined(MIN)
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#if !defined(MAX)
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#if !defined(CLAMP)
#define CLAMP(x, low, high) MIN(MAX(x, low), high)
#endif

// Samples check what these return.
inline cudaError_t cutilDeviceSynchronize() {
  return cudaDeviceSynchronize();
}
inline cudaError_t cutilDeviceReset() {
  return cudaDeviceReset();
}

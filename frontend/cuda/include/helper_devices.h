// SPDX-License-Identifier: Apache-2.0
// How the samples check calls of the runtime and of the driver, and choose a device: there is one, with number 0.
#pragma once

#include "cuda_runtime.h"
#include "drvapi_error_string.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) {
  return cudaGetErrorName(error);
}
inline const char* _cudaGetErrorEnum(CUresult error) {
  return getCudaDrvErrorString(error);
}
inline void teslasim_check_flag(bool is_right, const char* what, const char* file, int line) {
  if (is_right) return;
  fprintf(stderr, "%s:%d: %s failed\n", file, line, what);
  exit(EXIT_FAILURE);
}
inline void teslasim_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
inline void teslasim_check(CUresult error, const char* what, const char* file, int line) {
  if (error == CUDA_SUCCESS) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, getCudaDrvErrorString(error));
  exit(EXIT_FAILURE);
}

/// How many numbers an SM of this compute capability works on at once.
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major <= 1) return 8;
  if (major == 2) return minor == 0 ? 32 : 48;
  return 192;
}
inline int ConvertSMVer2Cores(int major, int minor) {
  return _ConvertSMVer2Cores(major, minor);
}
inline int gpuDeviceInit(int device) {
  teslasim_check(cudaSetDevice(device < 0 ? 0 : device), "cudaSetDevice", __FILE__, __LINE__);
  return device < 0 ? 0 : device;
}
inline int findCudaDevice(int, const char**) {
  return gpuDeviceInit(0);
}
inline int cutilDeviceInit(int, char**) {
  return gpuDeviceInit(0);
}
inline int cutilChooseCudaDevice(int, char**) {
  return gpuDeviceInit(0);
}
inline int cutGetMaxGflopsDeviceId() {
  return 0;
}
inline int gpuGetMaxGflopsDeviceId() {
  return 0;
}
/// Whether the device has a compute capability; if not, says so.
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  struct cudaDeviceProp properties;
  teslasim_check(cudaGetDevice(&device), "cudaGetDevice", __FILE__, __LINE__);
  teslasim_check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties", __FILE__, __LINE__);
  if (properties.major > major || (properties.major == major && properties.minor >= minor)) return true;
  fprintf(stderr, "%s has compute capability %d.%d, %d.%d is needed\n", properties.name, properties.major,
          properties.minor, major, minor);
  return false;
}
inline bool cutilCudaCapabilities(int major, int minor, int = 0, char** = nullptr) {
  return checkCudaCapabilities(major, minor);
}

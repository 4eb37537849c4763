// SPDX-License-Identifier: Apache-2.0
// Helpers of the samples for programs that use the driver's interface.
#pragma once

#include "cuda.h"
#include "cutil.h"

#define getLastCudaDrvErrorMsg(message) teslasim_check(cuCtxSynchronize(), message, __FILE__, __LINE__)
#define cutilDrvCheckMsg(message) getLastCudaDrvErrorMsg(message)
#define cutilDrvCtxSync() TESLASIM_CHECK(cuCtxSynchronize())
#define CUT_DEVICE_INIT_DRV(device, ...) (device) = teslasim_first_device()

/// An offset that is moved up to the next multiple, where a parameter of `alignment` bytes lies.
#define cutilDrvAlignOffset(offset, alignment) ((offset) = ((offset) + (alignment)-1) & ~((alignment)-1))

inline CUdevice teslasim_first_device() {
  CUdevice device = 0;
  TESLASIM_CHECK(cuInit(0));
  TESLASIM_CHECK(cuDeviceGet(&device, 0));
  return device;
}
inline CUdevice findCudaDeviceDRV(int, const char**) {
  return teslasim_first_device();
}
inline int gpuDeviceInitDRV(int, const char**) {
  return teslasim_first_device();
}
inline CUdevice cutilChooseCudaDeviceDrv(int, char**, int* device) {
  *device = teslasim_first_device();
  return *device;
}
inline int cutilDrvGetMaxGflopsDeviceId() {
  return teslasim_first_device();
}
inline int gpuGetMaxGflopsDeviceIdDRV() {
  return teslasim_first_device();
}
inline int _ConvertSMVer2CoresDRV(int major, int minor) {
  return _ConvertSMVer2Cores(major, minor);
}
inline bool checkCudaCapabilitiesDRV(int major, int minor, int device) {
  int has_major = 0;
  int has_minor = 0;
  TESLASIM_CHECK(cuDeviceComputeCapability(&has_major, &has_minor, device));
  return has_major > major || (has_major == major && has_minor >= minor);
}
template <class T>
inline void getCudaAttribute(T* value, CUdevice_attribute attribute, int device) {
  int found = 0;
  TESLASIM_CHECK(cuDeviceGetAttribute(&found, attribute, device));
  *value = static_cast<T>(found);
}

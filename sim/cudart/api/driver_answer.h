// SPDX-License-Identifier: Apache-2.0
// Errors of the runtime as the driver's interface numbers them.
#pragma once

#include "frontend/cuda/include/driver_enumerations.h"
#include "frontend/cuda/include/driver_types.h"

namespace teslasim::cudart {

[[nodiscard]] constexpr CUresult driver_error(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUDA_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUDA_ERROR_OUT_OF_MEMORY;
    case cudaErrorInvalidDevice:
      return CUDA_ERROR_INVALID_DEVICE;
    case cudaErrorInvalidKernelImage:
      return CUDA_ERROR_INVALID_IMAGE;
    case cudaErrorNoKernelImageForDevice:
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case cudaErrorInvalidResourceHandle:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorNotReady:
      return CUDA_ERROR_NOT_READY;
    case cudaErrorLaunchFailure:
      return CUDA_ERROR_LAUNCH_FAILED;
    case cudaErrorLaunchOutOfResources:
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case cudaErrorLaunchTimeout:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case cudaErrorUnsupportedLimit:
      return CUDA_ERROR_UNSUPPORTED_LIMIT;
    case cudaErrorHostMemoryAlreadyRegistered:
      return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    case cudaErrorHostMemoryNotRegistered:
      return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    case cudaErrorUnknown:
      return CUDA_ERROR_UNKNOWN;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace teslasim::cudart

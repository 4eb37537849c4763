// SPDX-License-Identifier: Apache-2.0
// The driver's interface: devices, contexts, memory, streams, events. One context is always there.
#include "frontend/cuda/include/cuda.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/device_facts.h"
#include "sim/cudart/api/driver_answer.h"
#include "sim/cudart/copies.h"

namespace teslasim::cudart {
namespace {

void* pointer_at(CUdeviceptr address) {
  return std::bit_cast<void*>(static_cast<std::uintptr_t>(address));
}

CUcontext only_context() {
  return std::bit_cast<CUcontext>(std::uintptr_t{1});
}

/// There is one context, which stays until all who made it or attached to it have left.
CUresult use_context(CUcontext* context) {
  return driver_error(answer_anyway([&](Process& process) {
    if (context == nullptr) return cudaErrorInvalidValue;
    ++process.context_users;
    *context = only_context();
    return cudaSuccess;
  }));
}
CUresult leave_context() {
  return driver_error(answer_anyway([](Process& process) {
    if (process.context_users > 1) {
      --process.context_users;
    } else {
      process.reset();
    }
    return cudaSuccess;
  }));
}

CUresult give_context(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = only_context();
  return CUDA_SUCCESS;
}

/// What CUDA 3 and 4 added. These chips have no layers, no second-level cache for data, no error correction.
int later_attribute_of(const cudaDeviceProp& facts, CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
      return facts.maxTexture1D;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT:
      return facts.maxTexture2D[attribute - CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH];
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH:
      return facts.maxTexture3D[attribute - CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH];
    case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT:
      return static_cast<int>(facts.surfaceAlignment);
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return facts.pciBusID;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
      return facts.memoryClockRate;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      return facts.memoryBusWidth;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return facts.maxThreadsPerMultiProcessor;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
      return facts.asyncEngineCount;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT:
      return static_cast<int>(facts.texturePitchAlignment);
    default:
      return 0;
  }
}
int attribute_of(const cudaDeviceProp& facts, CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return facts.maxThreadsPerBlock;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      return facts.maxThreadsDim[attribute - CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X];
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      return facts.maxGridSize[attribute - CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X];
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return static_cast<int>(facts.sharedMemPerBlock);
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
      return static_cast<int>(facts.totalConstMem);
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return facts.warpSize;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
      return static_cast<int>(facts.memPitch);
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      return facts.regsPerBlock;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
      return facts.clockRate;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
      return static_cast<int>(facts.textureAlignment);
    case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
      return facts.deviceOverlap;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return facts.multiProcessorCount;
    case CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT:
      return facts.kernelExecTimeoutEnabled;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
      return facts.canMapHostMemory;
    default:
      return later_attribute_of(facts, attribute);
  }
}

/// Rows of elements, `pitch` bytes apart.
template <typename Element>
CUresult fill_elements(CUdeviceptr pointer, std::size_t pitch, Element value, std::size_t width, std::size_t height) {
  return driver_error(answer([&](Session& session) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (width > SIZE_MAX / sizeof(Element)) return cudaErrorInvalidValue;
    const std::size_t row = width * sizeof(Element);
    if (height > 1 && (pitch < row || pitch > (SIZE_MAX - row) / (height - 1))) return cudaErrorInvalidPitchValue;
    const std::optional<Address> address = session.heap.find(pointer_at(pointer), pitch * (height - 1) + row);
    if (!address)
      return session.complain(cudaErrorInvalidDevicePointer, "cuMemset", {},
                              session.heap.describe(pointer_at(pointer)));
    for (std::size_t y = 0; y < height; ++y) {
      std::byte* const start = session.heap.at(*address) + y * pitch;
      for (std::size_t x = 0; x < width; ++x) std::memcpy(start + x * sizeof(Element), &value, sizeof(Element));
    }
    take_time(session, CopyCall{"cuMemset"}, Path::device_fill, row * height);
    return cudaSuccess;
  }));
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

CUresult cuInit(unsigned int flags) {
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDriverGetVersion(int* version) {
  return driver_error(cudaDriverGetVersion(version));
}
CUresult cuDeviceGetCount(int* count) {
  return driver_error(cudaGetDeviceCount(count));
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return ordinal != 0 ? CUDA_ERROR_INVALID_DEVICE : driver_error(cudaGetDevice(device));
}
CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  cudaDeviceProp facts;
  if (name == nullptr || size <= 0) return CUDA_ERROR_INVALID_VALUE;
  if (const cudaError_t error = cudaGetDeviceProperties(&facts, device); error != cudaSuccess)
    return driver_error(error);
  name[std::string_view(facts.name).copy(name, static_cast<std::size_t>(size) - 1)] = '\0';
  return CUDA_SUCCESS;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cudaDeviceProp facts;
  if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&facts, device);
  *major = facts.major;
  *minor = facts.minor;
  return driver_error(error);
}
CUresult cuDeviceTotalMem(size_t* size, CUdevice /*device*/) {
  size_t available = 0;
  return driver_error(cudaMemGetInfo(&available, size));
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  cudaDeviceProp facts;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&facts, device);
  if (error == cudaSuccess) *value = attribute_of(facts, attribute);
  return driver_error(error);
}
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
  cudaDeviceProp facts;
  if (properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaGetDeviceProperties(&facts, device);
  if (error != cudaSuccess) return driver_error(error);
  properties->maxThreadsPerBlock = facts.maxThreadsPerBlock;
  std::copy(std::begin(facts.maxThreadsDim), std::end(facts.maxThreadsDim), properties->maxThreadsDim);
  std::copy(std::begin(facts.maxGridSize), std::end(facts.maxGridSize), properties->maxGridSize);
  properties->sharedMemPerBlock = static_cast<int>(facts.sharedMemPerBlock);
  properties->totalConstantMemory = static_cast<int>(facts.totalConstMem);
  properties->SIMDWidth = facts.warpSize;
  properties->memPitch = static_cast<int>(facts.memPitch);
  properties->regsPerBlock = facts.regsPerBlock;
  properties->clockRate = facts.clockRate;
  properties->textureAlign = static_cast<int>(facts.textureAlignment);
  return CUDA_SUCCESS;
}
CUresult cuMemGetInfo(size_t* available, size_t* total) {
  return driver_error(cudaMemGetInfo(available, total));
}

CUresult cuCtxCreate(CUcontext* context, unsigned int /*flags*/, CUdevice device) {
  return device != 0 ? CUDA_ERROR_INVALID_DEVICE : use_context(context);
}
CUresult cuCtxDestroy(CUcontext /*context*/) {
  return leave_context();
}
CUresult cuCtxAttach(CUcontext* context, unsigned int flags) {
  return flags != 0 ? CUDA_ERROR_INVALID_VALUE : use_context(context);
}
CUresult cuCtxDetach(CUcontext context) {
  return cuCtxDestroy(context);
}
CUresult cuCtxSetCurrent(CUcontext /*context*/) {
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  return give_context(context);
}
CUresult cuCtxPushCurrent(CUcontext /*context*/) {
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  return context != nullptr ? give_context(context) : CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return driver_error(cudaGetDevice(device));
}
CUresult cuCtxSynchronize(void) {
  return driver_error(cudaDeviceSynchronize());
}
CUresult cuCtxGetApiVersion(CUcontext /*context*/, unsigned int* version) {
  constexpr unsigned contexts_of_cuda_4 = 3020;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = contexts_of_cuda_4;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache /*config*/) {
  return CUDA_SUCCESS;  // these chips have nothing to configure
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return driver_error(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return driver_error(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t size, const char* file, int line) {
  void* start = nullptr;
  if (pointer == nullptr || size == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaMalloc(&start, size, file, line);
  *pointer = std::bit_cast<std::uintptr_t>(start);
  return driver_error(error);
}
CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int /*element*/) {
  void* start = nullptr;
  if (pointer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = cudaMallocPitch(&start, pitch, width, height, nullptr, 0);
  *pointer = std::bit_cast<std::uintptr_t>(start);
  return driver_error(error);
}
CUresult cuMemFree(CUdeviceptr pointer) {
  return driver_error(cudaFree(pointer_at(pointer), nullptr, 0));
}
CUresult cuMemAllocHost(void** pointer, size_t size) {
  return driver_error(cudaMallocHost(pointer, size));
}
CUresult cuMemFreeHost(void* pointer) {
  return driver_error(cudaFreeHost(pointer));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t size) {
  return driver_error(cudaMemcpy(pointer_at(to), from, size, cudaMemcpyHostToDevice, nullptr, 0));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t size) {
  return driver_error(cudaMemcpy(to, pointer_at(from), size, cudaMemcpyDeviceToHost, nullptr, 0));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return driver_error(cudaMemcpy(pointer_at(to), pointer_at(from), size, cudaMemcpyDeviceToDevice, nullptr, 0));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  return driver_error(cudaMemcpyAsync(pointer_at(to), from, size, cudaMemcpyHostToDevice, stream, nullptr, 0));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  return driver_error(cudaMemcpyAsync(to, pointer_at(from), size, cudaMemcpyDeviceToHost, stream, nullptr, 0));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return driver_error(
      cudaMemcpyAsync(pointer_at(to), pointer_at(from), size, cudaMemcpyDeviceToDevice, stream, nullptr, 0));
}
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
  return driver_error(cudaMemset(pointer_at(pointer), value, count, nullptr, 0));
}
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count) {
  return fill_elements(pointer, 0, value, count, 1);
}
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count) {
  return fill_elements(pointer, 0, value, count, 1);
}

CUresult cuMemsetD2D8(CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width, size_t height) {
  return driver_error(cudaMemset2D(pointer_at(pointer), pitch, value, width, height));
}
CUresult cuMemsetD2D16(CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill_elements(pointer, pitch, value, width, height);
}
CUresult cuMemsetD2D32(CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width, size_t height) {
  return fill_elements(pointer, pitch, value, width, height);
}

CUresult cuStreamCreate(CUstream* stream, unsigned int /*flags*/) {
  return driver_error(cudaStreamCreate(stream));
}
CUresult cuStreamDestroy(CUstream stream) {
  return driver_error(cudaStreamDestroy(stream));
}
CUresult cuStreamSynchronize(CUstream stream) {
  return driver_error(cudaStreamSynchronize(stream));
}
CUresult cuStreamQuery(CUstream stream) {
  return driver_error(cudaStreamQuery(stream));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return driver_error(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return driver_error(cudaEventCreateWithFlags(event, flags));
}
CUresult cuEventDestroy(CUevent event) {
  return driver_error(cudaEventDestroy(event));
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_error(cudaEventRecord(event, stream));
}
CUresult cuEventQuery(CUevent event) {
  return driver_error(cudaEventQuery(event));
}
CUresult cuEventSynchronize(CUevent event) {
  return driver_error(cudaEventSynchronize(event));
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return driver_error(cudaEventElapsedTime(milliseconds, start, end));
}

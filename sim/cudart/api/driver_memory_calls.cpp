// SPDX-License-Identifier: Apache-2.0
// The driver's interface: copies of rows, page-locked memory, what is known of a pointer.
#include <bit>
#include <optional>

#include "frontend/cuda/include/cuda.h"
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/driver_answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/copies.h"

namespace teslasim::cudart {
namespace {

struct RowEnd {
  std::byte* start = nullptr;
  bool on_device = false;
};

/// Nothing for arrays, which the driver's interface has not here.
std::optional<RowEnd> row_end(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t offset) {
  const bool on_device = type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED;
  if (!on_device && type != CU_MEMORYTYPE_HOST) return std::nullopt;
  const auto address = on_device ? static_cast<std::uintptr_t>(device) : std::bit_cast<std::uintptr_t>(host);
  return RowEnd{std::bit_cast<std::byte*>(address + offset), on_device};
}

cudaMemcpyKind kind_of(const RowEnd& to, const RowEnd& from) {
  if (to.on_device) return from.on_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return from.on_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

CUresult copy_rows(const char* call, const CUDA_MEMCPY2D* wish, CUstream stream, Waiting waiting) {
  return driver_error(answer([&](Session& session) {
    if (wish == nullptr) return cudaErrorInvalidValue;
    const std::optional<RowEnd> from =
        row_end(wish->srcMemoryType, wish->srcHost, wish->srcDevice, wish->srcY * wish->srcPitch + wish->srcXInBytes);
    const std::optional<RowEnd> to =
        row_end(wish->dstMemoryType, wish->dstHost, wish->dstDevice, wish->dstY * wish->dstPitch + wish->dstXInBytes);
    if (!from || !to)
      return session.complain(cudaErrorInvalidValue, call, {}, "copies by the driver's interface know no arrays here");
    // A pitch of 0 means rows without room between them.
    const std::size_t to_pitch = wish->dstPitch != 0 ? wish->dstPitch : wish->WidthInBytes;
    const std::size_t from_pitch = wish->srcPitch != 0 ? wish->srcPitch : wish->WidthInBytes;
    return copy(session, CopyCall{call, {}, kind_of(*to, *from), stream_of(stream), waiting},
                CopyRows{to->start, to_pitch, from->start, from_pitch, wish->WidthInBytes, wish->Height});
  }));
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* wish) {
  return copy_rows("cuMemcpy2D", wish, nullptr, Waiting::waits);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* wish) {
  return copy_rows("cuMemcpy2DUnaligned", wish, nullptr, Waiting::waits);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* wish, CUstream stream) {
  return copy_rows("cuMemcpy2DAsync", wish, stream, Waiting::goes_on);
}

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return driver_error(cudaHostAlloc(pointer, size, flags));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned int flags) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* found = nullptr;
  const cudaError_t error = cudaHostGetDevicePointer(&found, host, flags);
  *device = std::bit_cast<std::uintptr_t>(found);
  return driver_error(error);
}
CUresult cuMemGetAddressRange(CUdeviceptr* start, size_t* size, CUdeviceptr pointer) {
  return driver_error(answer([&](Session& session) {
    const std::optional<DeviceHeap::Range> range =
        session.heap.range_of(std::bit_cast<void*>(static_cast<std::uintptr_t>(pointer)));
    if (!range) return cudaErrorInvalidDevicePointer;
    if (start != nullptr) *start = range->address;
    if (size != nullptr) *size = range->bytes;
    return cudaSuccess;
  }));
}

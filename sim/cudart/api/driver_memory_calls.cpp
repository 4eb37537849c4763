// SPDX-License-Identifier: Apache-2.0
// The driver's interface: copies of rows, page-locked memory, what is known of a pointer.
#include <array>
#include <bit>
#include <optional>

#include "frontend/cuda/include/cuda.h"
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/driver_answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/volume_copies.h"

namespace teslasim::cudart {
namespace {

/// One end of a copy as the driver's interface describes it.
struct WishedEnd {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  std::size_t pitch, height;      ///< bytes of a row, rows of a slice
  std::array<std::size_t, 3> at;  ///< bytes, rows, slices
};

bool on_device(CUmemorytype type) {
  return type != CU_MEMORYTYPE_HOST;
}

/// Nothing for an array that there is not, or a type that there is not.
std::optional<VolumeEnd> volume_end(const WishedEnd& wish, std::size_t row_bytes, std::size_t rows) {
  VolumeEnd end;
  end.at = wish.at;
  if (wish.type == CU_MEMORYTYPE_ARRAY) {
    end.array = Process::get().arrays.find(number_of(wish.array));
    return end.array != nullptr ? std::optional(end) : std::nullopt;
  }
  const bool is_device = wish.type == CU_MEMORYTYPE_DEVICE || wish.type == CU_MEMORYTYPE_UNIFIED;
  if (!is_device && wish.type != CU_MEMORYTYPE_HOST) return std::nullopt;
  const auto address = is_device ? static_cast<std::uintptr_t>(wish.device) : std::bit_cast<std::uintptr_t>(wish.host);
  end.pointer = std::bit_cast<std::byte*>(address);
  // A pitch or height of 0 means no room between rows or slices.
  end.pitch = wish.pitch != 0 ? wish.pitch : row_bytes;
  end.slice = end.pitch * (wish.height != 0 ? wish.height : rows);
  return end;
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
  if (on_device(to)) return on_device(from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return on_device(from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

cudaError_t copy_box(Session& session, CopyCall call, const WishedEnd& to, const WishedEnd& from,
                     std::array<std::size_t, 3> box) {
  const std::optional<VolumeEnd> target = volume_end(to, box[0], box[1]), source = volume_end(from, box[0], box[1]);
  if (!target || !source)
    return session.complain(cudaErrorInvalidResourceHandle, call.name, {}, "no such array, or kind of memory");
  call.kind = kind_of(to.type, from.type);
  if (target->array != nullptr || source->array != nullptr || box[2] != 1)
    return copy_volume(session, call, *target, *source, box);
  const auto start = [](const VolumeEnd& end) {
    return end.pointer + end.at[2] * end.slice + end.at[1] * end.pitch + end.at[0];
  };
  return copy(session, call, CopyRows{start(*target), target->pitch, start(*source), source->pitch, box[0], box[1]});
}

CUresult copy_rows(const char* call, const CUDA_MEMCPY2D* wish, CUstream stream, Waiting waiting) {
  return driver_error(answer([&](Session& session) {
    if (wish == nullptr) return cudaErrorInvalidValue;
    const CUDA_MEMCPY2D& copy = *wish;
    return copy_box(session, CopyCall{call, {}, cudaMemcpyDefault, stream_of(stream), waiting},
                    {copy.dstMemoryType,
                     copy.dstHost,
                     copy.dstDevice,
                     copy.dstArray,
                     copy.dstPitch,
                     0,
                     {copy.dstXInBytes, copy.dstY, 0}},
                    {copy.srcMemoryType,
                     copy.srcHost,
                     copy.srcDevice,
                     copy.srcArray,
                     copy.srcPitch,
                     0,
                     {copy.srcXInBytes, copy.srcY, 0}},
                    {copy.WidthInBytes, copy.Height, 1});
  }));
}

CUresult copy_slices(const char* call, const CUDA_MEMCPY3D* wish, CUstream stream, Waiting waiting) {
  return driver_error(answer([&](Session& session) {
    if (wish == nullptr) return cudaErrorInvalidValue;
    const CUDA_MEMCPY3D& copy = *wish;
    return copy_box(session, CopyCall{call, {}, cudaMemcpyDefault, stream_of(stream), waiting},
                    {copy.dstMemoryType,
                     copy.dstHost,
                     copy.dstDevice,
                     copy.dstArray,
                     copy.dstPitch,
                     copy.dstHeight,
                     {copy.dstXInBytes, copy.dstY, copy.dstZ}},
                    {copy.srcMemoryType,
                     copy.srcHost,
                     copy.srcDevice,
                     copy.srcArray,
                     copy.srcPitch,
                     copy.srcHeight,
                     {copy.srcXInBytes, copy.srcY, copy.srcZ}},
                    {copy.WidthInBytes, copy.Height, copy.Depth});
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

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* wish) {
  return copy_slices("cuMemcpy3D", wish, nullptr, Waiting::waits);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* wish, CUstream stream) {
  return copy_slices("cuMemcpy3DAsync", wish, stream, Waiting::goes_on);
}

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return driver_error(cudaHostAlloc(pointer, size, flags));
}
CUresult cuMemHostRegister(void* pointer, size_t size, unsigned int flags) {
  return driver_error(cudaHostRegister(pointer, size, flags));
}
CUresult cuMemHostUnregister(void* pointer) {
  return driver_error(cudaHostUnregister(pointer));
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

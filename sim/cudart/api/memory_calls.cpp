// SPDX-License-Identifier: Apache-2.0
// Device memory: cudaMalloc, cudaFree and their kin.
#include <fmt/format.h>

#include <bit>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/copies.h"

namespace teslasim::cudart {
namespace {

/// CUDA's alignment of rows on these boards: cudaMallocPitch of the toolkit 2.x to 4.x.
constexpr std::size_t pitch_alignment = 256;

void* pointer_of(Address address) {
  return std::bit_cast<void*>(std::uintptr_t{address});
}

cudaError_t allocate(Session& session, const char* call, const CallSite& site, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return session.complain(cudaErrorInvalidValue, call, site, "no place for the pointer");
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::optional<Address> address = session.heap.allocate(bytes, call, site);
  if (!address)
    return session.complain(
        cudaErrorMemoryAllocation, call, site,
        fmt::format("{} bytes do not fit: {} of {} are in use", bytes, session.heap.used(), session.heap.capacity()));
  *pointer = pointer_of(*address);
  return cudaSuccess;
}

cudaError_t release(Session& session, const CallSite& site, void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const std::optional<Address> address = session.heap.find(pointer, 0);
  if (address && session.heap.release(*address)) return cudaSuccess;
  return session.complain(cudaErrorInvalidDevicePointer, "cudaFree", site,
                          "no buffer begins there, or it was freed before: " + session.heap.describe(pointer));
}

}  // namespace
}  // namespace teslasim::cudart

using teslasim::cudart::CallSite;
using teslasim::cudart::Session;

cudaError_t cudaMalloc(void** pointer, size_t size, const char* file, int line) {
  return teslasim::cudart::answer([&](Session& session) {
    return teslasim::cudart::allocate(session, "cudaMalloc", CallSite{file, line}, pointer, size);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height, const char* file, int line) {
  return teslasim::cudart::answer([&](Session& session) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    constexpr size_t alignment = teslasim::cudart::pitch_alignment;
    *pitch = (width + alignment - 1) / alignment * alignment;
    const bool too_large = height != 0 && *pitch > SIZE_MAX / height;
    return teslasim::cudart::allocate(session, "cudaMallocPitch", CallSite{file, line}, pointer,
                                      too_large ? SIZE_MAX : *pitch * height);
  });
}

cudaError_t cudaFree(void* pointer, const char* file, int line) {
  return teslasim::cudart::answer([&](Session& session) {
    return teslasim::cudart::release(session, CallSite{file, line}, pointer);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return teslasim::cudart::answer([&](Session& session) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    void* const place = const_cast<void*>(pointer);
    if (session.heap.range_of(pointer)) {
      *attributes = {cudaMemoryTypeDevice, 0, place, nullptr};
      return cudaSuccess;
    }
    const std::optional<unsigned> flags = session.host_buffers.flags(pointer);
    if (!flags)
      return session.complain(cudaErrorInvalidValue, "cudaPointerGetAttributes", {},
                              "neither device memory nor page-locked memory of the host is there");
    const bool is_mapped = (*flags & cudaHostAllocMapped) != 0;
    const auto seen = is_mapped ? session.host_buffers.device_address(place, session.heap, {}) : std::nullopt;
    *attributes = {cudaMemoryTypeHost, 0, seen ? std::bit_cast<void*>(std::uintptr_t{*seen}) : nullptr, place};
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  return teslasim::cudart::answer([&](Session& session) {
    if (available == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *total = session.heap.capacity();
    *available = session.heap.capacity() - session.heap.used();
    return cudaSuccess;
  });
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/host_buffers.h"

#include <cstdlib>
#include <cstring>
#include <functional>

namespace teslasim::cudart {
namespace {

std::byte* start_of(void* pointer) {
  return static_cast<std::byte*>(pointer);
}

}  // namespace

HostBuffers::~HostBuffers() {
  for (const auto& [start, buffer] : buffers_) {
    if (buffer.owned) std::free(start);
  }
}

const std::pair<std::byte* const, HostBuffers::Buffer>* HostBuffers::find(const void* pointer) const {
  auto* const wanted = static_cast<std::byte*>(const_cast<void*>(pointer));
  auto after = buffers_.upper_bound(wanted);
  if (after == buffers_.begin()) return nullptr;
  --after;
  return wanted < after->first + after->second.bytes ? &*after : nullptr;
}

void* HostBuffers::allocate(std::size_t bytes, unsigned flags) {
  constexpr std::size_t page = 4096;
  if (bytes > SIZE_MAX - page) return nullptr;
  void* pointer = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (pointer != nullptr) buffers_[start_of(pointer)] = {bytes, flags, true};
  return pointer;
}

void HostBuffers::drop(std::byte* start, DeviceHeap& heap) {
  const auto found = buffers_.find(start);
  if (found->second.address) (void)heap.release(*found->second.address);
  if (found->second.owned) std::free(start);
  buffers_.erase(found);
}

bool HostBuffers::release(void* pointer, DeviceHeap& heap) {
  const auto found = buffers_.find(start_of(pointer));
  if (found == buffers_.end() || !found->second.owned) return false;
  drop(found->first, heap);
  return true;
}

bool HostBuffers::add(void* pointer, std::size_t bytes, unsigned flags) {
  std::byte* const start = start_of(pointer);
  const auto after = buffers_.lower_bound(start);
  if (is_pinned(pointer) || (after != buffers_.end() && after->first < start + bytes)) return false;
  buffers_[start] = {bytes, flags, false};
  return true;
}

bool HostBuffers::remove(void* pointer, DeviceHeap& heap) {
  const auto found = buffers_.find(start_of(pointer));
  if (found == buffers_.end() || found->second.owned) return false;
  drop(found->first, heap);
  return true;
}

std::optional<unsigned> HostBuffers::flags(const void* pointer) const {
  const auto* found = find(pointer);
  return found == nullptr ? std::nullopt : std::optional(found->second.flags);
}

std::optional<Address> HostBuffers::device_address(void* pointer, DeviceHeap& heap, const CallSite& site) {
  const auto* found = find(pointer);
  if (found == nullptr) return std::nullopt;
  Buffer& buffer = buffers_[found->first];
  if (!buffer.address) buffer.address = heap.allocate(buffer.bytes, "mapped host memory", site);
  if (!buffer.address) return std::nullopt;
  return *buffer.address + static_cast<Address>(start_of(pointer) - found->first);
}

void HostBuffers::to_device(DeviceHeap& heap) const {
  for (const auto& [start, buffer] : buffers_) {
    if (buffer.address) std::memcpy(heap.at(*buffer.address), start, buffer.bytes);
  }
}

void HostBuffers::from_device(DeviceHeap& heap) const {
  for (const auto& [start, buffer] : buffers_) {
    if (buffer.address) std::memcpy(start, heap.at(*buffer.address), buffer.bytes);
  }
}

void HostBuffers::forget_device() {
  for (auto& [start, buffer] : buffers_) buffer.address.reset();
}

}  // namespace teslasim::cudart

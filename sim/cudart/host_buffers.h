// SPDX-License-Identifier: Apache-2.0
// Page-locked memory of the host: copies of it are faster, and kernels may reach what is mapped.
//
// Stands for cudaHostAlloc and cudaHostRegister. Mapped memory has a copy in device memory, which is made equal before
// and after each launch; a kernel and the host that use it at the same time do not see each other's writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "sim/cudart/device_heap.h"

namespace teslasim::cudart {

class HostBuffers {
 public:
  HostBuffers() = default;
  ~HostBuffers();
  HostBuffers(const HostBuffers&) = delete;
  HostBuffers& operator=(const HostBuffers&) = delete;

  /// Null when the host has no room.
  [[nodiscard]] void* allocate(std::size_t bytes, unsigned flags);
  /// False when no buffer of `allocate` begins there.
  [[nodiscard]] bool release(void* pointer, DeviceHeap& heap);
  /// Memory of the program's own; false when a part of it is known already, or was not.
  [[nodiscard]] bool add(void* pointer, std::size_t bytes, unsigned flags);
  [[nodiscard]] bool remove(void* pointer, DeviceHeap& heap);

  [[nodiscard]] bool is_pinned(const void* pointer) const { return find(pointer) != nullptr; }
  [[nodiscard]] std::optional<unsigned> flags(const void* pointer) const;
  /// Where kernels find it; nothing when it is not pinned or the board is full.
  [[nodiscard]] std::optional<Address> device_address(void* pointer, DeviceHeap& heap, const CallSite& site);
  /// Before and after a launch.
  void to_device(DeviceHeap& heap) const;
  void from_device(DeviceHeap& heap) const;
  /// Device memory is gone.
  void forget_device();

 private:
  struct Buffer {
    std::size_t bytes = 0;
    unsigned flags = 0;
    bool owned = false;
    std::optional<Address> address{};
  };
  [[nodiscard]] const std::pair<std::byte* const, Buffer>* find(const void* pointer) const;
  void drop(std::byte* start, DeviceHeap& heap);

  std::map<std::byte*, Buffer> buffers_;
};

}  // namespace teslasim::cudart

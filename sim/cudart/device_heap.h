// SPDX-License-Identifier: Apache-2.0
// Device memory as the host's calls see it: cudaMalloc and cudaFree over one DeviceMemory.
//
// Stands for the driver's allocator. Addresses are below 4 GB, aligned to 256 bytes, and the same in every run;
// a guard lies behind each buffer. Not modelled: fragmentation of the driver's pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/image/device_memory.h"
#include "sim/cudart/call_site.h"

namespace teslasim::cudart {

class DeviceHeap {
 public:
  /// What kernels reach: buffers alone, or what lies around them too, as on chips, which know no buffers.
  enum class Reach : std::uint8_t { buffers, board };

  /// `capacity`: bytes of the board's memory.
  explicit DeviceHeap(std::uint64_t capacity, Reach reach = Reach::buffers);

  /// A new buffer; nothing when the board is full. `what` is the call, for messages.
  [[nodiscard]] std::optional<Address> allocate(std::uint64_t bytes, const char* what, const CallSite& site);
  /// False when no buffer begins there.
  [[nodiscard]] bool release(Address address);

  /// Gives everything back.
  void clear();

  /// The place of [pointer, pointer + bytes) in device memory, when all of it lies in one buffer.
  [[nodiscard]] std::optional<Address> find(const void* pointer, std::uint64_t bytes) const;
  struct Range {
    Address address = 0;
    std::uint64_t bytes = 0;
  };
  /// The buffer that a pointer leads into.
  [[nodiscard]] std::optional<Range> range_of(const void* pointer) const;
  /// In words: what lies near an address that is in no buffer.
  [[nodiscard]] std::string describe(const void* pointer) const;

  [[nodiscard]] std::byte* at(Address address) { return memory_.at(address); }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  /// Room between buffers, without its guards.
  struct Gap {
    Address address = 0;
    std::uint64_t bytes = 0;
  };
  std::optional<Address> take_gap(const std::string& name, std::uint64_t bytes);
  void join_gaps();

  /// The buffers of the host's calls: in the memory itself or, where kernels reach everything, in a book of their own.
  [[nodiscard]] DeviceMemory& book() { return book_ ? *book_ : memory_; }
  [[nodiscard]] const DeviceMemory& book() const { return book_ ? *book_ : memory_; }

  DeviceMemory memory_;
  std::optional<DeviceMemory> book_;
  std::vector<Gap> gaps_;
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
};

}  // namespace teslasim::cudart

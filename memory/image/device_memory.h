// SPDX-License-Identifier: Apache-2.0
// The bytes of device memory: a 32-bit address space backed by lazily mapped host pages, and the buffers in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// One allocation. Addresses outside every buffer are kernel errors.
struct Buffer {
  std::string name;
  std::string element_type;  ///< "f32", "u32"... for messages and .npy; empty for raw bytes
  Address address = 0;
  std::uint64_t bytes = 0;
};

/// Stands for the board's DRAM as the kernel sees it. Not modelled: physical placement, pages (see the TLBs).
/// Only touched pages use host memory. Reads of bytes never written give 0.
class DeviceMemory {
 public:
  /// Throws InputError(environment) when the host refuses to reserve the address space.
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Reserves `bytes` at the next address aligned to 256 bytes (cudaMalloc's alignment); buffers are separated by at
  /// least one unallocated 256-byte guard so that an access just past the end is found. Throws InputError when full.
  Address allocate(std::string name, std::string element_type, std::uint64_t bytes);
  /// The same at an address between other buffers, where the caller knows that there is room.
  void allocate_at(Address address, std::string name, std::string element_type, std::uint64_t bytes);
  /// Forgets the buffer that begins there, not its bytes; false when none does. `allocate` does not use its place
  /// again.
  bool release(Address address);
  /// Makes bytes 0, as if they had never been written; the host has their pages back.
  void clear(Address address, std::uint64_t bytes);
  [[nodiscard]] const std::vector<Buffer>& buffers() const { return buffers_; }
  /// The buffer that holds all of [address, address + bytes), or nullptr.
  [[nodiscard]] const Buffer* find(Address address, std::uint64_t bytes = 1) const;
  /// For messages about an address in no buffer: the last buffer that begins before it, since more accesses go beyond
  /// an end than before a start; without one the first buffer of all, or nullptr when there is none.
  [[nodiscard]] const Buffer* likely(Address address) const;

  [[nodiscard]] std::byte* at(Address address) { return base_ + address; }
  [[nodiscard]] const std::byte* at(Address address) const { return base_ + address; }
  [[nodiscard]] std::span<std::byte> bytes_of(const Buffer& buffer) { return {at(buffer.address), buffer.bytes}; }

 private:
  std::byte* base_ = nullptr;
  std::vector<Buffer> buffers_;  ///< sorted by address
  std::uint64_t next_ = 0;
};

}  // namespace teslasim

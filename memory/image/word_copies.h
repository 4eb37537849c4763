// SPDX-License-Identifier: Apache-2.0
// How threads of the host copy bytes to and from device memory: alone, or while others may touch the same bytes.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace teslasim {

/// Nobody else touches the bytes: as fast as the host can.
struct OwnWords {
  static void load(void* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static void store(std::byte* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

/// Blocks that run on several threads may meet in memory: that is found out afterwards, and their outcome is thrown
/// away. Until then words are read and written in no order, each as a whole where it stands at a multiple of its size,
/// as only texels in rows of an odd pitch do not.
class SharedWords {
 public:
  static void load(void* to, const std::byte* from, std::size_t bytes) {
    // Never written through: atomic_ref has no form for what is only read.
    each_part(const_cast<std::byte*>(from), static_cast<std::byte*>(to), bytes, [](auto shared, void* own) {
      const auto value = shared.load(std::memory_order_relaxed);
      std::memcpy(own, &value, sizeof value);
    });
  }
  static void store(std::byte* to, const void* from, std::size_t bytes) {
    each_part(to, static_cast<const std::byte*>(from), bytes, [](auto shared, const void* own) {
      typename decltype(shared)::value_type value{};
      std::memcpy(&value, own, sizeof value);
      shared.store(value, std::memory_order_relaxed);
    });
  }

 private:
  template <typename Part, typename Own, typename Copy>
  static void each(std::byte* shared, Own* own, std::size_t bytes, const Copy& copy) {
    for (std::size_t at = 0; at < bytes; at += sizeof(Part)) {
      copy(std::atomic_ref<Part>(*reinterpret_cast<Part*>(shared + at)), own + at);
    }
  }
  template <typename Own, typename Copy>
  static void each_part(std::byte* shared, Own* own, std::size_t bytes, const Copy& copy) {
    const std::size_t misplaced = (std::bit_cast<std::uintptr_t>(shared) | bytes) % sizeof(std::uint32_t);
    if (misplaced == 0) return each<std::uint32_t>(shared, own, bytes, copy);
    if (misplaced == 2) return each<std::uint16_t>(shared, own, bytes, copy);
    each<std::uint8_t>(shared, own, bytes, copy);
  }
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Which words of device memory one thread of the host has read and written, on behalf of the blocks that it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory/image/memory_access.h"
#include "memory/image/page_images.h"
#include "sim/base/types.h"

namespace teslasim {

/// Stands for nothing in hardware. A bit per word of 4 bytes, which takes host memory only where the program accesses
/// global memory. Local memory is private to a thread of the program and is left out; textures are, too: `wrote_in`
/// tells of their buffers. Bytes of one word are not told apart.
class MemoryFootprint {
 public:
  /// For addresses below `end`. `images` keeps what is about to be written, and outlives this object.
  MemoryFootprint(std::uint64_t end, PageImages& images);

  /// Before the access takes effect.
  void note(const MemoryAccess& access);
  /// True when no thread wrote a word that another one read or wrote: then it does not matter who came first.
  [[nodiscard]] static bool are_independent(std::span<const MemoryFootprint* const> threads);
  /// True when a word in [begin, begin + bytes) was written.
  [[nodiscard]] bool wrote_in(Address begin, std::uint64_t bytes) const;

 private:
  struct Release {
    void operator()(std::uint64_t* words) const;
  };
  /// Zero, and without host memory until touched.
  using Bits = std::unique_ptr<std::uint64_t[], Release>;
  static constexpr unsigned word_bits = 2;    ///< 4 bytes of memory
  static constexpr unsigned group_bits = 6;   ///< words of memory in a word of bits
  static constexpr unsigned region_bits = 8;  ///< words of bits in a region

  static Bits make(std::size_t words);
  void mark(Bits& bits, std::uint32_t word, std::uint32_t which);
  void mark_lanes(Bits& bits, const MemoryAccess& access, LaneMask lanes);

  PageImages& images_;
  std::size_t words_;
  Bits read_;
  Bits written_;
  std::vector<bool> touched_;  ///< by region
};

}  // namespace teslasim

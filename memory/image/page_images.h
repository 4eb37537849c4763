// SPDX-License-Identifier: Apache-2.0
// The bytes of device memory as they were when some threads of the host began to write it, so that this can be undone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

class DeviceMemory;

/// Stands for nothing in hardware. Every thread calls `keep` before it writes; the first one to reach a page copies it,
/// others wait for that. Costs host memory for pages that are written only.
class PageImages {
 public:
  static constexpr unsigned page_bits = 12;

  /// For addresses below `end`; `memory` outlives this object.
  PageImages(DeviceMemory& memory, std::uint64_t end);

  /// Safe from several threads at once. Bytes behind the end are left out.
  void keep(Address address, unsigned bytes) {
    const std::uint64_t last = std::min((std::uint64_t{address} + bytes - 1) >> page_bits, states_.size() - 1);
    for (std::uint64_t page = address >> page_bits; page <= last; ++page) {
      if (states_[page].load(std::memory_order_acquire) != State::kept) copy(page);
    }
  }
  /// Puts every kept page back. No thread may be writing.
  void restore();

 private:
  enum class State : std::uint8_t { untouched, copying, kept };
  using Image = std::array<std::byte, std::size_t{1} << page_bits>;

  void copy(std::uint64_t page);

  DeviceMemory& memory_;
  std::vector<std::atomic<State>> states_;
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Pointer chases through device memory: one thread, every access needs the one before.
#pragma once

#include <cstdint>

#include "sim/validation/micro_machine.h"

namespace teslasim {

class Chases {
 public:
  enum class Path : std::uint8_t { load, texture };
  static constexpr double step_share = 1.03;  ///< a latency that is higher by more than this is on another plateau

  /// Room for chases of up to `bytes`.
  Chases(MicroMachine& machine, std::int64_t bytes, Path path = Path::load);
  /// SP cycles of one access of a chase through `elements` words `stride` bytes apart, after a round through all. The
  /// loop costs the same for 16 and for 32 steps a round, so their difference is the steps alone.
  [[nodiscard]] double latency(std::int64_t elements, std::int64_t stride);

 private:
  [[nodiscard]] Address at(std::int64_t offset) const { return base_ + static_cast<Address>(offset); }
  [[nodiscard]] std::uint32_t pointer_to(std::int64_t offset) const;
  MicroMachine& machine_;
  Path path_;
  Address base_;
};

}  // namespace teslasim

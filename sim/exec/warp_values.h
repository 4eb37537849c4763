// SPDX-License-Identifier: Apache-2.0
// The values that a resident warp has, for those who only look.
#pragma once

#include <cstdint>

#include "isa/semantics/flags.h"
#include "sim/base/types.h"

namespace teslasim {

/// Valid until the stream is told something. A stream that knows no values, such as one that replays, has none here.
struct WarpValues {
  const std::uint32_t* rows = nullptr;   ///< 32 words each: general registers from $r0 on, then address registers
  unsigned registers = 0;                ///< general ones
  const FlagPlanes* flags = nullptr;     ///< $c0..$c3
  const std::uint8_t* shared = nullptr;  ///< the first byte of the block's shared memory

  [[nodiscard]] bool known() const { return rows != nullptr; }
  [[nodiscard]] const std::uint32_t* general(unsigned index) const { return rows + index * warp_size; }
  [[nodiscard]] const std::uint32_t* address(unsigned index) const { return rows + (registers + index) * warp_size; }
};

}  // namespace teslasim

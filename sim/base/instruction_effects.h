// SPDX-License-Identifier: Apache-2.0
// What one warp instruction did: to registers and to memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/lane_record.h"
#include "sim/base/types.h"

namespace teslasim {

/// Values are those of all 32 lanes; which of them count is said by the lanes of the instruction.
struct InstructionEffects {
  using Row = std::array<std::uint32_t, warp_size>;

  struct Register {
    bool address = false;  ///< $a rather than $r
    std::uint8_t index = 0;
    Row value{};
  };
  struct Flags {
    std::uint8_t index = 0;
    LaneMask zero = 0, sign = 0, carry = 0, overflow = 0;
  };
  /// What goes to memory; words of a lane lie one behind the other.
  struct Stored {
    LaneAccess::Space space = LaneAccess::Space::shared;
    std::string_view operation;  ///< of an atomic access; empty: a store
    std::uint8_t bytes = 4;      ///< per lane
    Row address{};
    std::vector<Row> words;
    std::vector<Row> exchanged;  ///< atomic compare and swap: the words to put there
  };

  bool known = true;       ///< the values are: of a recorded trace they are not
  bool awaited = false;    ///< registers are written later, or were not before the recording ended
  bool divergent = false;  ///< the warp's lanes go two ways
  bool finished = false;   ///< no lane of the warp runs behind it
  std::vector<Register> registers;
  std::vector<Flags> flags;
  std::optional<Stored> stored;
  std::vector<LaneAccess> accesses;
};

}  // namespace teslasim

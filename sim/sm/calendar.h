// SPDX-License-Identifier: Apache-2.0
// The messages inside one SM: what happens to an instruction in which later cycle.
#pragma once

#include <cstdint>

#include "sim/sm/event_wheel.h"
#include "sim/sm/instruction_record.h"

namespace teslasim {

/// One thing that will happen to the instruction of `record`: to its unit a message with the time stamp of its bucket.
struct SmEvent {
  enum class Kind : std::uint8_t {
    wake,               ///< to the issue stage: the instruction, or its next pass, is available
    fetch,              ///< to the front end: it is looked up in the instruction cache
    registers_written,  ///< to write-back
    flags_written,      ///< to write-back
  };
  InstructionRecord* record = nullptr;
  Kind kind = Kind::wake;
};

using Calendar = EventWheel<SmEvent>;

}  // namespace teslasim

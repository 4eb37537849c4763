// SPDX-License-Identifier: Apache-2.0
// Replaces instructions of later GPUs by instructions of this one: same class, same registers as far as they exist,
// same kind of memory access. Values would differ, and are never computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/accelsim_trace.h"

namespace teslasim {

enum class StandInClass : std::uint8_t {
  integer,
  integer_multiply,
  real_add,
  real_multiply,
  real_mad,
  convert,
  special,
  real64_add,
  real64_multiply,
  real64_mad,
  global_load,
  global_store,
  global_atomic,
  global_reduction,
  shared_load,
  shared_store,
  local_load,
  local_store,
  constant_load,
  branch,
  barrier,
  end,
  nothing,  ///< hints and counters: nop
};

struct StandIn {
  StandInClass what = StandInClass::integer;
  bool mapped = true;  ///< false: the opcode has no counterpart and an integer operation takes its place
};

/// By the opcode in front of the first '.'.
[[nodiscard]] StandIn stand_in_for(std::string_view opcode);

/// One line of assembly, without newline. Registers are numbered modulo 120, pairs and quads aligned.
[[nodiscard]] std::string stand_in_text(const ForeignInstruction& instruction);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// An instruction prepared for execution: where its operands are, decided once per launch.
//
// Stands for nothing in hardware. It keeps decisions out of the per-instruction path: operands that are plain register
// rows, literals or constants at a fixed address become a base and an offset, so that the common instruction copies
// nothing; other operands say how their value is gathered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "isa/semantics/flags.h"
#include "isa/semantics/lanes.h"
#include "sim/exec/launch.h"

namespace teslasim {

/// Bits of the low half of a register, and of an address register.
inline constexpr std::uint32_t low_half = 0xffffU;

enum class RowBase : std::uint8_t { warp, fixed };

struct SourcePlan {
  enum class Kind : std::uint8_t {
    row,       ///< `base` + `offset`: usable in place
    half,      ///< a 16-bit half of a row
    straddle,  ///< the even register of a pair exists, the odd one does not
    shared,
    constant,
    special,
  };
  Kind kind = Kind::row;
  RowBase base = RowBase::fixed;
  std::uint32_t offset = 0;        ///< words
  std::uint32_t value_mask = ~0U;  ///< 16-bit operations see the low half of a memory operand
};

struct DestinationPlan {
  enum class Kind : std::uint8_t { row, half, straddle };
  Kind kind = Kind::row;
  RowBase base = RowBase::fixed;  ///< fixed: the result is discarded
  std::uint32_t offset = 0;       ///< words
};

/// Which part of the executor carries the operation out.
enum class Route : std::uint8_t {
  data,           ///< lane-wise, operands usable in place
  data_gathered,  ///< lane-wise, some operand must be gathered or scattered
  store_shared,
  lock_shared,
  global,  ///< load, store, atom, red
  local,
  texture,
  control,
};

struct Operation {
  const Instruction* instruction = nullptr;
  Semantics semantics = nullptr;
  ConditionFunction condition = nullptr;  ///< null: all active lanes execute
  Route route = Route::data;
  std::uint8_t sources = 0;
  std::uint8_t guard = 0;            ///< flag register tested
  bool join = false, exit = false;   ///< the flags of the encoding; control instructions have none
  bool steps_address = false;        ///< a source steps its address register
  bool has_constant_access = false;  ///< a c[] operand at a fixed address: only recorded, its value is in a fixed row
  std::uint32_t constant_address = 0;
  LaneMask written = all_lanes;  ///< mov with a quad mask
  std::array<SourcePlan, 3> source{};
  DestinationPlan destination{};
};

/// All instructions of a kernel, and the rows of values that are the same for every warp.
struct OperationTable {
  std::vector<Operation> operations;
  std::vector<LaneRow> fixed_rows;  ///< the first `zero_rows` are zero
  /// Rows of one warp: its general registers, then $a0 up to the last address register that the kernel names ($a0 is
  /// never read or written here).
  unsigned warp_rows = 0;
};

inline constexpr unsigned zero_rows = 4;

[[nodiscard]] OperationTable prepare(const Launch& launch);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The operations of the Tesla instruction set (compute capability 1.0-1.3), one row each in opcodes.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace teslasim {

/// Which part of the SM executes an operation (Collange 2010, section 9).
enum class UnitClass : std::uint8_t {
  mad,      ///< 8 lanes: f32 add/mul/mad/min/max/set, conversions, all integer and logic
  sfu,      ///< special functions
  dp,       ///< double precision, GT200 only
  memory,   ///< global, local and texture path through the TPC
  control,  ///< branches, barriers, nop: handled at issue, no data path
};

/// Statistics class of an issued instruction (the split of `issued`).
enum class IssueClass : std::uint8_t {
  alu,
  mul,
  sfu,
  dp,
  branch,
  shared,
  constant,
  global,
  local,
  tex,
  barrier,
  other
};
inline constexpr unsigned issue_class_count = 12;

enum class Opcode : std::uint8_t {
#define OPCODE(name, ...) name,
#include "isa/opcodes.def"
#undef OPCODE
};

/// The row of an operation: everything that depends on the operation alone.
struct OpcodeInfo {
  std::string_view name;      ///< identifier, as in Opcode
  std::string_view mnemonic;  ///< base word in the assembly text
  UnitClass unit;
  IssueClass issue_class;
  std::uint8_t first_sm;         ///< 10..13: the first compute capability that has it
  std::uint8_t sources;          ///< number of source operands (at most; forms may use fewer)
  std::string_view description;  ///< one sentence for `teslasim explain`
};

[[nodiscard]] const OpcodeInfo& info(Opcode opcode);
/// The words users see for the classes: "MAD", "SFU", ... and "alu", "mul", ...
[[nodiscard]] std::string_view name_of(UnitClass unit);
[[nodiscard]] std::string_view name_of(IssueClass issue_class);
inline constexpr unsigned opcode_count = 0
#define OPCODE(...) +1
#include "isa/opcodes.def"
#undef OPCODE
    ;

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// What the conversion classes share: lanes of up to 64 bits, flags of the result, integers as sign and magnitude.
// Private to isa/semantics.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/semantics/lanes.h"
#include "isa/semantics/rounding.h"

namespace teslasim::semantics {

inline bool is_wide(ValueType type) {
  return bytes_of(type) == 8;
}

/// A source of up to 64 bits in one lane.
inline std::uint64_t source_bits(const LaneContext& context, ValueType type, unsigned lane) {
  const std::uint64_t low = context.source[0][lane];
  return is_wide(type) ? low | std::uint64_t{context.source[0][lane + warp_size]} << 32U : low;
}

/// Result of one lane: value and the O flag.
struct Converted {
  std::uint64_t bits = 0;
  bool overflow = false;
};

template <typename Function>
void convert_lanes(const Instruction& instruction, LaneContext& context, Function function) {
  LaneRow low;
  LaneRow high;
  LaneMask overflow = 0;
  for (unsigned i = 0; i < warp_size; ++i) {
    const Converted result = function(source_bits(context, instruction.source_type[0], i));
    low.lane[i] = static_cast<std::uint32_t>(result.bits);
    high.lane[i] = static_cast<std::uint32_t>(result.bits >> 32U);
    overflow |= static_cast<LaneMask>(result.overflow) << i;
  }
  write_lanes(context, context.destination, [&low](unsigned i) { return low.lane[i]; });
  if (is_wide(instruction.type)) {
    write_lanes(context, context.destination + warp_size, [&high](unsigned i) { return high.lane[i]; });
  }
  if (context.flags == nullptr) return;
  const BinaryFormat format = instruction.type == ValueType::f64   ? binary64
                              : instruction.type == ValueType::f16 ? binary16
                                                                   : binary32;
  const bool to_float =
      instruction.type == ValueType::f64 || instruction.type == ValueType::f16 || instruction.type == ValueType::f32;
  const unsigned sign_position = 8 * bytes_of(instruction.type) - 1;
  FlagPlanes flags;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint64_t value = low[i] | std::uint64_t{high[i]} << 32U;
    const bool nan = to_float && is_nan(value, format);
    const bool zero = to_float ? (value & (format.sign_bit() - 1)) == 0 : value == 0;
    const bool negative = (value >> sign_position & 1U) != 0 && !zero;
    flags.zero |= static_cast<LaneMask>(zero || nan) << i;
    flags.sign |= static_cast<LaneMask>(negative || nan) << i;
  }
  flags.overflow = overflow;
  write_flags(context, flags);
}

struct IntegerValue {
  std::uint64_t magnitude = 0;
  bool negative = false;
};

inline IntegerValue integer_value(std::uint64_t bits, ValueType type) {
  const unsigned unused = 64 - 8 * bytes_of(type);
  if (!is_signed(type)) return {bits << unused >> unused, false};
  const std::int64_t value = static_cast<std::int64_t>(bits << unused) >> unused;
  if (value >= 0) return {static_cast<std::uint64_t>(value), false};
  return {~static_cast<std::uint64_t>(value) + 1, true};
}

/// Clamps to the range of `bits` bits and returns the two's complement.
inline Converted clamped(const IntegerValue& value, unsigned bits, bool to_signed) {
  if (to_signed) {
    const std::uint64_t limit = std::uint64_t{1} << (bits - 1);
    if (value.negative) return {~std::min(value.magnitude, limit) + 1, value.magnitude > limit};
    return {std::min(value.magnitude, limit - 1), value.magnitude >= limit};
  }
  if (value.negative) return {0, value.magnitude != 0};
  const std::uint64_t limit = ~std::uint64_t{0} >> (64 - bits);
  return {std::min(value.magnitude, limit), value.magnitude > limit};
}

inline std::uint64_t cut(std::uint64_t bits, ValueType type) {
  const unsigned unused = 64 - 8 * bytes_of(type);
  return bits << unused >> unused;
}

inline BinaryFormat format_of(ValueType type) {
  if (type == ValueType::f64) return binary64;
  return type == ValueType::f16 ? binary16 : binary32;
}

[[nodiscard]] inline bool has_sign_modifier(const Operand& operand) {
  return operand.absolute || operand.negate;
}

[[nodiscard]] Semantics bind_integer_source(const Instruction& instruction);
[[nodiscard]] Semantics bind_float_source(const Instruction& instruction);

}  // namespace teslasim::semantics

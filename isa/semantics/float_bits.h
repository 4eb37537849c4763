// SPDX-License-Identifier: Apache-2.0
// Single-precision values as bit patterns: what the chip does to operands and results around the arithmetic itself.
// Denormals are flushed with integer masks, so nothing depends on the state of the host's floating-point unit.
// Rules: envytools documentation, Tesla floating-point instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/instruction.h"
#include "isa/semantics/lanes.h"

namespace teslasim::semantics {

inline constexpr std::uint32_t f32_sign = 0x80000000U;
inline constexpr std::uint32_t f32_infinity = 0x7f800000U;
inline constexpr std::uint32_t f32_nan = 0x7fffffffU;  ///< every NaN result of single-precision arithmetic
inline constexpr std::uint32_t f32_one = 0x3f800000U;
inline constexpr std::uint32_t f32_smallest_normal = 0x00800000U;
inline constexpr std::uint32_t f32_largest = 0x7f7fffffU;

[[nodiscard]] inline float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
[[nodiscard]] inline std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
[[nodiscard]] inline double as_double(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
[[nodiscard]] inline std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

/// Denormals become zero of the same sign.
[[nodiscard]] inline std::uint32_t flush(std::uint32_t bits) {
  return (bits & f32_infinity) != 0 ? bits : bits & f32_sign;
}
[[nodiscard]] inline bool is_nan(std::uint32_t bits) {
  return static_cast<std::int32_t>(bits & ~f32_sign) > static_cast<std::int32_t>(f32_infinity);
}
[[nodiscard]] inline std::uint32_t canonical(std::uint32_t bits) {
  return is_nan(bits) ? f32_nan : bits;
}
/// How every single-precision result leaves an arithmetic unit.
[[nodiscard]] inline std::uint32_t finished(std::uint32_t bits) {
  return canonical(flush(bits));
}

/// Clamp of a finished value to [0, 1]; NaN stays NaN, -0 becomes +0.
[[nodiscard]] inline std::uint32_t saturated(std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  const std::uint32_t not_negative = value < 0 ? 0U : bits;
  const bool above_one = value > static_cast<std::int32_t>(f32_one) && value <= static_cast<std::int32_t>(f32_infinity);
  return above_one ? f32_one : not_negative;
}

/// The neg and abs modifiers of one operand: absolute value first.
struct SignModifier {
  std::uint32_t keep = ~0U;
  std::uint32_t toggle = 0;

  explicit SignModifier(const Operand& operand)
      : keep(operand.absolute ? ~f32_sign : ~0U), toggle(operand.negate ? f32_sign : 0U) {}
  [[nodiscard]] std::uint32_t operator()(std::uint32_t bits) const { return (bits & keep) ^ toggle; }
};

/// Flags of a float result: its comparison with zero. >0: none, 0: Z, <0: S, NaN: Z and S.
inline void write_float_flags(const LaneContext& context) {
  if (context.flags == nullptr) return;
  const std::uint32_t* const result = aligned(context.destination);
  FlagPlanes flags;
  flags.zero = lanes_where([=](unsigned i) { return (flush(result[i]) & ~f32_sign) == 0 || is_nan(result[i]); });
  flags.sign = lanes_where([=](unsigned i) {
    const bool negative = static_cast<std::int32_t>(flush(result[i])) < 0;
    return (negative && flush(result[i]) != f32_sign) || is_nan(result[i]);
  });
  write_flags(context, flags);
}

}  // namespace teslasim::semantics

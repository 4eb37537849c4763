// SPDX-License-Identifier: Apache-2.0
// Single-precision comparison, minimum, maximum and select.
// Rules: envytools documentation, Tesla floating-point instructions.
#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/wide.h"

namespace teslasim::semantics {

namespace {

/// Integers in the order of the numbers, -0 just below +0. No meaning for NaN.
std::int32_t ordering_key(std::uint32_t flushed) {
  const auto value = static_cast<std::int32_t>(flushed);
  return value ^ static_cast<std::int32_t>(static_cast<std::uint32_t>(value >> 31U) >> 1U);
}

void set(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  const auto word = [&](Relations relation) { return includes(instruction.compare, relation) ? ~0U : 0U; };
  const std::uint32_t less = word(Relations::less);
  const std::uint32_t equal = word(Relations::equal);
  const std::uint32_t greater = word(Relations::greater);
  const std::uint32_t unordered = word(Relations::unordered);
  map2(context, [=](std::uint32_t left, std::uint32_t right) {
    const std::uint32_t a = flush(first(left));
    const std::uint32_t b = flush(second(right));
    // Masks instead of branches, for the sake of the host's vector units.
    const std::uint32_t same = (a == b ? ~0U : 0U) | (((a | b) & ~f32_sign) == 0 ? ~0U : 0U);
    const std::uint32_t nan = (is_nan(a) ? ~0U : 0U) | (is_nan(b) ? ~0U : 0U);
    const std::uint32_t unequal = ordering_key(a) < ordering_key(b) ? less : greater;
    const std::uint32_t ordered = (equal & same) | (unequal & ~same);
    return (unordered & nan) | (ordered & ~nan);
  });
  write_integer_flags<32>(context);  // all ones gives S, zero gives Z: the values 2 and 1 of the hardware
}

enum class Extreme : std::uint8_t { minimum, maximum };

/// A single NaN loses; two give the canonical NaN.
template <Extreme kind>
void extreme(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  map2(context, [=](std::uint32_t left, std::uint32_t right) {
    const std::uint32_t a = flush(first(left));
    const std::uint32_t b = flush(second(right));
    const bool b_larger = ordering_key(a) < ordering_key(b);
    const std::uint32_t ordered = b_larger == (kind == Extreme::maximum) ? b : a;
    const std::uint32_t without_a = is_nan(a) ? canonical(b) : ordered;
    return is_nan(b) ? canonical(a) : without_a;
  });
  write_float_flags(context);
}

/// First operand when the tested value is zero or positive, else (negative or NaN) the second. Flags look at raw bits.
void select(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t toggle = instruction.select().negated != instruction.source[2].negate ? f32_sign : 0U;
  map3(context, [=](std::uint32_t a, std::uint32_t b, std::uint32_t tested) {
    const std::uint32_t c = flush(tested ^ toggle);
    const auto value = static_cast<std::int32_t>(c);
    const bool not_negative = (c & ~f32_sign) == 0 || (value > 0 && value <= static_cast<std::int32_t>(f32_infinity));
    return not_negative ? a : b;
  });
  if (context.flags == nullptr) return;
  const std::uint32_t* const result = aligned(context.destination);
  FlagPlanes flags;
  flags.zero = lanes_where([=](unsigned i) { return (result[i] & ~f32_sign) == 0; });
  flags.sign = lanes_where([=](unsigned i) { return result[i] > f32_sign; });
  write_flags(context, flags);
}

}  // namespace

Semantics bind_float_compare(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::fset:
      return widest<&set>();
    case Opcode::fmin:
      return widest<&extreme<Extreme::minimum>>();
    case Opcode::fmax:
      return widest<&extreme<Extreme::maximum>>();
    default:
      return widest<&select>();
  }
}

}  // namespace teslasim::semantics

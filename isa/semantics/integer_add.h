// SPDX-License-Identifier: Apache-2.0
// Integer addition with the carry and overflow rules shared by add, sub, subr, addc and integer mad.
#pragma once

#include <cstdint>

#include "isa/semantics/lanes.h"

namespace teslasim::semantics {

enum class Overflow : std::uint8_t { wrap, saturate };

/// One lane: operands after complementing, in the top `bits` of the word, so that carry and sign sit at bit 31 for both
/// sizes. A subtraction is x + ~y + 1: C set means "no borrow" (envytools documentation, integer arithmetic).
struct Sum {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t wrapped = 0;

  [[nodiscard]] std::uint32_t carry() const { return (x & y) | ((x | y) & ~wrapped); }  ///< bit 31
  [[nodiscard]] std::uint32_t overflow() const { return ~(x ^ y) & (x ^ wrapped); }     ///< bit 31
  [[nodiscard]] std::uint32_t saturated() const {
    const std::uint32_t limit = 0x7fffffffU + (x >> 31U);
    return (overflow() >> 31U) != 0 ? limit : wrapped;
  }
};

template <unsigned bits, AddKind kind>
[[nodiscard]] inline Sum sum_of(std::uint32_t first, std::uint32_t second, std::uint32_t carry_in) {
  constexpr unsigned shift = 32 - bits;
  Sum sum;
  sum.x = (kind == AddKind::subr ? ~first : first) << shift;
  sum.y = (kind == AddKind::sub ? ~second : second) << shift;
  const std::uint32_t carry = kind == AddKind::addc ? carry_in : (kind == AddKind::add ? 0U : 1U);
  sum.wrapped = sum.x + sum.y + (carry << shift);
  return sum;
}

/// destination = first (op) second with all flags. The rows may be the destination.
template <unsigned bits, AddKind kind, Overflow mode>
void add_rows(const LaneContext& context, const std::uint32_t* first, const std::uint32_t* second) {
  constexpr unsigned shift = 32 - bits;
  const std::uint32_t* const a = aligned(first);
  const std::uint32_t* const b = aligned(second);
  const LaneMask carry_plane = kind == AddKind::addc ? context.guard->carry : 0;
  const auto at = [=](unsigned i) { return sum_of<bits, kind>(a[i], b[i], select_word(carry_plane, i) & 1U); };
  LaneMask carry = 0;
  LaneMask overflow = 0;
  if (context.flags != nullptr) {
    carry = lanes_where([=](unsigned i) { return (at(i).carry() >> 31U) != 0; });
    overflow = lanes_where([=](unsigned i) { return (at(i).overflow() >> 31U) != 0; });
  }
  write_lanes(context, context.destination, [=](unsigned i) {
    const Sum sum = at(i);
    // 16-bit saturation: the limit of the top half, cut back to 16 bits, is the limit of the half.
    return (mode == Overflow::saturate ? sum.saturated() : sum.wrapped) >> shift;
  });
  write_integer_flags<bits>(context, carry, overflow);
}

}  // namespace teslasim::semantics

// SPDX-License-Identifier: Apache-2.0
// Integer add, sub, subr, addc, sad, set, min, max and shifts in 16 and 32 bits, with their flags.
// Rules: envytools documentation, Tesla integer arithmetic instructions.
#include <array>
#include <cstddef>

#include "isa/semantics/families.h"
#include "isa/semantics/integer_add.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/wide.h"

namespace teslasim::semantics {

namespace {

template <unsigned bits>
std::int32_t signed_value(std::uint32_t value) {
  constexpr unsigned shift = 32 - bits;
  return static_cast<std::int32_t>(value << shift) >> shift;
}

template <unsigned bits>
constexpr std::uint32_t all_ones = ~0U >> (32 - bits);

template <unsigned bits, AddKind kind, Overflow mode>
void add(const Instruction& /*instruction*/, LaneContext& context) {
  add_rows<bits, kind, mode>(context, context.source[0], context.source[1]);
}

template <unsigned bits, AddKind kind>
Semantics pick_mode(const Instruction& instruction) {
  return instruction.saturate ? widest<&add<bits, kind, Overflow::saturate>>()
                              : widest<&add<bits, kind, Overflow::wrap>>();
}

template <unsigned bits>
Semantics pick_add(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::sub:
      return pick_mode<bits, AddKind::sub>(instruction);
    case Opcode::subr:
      return pick_mode<bits, AddKind::subr>(instruction);
    case Opcode::addc:
      return pick_mode<bits, AddKind::addc>(instruction);
    default:
      return pick_mode<bits, AddKind::add>(instruction);
  }
}

/// Order of two integers of the instruction's size and sign.
template <unsigned bits, bool is_signed_type>
bool less(std::uint32_t a, std::uint32_t b) {
  if constexpr (is_signed_type) return signed_value<bits>(a) < signed_value<bits>(b);
  return a < b;
}

template <unsigned bits, bool is_signed_type>
void sad(const Instruction& /*instruction*/, LaneContext& context) {
  LaneRow difference;
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) {
    difference.lane[i] = (less<bits, is_signed_type>(a[i], b[i]) ? b[i] - a[i] : a[i] - b[i]) & all_ones<bits>;
  }
  add_rows<32, AddKind::add, Overflow::wrap>(context, difference.data(), context.source[2]);
}

template <unsigned bits, bool is_signed_type>
void set(const Instruction& instruction, LaneContext& context) {
  const std::uint32_t if_less = includes(instruction.compare, Relations::less) ? all_ones<bits> : 0;
  const std::uint32_t if_equal = includes(instruction.compare, Relations::equal) ? all_ones<bits> : 0;
  const std::uint32_t if_greater = includes(instruction.compare, Relations::greater) ? all_ones<bits> : 0;
  map2(context, [=](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t unequal = less<bits, is_signed_type>(a, b) ? if_less : if_greater;
    return a == b ? if_equal : unequal;
  });
  write_integer_flags<bits>(context);  // all ones gives S, zero gives Z: the values 2 and 1 of the hardware
}

template <unsigned bits, bool is_signed_type>
void maximum(const Instruction& /*instruction*/, LaneContext& context) {
  map2(context, [](std::uint32_t a, std::uint32_t b) { return less<bits, is_signed_type>(a, b) ? b : a; });
  write_integer_flags<bits>(context);
}

template <unsigned bits, bool is_signed_type>
void minimum(const Instruction& /*instruction*/, LaneContext& context) {
  map2(context, [](std::uint32_t a, std::uint32_t b) { return less<bits, is_signed_type>(a, b) ? a : b; });
  write_integer_flags<bits>(context);
}

enum class Shift : std::uint8_t { left, right, right_arithmetic };

template <unsigned bits, Shift kind>
std::uint32_t shifted(std::uint32_t value, std::uint32_t count) {
  constexpr std::uint32_t word = 32;
  if constexpr (kind == Shift::right_arithmetic) {
    const std::uint32_t limited = count < word ? count : word - 1;
    return static_cast<std::uint32_t>(signed_value<bits>(value) >> limited) & all_ones<bits>;
  }
  const std::uint32_t within = count & (word - 1);
  const std::uint32_t result = kind == Shift::left ? value << within : value >> within;
  return count < word ? result & all_ones<bits> : 0;
}

/// The last bit shifted out, for counts of 1 to bits - 1.
template <unsigned bits, Shift kind>
bool carry_of_shift(std::uint32_t value, std::uint32_t count) {
  if (count == 0 || count >= bits) return false;
  const std::uint32_t position = kind == Shift::left ? bits - count : count - 1;
  return (value >> position & 1U) != 0;
}

template <unsigned bits, Shift kind>
void write_shift_flags(const LaneContext& context, const LaneRow& value, const LaneRow& count) {
  const std::uint32_t* const result = context.destination;
  LaneMask carry = 0;
  LaneMask overflow = 0;
  for (unsigned i = 0; i < warp_size; ++i) {
    carry |= static_cast<LaneMask>(carry_of_shift<bits, kind>(value[i], count[i])) << i;
    const bool sign_changed = ((value[i] ^ result[i]) >> (bits - 1) & 1U) != 0;
    overflow |= static_cast<LaneMask>(count[i] == 1 && sign_changed) << i;
  }
  write_integer_flags<bits>(context, carry, overflow);
}

LaneRow copy_row(const std::uint32_t* row) {
  LaneRow copy;
  for (unsigned i = 0; i < warp_size; ++i) copy.lane[i] = row[i];
  return copy;
}

template <unsigned bits, Shift kind>
void shift_rows(LaneContext& context) {
  map2(context, [](std::uint32_t a, std::uint32_t n) { return shifted<bits, kind>(a, n); });
}

template <unsigned bits, Shift kind>
void shift(const Instruction& instruction, LaneContext& context) {
  if (context.flags != nullptr) {
    const LaneRow value = copy_row(context.source[0]);
    const LaneRow count = copy_row(context.source[1]);
    shift_rows<bits, kind>(context);
    return write_shift_flags<bits, kind>(context, value, count);
  }
  if (instruction.source[1].kind != Operand::Kind::immediate) return shift_rows<bits, kind>(context);
  // A count that is the same for all lanes: hosts have vector shifts for that.
  const std::uint32_t count = context.source[1][0];
  map1(context, [=](std::uint32_t a) { return shifted<bits, kind>(a, count); });
}

/// One function per size and sign.
template <Semantics u16, Semantics s16, Semantics u32, Semantics s32>
Semantics choose(ValueType type) {
  const bool narrow = bytes_of(type) == 2;
  if (is_signed(type)) return narrow ? widest<s16>() : widest<s32>();
  return narrow ? widest<u16>() : widest<u32>();
}

}  // namespace

Semantics bind_integer_add(const Instruction& instruction) {
  if (instruction.opcode == Opcode::sad) {
    return choose<&sad<16, false>, &sad<16, true>, &sad<32, false>, &sad<32, true>>(instruction.type);
  }
  return bytes_of(instruction.type) == 2 ? pick_add<16>(instruction) : pick_add<32>(instruction);
}

Semantics bind_integer_compare(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::set:
      return choose<&set<16, false>, &set<16, true>, &set<32, false>, &set<32, true>>(instruction.type);
    case Opcode::max:
      return choose<&maximum<16, false>, &maximum<16, true>, &maximum<32, false>, &maximum<32, true>>(instruction.type);
    default:
      return choose<&minimum<16, false>, &minimum<16, true>, &minimum<32, false>, &minimum<32, true>>(instruction.type);
  }
}

Semantics bind_shift(const Instruction& instruction) {
  if (instruction.opcode == Opcode::shl) {
    return bytes_of(instruction.type) == 2 ? widest<&shift<16, Shift::left>>() : widest<&shift<32, Shift::left>>();
  }
  return choose<&shift<16, Shift::right>, &shift<16, Shift::right_arithmetic>, &shift<32, Shift::right>,
                &shift<32, Shift::right_arithmetic>>(instruction.type);
}

}  // namespace teslasim::semantics

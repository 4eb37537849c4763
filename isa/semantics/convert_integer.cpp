// SPDX-License-Identifier: Apache-2.0
// cvt from integers, to integers and to floats, and the choice between the classes of cvt.
// Order of steps: absolute value, negation, conversion with rounding, saturation.
// Rules: envytools documentation, Tesla conversions.
// Not modelled: the defect of the hardware in integer to f16 (no compiler emits it).
#include <type_traits>

#include "isa/semantics/convert.h"
#include "isa/semantics/families.h"
#include "isa/semantics/float_bits.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/rounding.h"
#include "isa/semantics/wide.h"

namespace teslasim::semantics {

namespace {

// --- integer to integer

IntegerValue modified(IntegerValue value, const Operand& operand) {
  if (operand.absolute) value.negative = false;
  value.negative = value.negative != operand.negate;
  return value;
}

void integer_to_integer(const Instruction& instruction, LaneContext& context) {
  constexpr unsigned byte_bits = 8;  // saturate: clamp to 8 bits of the destination's sign
  const unsigned bits = instruction.saturate ? byte_bits : 8 * bytes_of(instruction.type);
  const bool to_signed = is_signed(instruction.type);
  convert_lanes(instruction, context, [&](std::uint64_t source) {
    const IntegerValue value = modified(integer_value(source, instruction.source_type[0]), instruction.source[0]);
    return Converted{cut(clamped(value, bits, to_signed).bits, instruction.type), false};
  });
}

/// The destination holds every source value: only an extension is left.
template <unsigned bits, bool is_signed_type>
void extend(const Instruction& instruction, LaneContext& context) {
  constexpr unsigned shift = 32 - bits;
  const std::uint32_t mask = bytes_of(instruction.type) == 2 ? 0xffffU : ~0U;
  map1(context, [=](std::uint32_t a) {
    if constexpr (is_signed_type)
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(a << shift) >> shift) & mask;
    return (a << shift >> shift) & mask;
  });
  if (mask == ~0U) return write_integer_flags<32>(context);
  write_integer_flags<16>(context);
}

/// Between 32-bit integers without modifiers: only the other sign's half of the range is clamped.
void signed_to_unsigned(const Instruction& /*instruction*/, LaneContext& context) {
  map1(context, [](std::uint32_t a) { return static_cast<std::int32_t>(a) < 0 ? 0U : a; });
  write_integer_flags<32>(context);
}

void unsigned_to_signed(const Instruction& /*instruction*/, LaneContext& context) {
  map1(context, [](std::uint32_t a) { return static_cast<std::int32_t>(a) < 0 ? 0x7fffffffU : a; });
  write_integer_flags<32>(context);
}

bool has_no_modifier(const Instruction& instruction) {
  return !has_sign_modifier(instruction.source[0]) && !instruction.saturate;
}

Semantics pick_extend(ValueType source) {
  switch (source) {
    case ValueType::u8:
      return widest<&extend<8, false>>();
    case ValueType::s8:
      return widest<&extend<8, true>>();
    case ValueType::u16:
      return widest<&extend<16, false>>();
    case ValueType::s16:
      return widest<&extend<16, true>>();
    default:
      return widest<&extend<32, false>>();
  }
}

bool only_extends(const Instruction& instruction) {
  const ValueType source = instruction.source_type[0];
  if (!has_no_modifier(instruction)) return false;
  if (is_signed(source)) return is_signed(instruction.type) && bytes_of(source) <= bytes_of(instruction.type);
  return bytes_of(source) + (is_signed(instruction.type) ? 1U : 0U) <= bytes_of(instruction.type);
}

// --- integer to float

Rounding mirrored(Rounding mode) {
  if (mode == Rounding::up) return Rounding::down;
  return mode == Rounding::down ? Rounding::up : mode;
}

void integer_to_float(const Instruction& instruction, LaneContext& context) {
  const ValueType source_type = instruction.source_type[0];
  const BinaryFormat format = format_of(instruction.type);
  const bool wide = is_wide(source_type) || is_wide(instruction.type);
  convert_lanes(instruction, context, [&](std::uint64_t source) {
    const IntegerValue value = modified(integer_value(source, source_type), instruction.source[0]);
    std::uint64_t bits = value.negative ? format.sign_bit() : 0;
    // The 64-bit converter turns the mode for negative results of signed sources only.
    const bool unturned = wide && !is_signed(source_type) && value.negative;
    const Rounding mode = unturned ? mirrored(instruction.rounding) : instruction.rounding;
    if (value.magnitude != 0) bits = round_to_format({value.negative, 0, value.magnitude, false}, format, mode);
    if (instruction.saturate && instruction.type == ValueType::f32) bits = saturated(static_cast<std::uint32_t>(bits));
    return Converted{bits, false};
  });
}

/// To nearest without modifiers: the host does the same.
template <typename Integer>
void integer_to_f32(const Instruction& /*instruction*/, LaneContext& context) {
  map1(context, [](std::uint32_t a) {
    if constexpr (std::is_same_v<Integer, std::uint32_t>) return bits_of(static_cast<float>(a));
    return bits_of(static_cast<float>(static_cast<std::int32_t>(static_cast<Integer>(a))));
  });
  write_float_flags(context);
}

Semantics pick_integer_to_f32(ValueType source) {
  switch (source) {
    case ValueType::u8:
      return widest<&integer_to_f32<std::uint8_t>>();
    case ValueType::s8:
      return widest<&integer_to_f32<std::int8_t>>();
    case ValueType::u16:
      return widest<&integer_to_f32<std::uint16_t>>();
    case ValueType::s16:
      return widest<&integer_to_f32<std::int16_t>>();
    case ValueType::s32:
      return widest<&integer_to_f32<std::int32_t>>();
    default:
      return widest<&integer_to_f32<std::uint32_t>>();
  }
}

}  // namespace

Semantics bind_integer_source(const Instruction& instruction) {
  const ValueType source = instruction.source_type[0];
  const ValueType target = instruction.type;
  if (instruction.opcode == Opcode::convert_int_float) {
    const bool plain = target == ValueType::f32 && !is_wide(source) && instruction.rounding == Rounding::nearest &&
                       has_no_modifier(instruction);
    return plain ? pick_integer_to_f32(source) : &integer_to_float;
  }
  if (only_extends(instruction)) return pick_extend(source);
  if (!has_no_modifier(instruction)) return &integer_to_integer;
  if (source == ValueType::s32 && target == ValueType::u32) return &signed_to_unsigned;
  if (source == ValueType::u32 && target == ValueType::s32) return &unsigned_to_signed;
  return &integer_to_integer;
}

Semantics bind_convert(const Instruction& instruction) {
  const bool from_integer =
      instruction.opcode == Opcode::convert_int_int || instruction.opcode == Opcode::convert_int_float;
  return from_integer ? bind_integer_source(instruction) : bind_float_source(instruction);
}

}  // namespace teslasim::semantics

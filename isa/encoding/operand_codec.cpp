// SPDX-License-Identifier: Apache-2.0
#include "isa/encoding/operand_codec.h"

#include <fmt/format.h>

#include <array>

namespace teslasim {
namespace {

using Kind = Operand::Kind;
using Half = Operand::Half;

constexpr unsigned bit_bucket = 127;
constexpr unsigned second_from_constant = 23;
constexpr unsigned post_increment_bit = 25;
constexpr unsigned address_low = 26;
constexpr unsigned address_high = 34;
constexpr unsigned output_bit = 35;
constexpr unsigned bank_low = 54;
constexpr std::array access_types{ValueType::u8, ValueType::u16, ValueType::s16, ValueType::b32};

/// In compute programs an instruction with both constant bits set reads a space of geometry programs.
void refuse_both_constant_bits(FieldCodec& codec) {
  if (codec.decoding() && codec.peek(second_from_constant, 2) == 3) codec.fail("a space of geometry programs");
}

/// True when the operand is of `kind`: found in the words when decoding, given when encoding.
bool choose(FieldCodec& codec, Operand& operand, Kind kind, unsigned bit) {
  bool chosen = operand.kind == kind;
  codec.flag(bit, chosen);
  if (codec.decoding() && chosen) operand.kind = kind;
  return chosen;
}

void register_index(FieldCodec& codec, Operand& operand, unsigned low, unsigned width, unsigned alignment) {
  unsigned index = operand.index;
  if (!codec.decoding() && index >> width != 0) {
    codec.fail(fmt::format("$r{} does not fit a field of {} bits", index, width));
    return;
  }
  codec.bits(low, width, index);
  if (index % alignment != 0) codec.fail(fmt::format("$r{} is not a multiple of {}", index, alignment));
  operand.index = static_cast<std::uint8_t>(index);
  if (codec.decoding()) operand.half = Half::full;
  if (operand.half != Half::full) codec.fail("a register half where a whole register belongs");
}

void half_register_index(FieldCodec& codec, Operand& operand, unsigned low, unsigned width) {
  unsigned index = 2U * operand.index + (operand.half == Half::high ? 1U : 0U);
  if (!codec.decoding()) {
    codec.require(operand.half != Half::full, "a 16-bit operand is a register half (.lo or .hi)");
    if (index >> width != 0) codec.fail(fmt::format("the halves of $r{} cannot be named here", operand.index));
    if (codec.failed()) return;
  }
  codec.bits(low, width, index);
  operand.index = static_cast<std::uint8_t>(index / 2);
  operand.half = index % 2 == 0 ? Half::low : Half::high;
}

}  // namespace

void register_operand(FieldCodec& codec, Operand& operand, unsigned low, unsigned width, unsigned bytes) {
  if (codec.decoding()) operand.kind = Kind::gpr;
  if (operand.kind != Kind::gpr) {
    codec.fail("an operand that must be a register is not one");
    return;
  }
  if (bytes <= 2) {
    half_register_index(codec, operand, low, width);
  } else {
    register_index(codec, operand, low, width, bytes / 4);
  }
}

void result_operand(FieldCodec& codec, Operand& operand, unsigned bytes) {
  constexpr unsigned low = 2;
  constexpr unsigned width = 7;
  if (!choose(codec, operand, Kind::discard, output_bit)) {
    register_operand(codec, operand, low, width, bytes);
    return;
  }
  codec.constant(low, width, bit_bucket);
}

void address_field(FieldCodec& codec, Operand& operand, FieldSize size) {
  if (!codec.take_address_field()) {
    codec.require(operand.address_register == 0 && !operand.post_increment,
                  "only the first memory operand can use an address register");
    return;
  }
  unsigned low = operand.address_register & 3U;
  unsigned high = operand.address_register >> 2U;
  codec.bits(address_low, 2, low);
  if (size == FieldSize::long_fields) {
    codec.bits(address_high, 1, high);
  } else if (!codec.decoding()) {
    codec.require(high == 0, "the short and immediate forms know only $ofs1 to $ofs3");
  } else {
    high = 0;
  }
  operand.address_register = static_cast<std::uint8_t>(low | high << 2U);
  codec.flag(post_increment_bit, operand.post_increment);
}

void narrow_offset(FieldCodec& codec, Operand& operand, unsigned low, unsigned width, unsigned unit) {
  const auto scale = static_cast<std::int32_t>(unit);
  const std::int32_t values = std::int32_t{1} << width;
  const std::int32_t minimum = operand.post_increment ? -values / 2 : 0;
  if (codec.decoding()) {
    std::int32_t raw = 0;
    codec.bits(low, width, raw);
    operand.offset = (raw >= minimum + values ? raw - values : raw) * scale;
    return;
  }
  const std::int32_t units = operand.offset / scale;
  if (operand.offset % scale != 0 || units < minimum || units >= minimum + values) {
    codec.fail(fmt::format("the offset {} does not fit: {} to {} in steps of {}", operand.offset, minimum * scale,
                           (minimum + values - 1) * scale, scale));
    return;
  }
  unsigned raw = static_cast<unsigned>(units) & static_cast<unsigned>(values - 1);
  codec.bits(low, width, raw);
}

void wide_offset(FieldCodec& codec, Operand& operand, unsigned unit) {
  constexpr unsigned low = 9;
  constexpr std::int32_t addresses = 0x10000;
  const unsigned width = unit == 4 ? 14 : unit == 2 ? 15 : 16;
  const auto scale = static_cast<std::int32_t>(unit);
  if (codec.decoding()) {
    std::int32_t raw = 0;
    codec.bits(low, width, raw);
    operand.offset = raw * scale;
    if (operand.post_increment && operand.offset >= addresses / 2) operand.offset -= addresses;
    return;
  }
  const bool in_range = operand.offset >= -addresses / 2 && operand.offset < addresses;
  if (operand.offset % scale != 0 || !in_range) {
    codec.fail(fmt::format("the offset {} does not fit: 16 bits in steps of {}", operand.offset, scale));
    return;
  }
  unsigned raw = (static_cast<unsigned>(operand.offset) & 0xffffU) / unit;
  codec.bits(low, width, raw);
}

void access_type(FieldCodec& codec, Operand& operand, unsigned low) {
  unsigned code = 0;
  switch (bytes_of(operand.type)) {
    case 1:
      code = 0;
      break;
    case 2:
      code = is_signed(operand.type) ? 2 : 1;
      break;
    default:
      code = 3;
      break;
  }
  codec.bits(low, 2, code);
  if (codec.decoding()) operand.type = access_types[code];
}

void shared_operand(FieldCodec& codec, Operand& operand, FieldSize size) {
  constexpr unsigned offset_low = 9;
  const unsigned offset_width = size == FieldSize::long_fields ? 5 : 4;
  address_field(codec, operand, size);
  access_type(codec, operand, offset_low + offset_width);
  narrow_offset(codec, operand, offset_low, offset_width, bytes_of(operand.type));
}

void constant_operand(FieldCodec& codec, Operand& operand, unsigned low, unsigned unit) {
  address_field(codec, operand, FieldSize::long_fields);
  codec.bits(bank_low, 4, operand.bank);
  narrow_offset(codec, operand, low, 7, unit);
}

void short_constant_operand(FieldCodec& codec, Operand& operand, unsigned unit) {
  constexpr unsigned low = 16;
  constexpr unsigned bank_bit = 21;
  address_field(codec, operand, FieldSize::short_fields);
  if (operand.bank > 1) {
    codec.fail(fmt::format("the short form cannot name bank c{}", operand.bank));
    return;
  }
  codec.bits(bank_bit, 1, operand.bank);
  narrow_offset(codec, operand, low, 5, unit);
}

void register_or_shared(FieldCodec& codec, Operand& operand, FieldSize size, unsigned bytes) {
  constexpr unsigned low = 9;
  const bool is_long = size == FieldSize::long_fields;
  if (choose(codec, operand, Kind::shared, is_long ? 53 : 24)) {
    shared_operand(codec, operand, size);
  } else {
    register_operand(codec, operand, low, is_long ? 7 : 6, bytes);
  }
  if (is_long) refuse_both_constant_bits(codec);
}

void register_or_constant(FieldCodec& codec, Operand& operand, unsigned low, unsigned choice, unsigned bytes) {
  if (choose(codec, operand, Kind::constant, choice)) {
    constant_operand(codec, operand, low, bytes < 4 ? 2 : 4);
  } else {
    register_operand(codec, operand, low, 7, bytes);
  }
}

void short_register_or_constant(FieldCodec& codec, Operand& operand, unsigned bytes) {
  constexpr unsigned low = 16;
  refuse_both_constant_bits(codec);
  if (choose(codec, operand, Kind::constant, second_from_constant)) {
    short_constant_operand(codec, operand, bytes < 4 ? 2 : 4);
  } else {
    register_operand(codec, operand, low, 6, bytes);
  }
}

}  // namespace teslasim

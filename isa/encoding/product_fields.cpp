// SPDX-License-Identifier: Apache-2.0
// Fields of the multiply-and-add family, and the modifiers of short and immediate forms.
#include <algorithm>
#include <array>

#include "isa/encoding/fields.h"

namespace teslasim::fields {
namespace {

constexpr unsigned m1 = 8;
constexpr unsigned m2 = 15;
constexpr unsigned m3 = 22;
constexpr std::uint8_t saturating_product_sm = 12;

/// A kind of integer product; the position in a list is its code.
struct Product {
  bool is_24 = false;
  bool is_signed_product = false;
  bool high = false;
  bool saturate = false;

  friend bool operator==(const Product&, const Product&) = default;
};

constexpr std::array long_products{Product{false, false, false, false}, Product{false, true, false, false},
                                   Product{false, true, false, true},   Product{true, false, false, false},
                                   Product{true, true, false, false},   Product{true, true, false, true},
                                   Product{true, false, true, false},   Product{true, true, true, false}};

Product product_of(const Instruction& instruction) {
  return {instruction.product_24, is_signed(instruction.source_type[0]), instruction.high, instruction.saturate};
}

void set_product(Instruction& instruction, const Product& product) {
  instruction.product_24 = product.is_24;
  instruction.high = product.high;
  instruction.saturate = product.saturate;
  instruction.type = product.is_signed_product ? ValueType::s32 : ValueType::u32;
  const ValueType half = product.is_signed_product ? ValueType::s16 : ValueType::u16;
  instruction.source_type[0] = instruction.source_type[1] = product.is_24 ? instruction.type : half;
}

/// The code of the product among the first `kinds`, or `kinds` when it is not there.
std::size_t product_code(const Instruction& instruction, std::size_t kinds) {
  const auto* const end = long_products.begin() + kinds;
  return static_cast<std::size_t>(std::find(long_products.begin(), end, product_of(instruction)) -
                                  long_products.begin());
}

bool short_size_is_word(FieldCodec& codec, const Instruction& instruction) {
  const unsigned bytes = bytes_of(instruction.type);
  codec.require(codec.decoding() || bytes == 2 || bytes == 4, "the operation works on 16 or 32 bits");
  bool is_word = bytes == 4;
  codec.flag(m2, is_word);
  return is_word;
}

ValueType integer_type(bool is_word, bool is_signed_type) {
  if (is_word) return is_signed_type ? ValueType::s32 : ValueType::u32;
  return is_signed_type ? ValueType::s16 : ValueType::u16;
}

}  // namespace

void mad_product(FieldCodec& codec, Instruction& instruction) {
  std::size_t code = product_code(instruction, long_products.size());
  codec.require(code < long_products.size(), "mad has no such product");
  if (codec.failed()) return;
  codec.bits(61, 3, code);
  set_product(instruction, long_products[code]);
}
void mad_high_saturated(FieldCodec& codec, Instruction& instruction) {
  constexpr Product product{true, true, true, true};
  if (codec.decoding()) set_product(instruction, product);
  codec.require(product_of(instruction) == product, "mad has no such product");
}
void mad_operation(FieldCodec& codec, Instruction& instruction) {
  codec.bits(58, 2, instruction.mad_operation);
}

void short_mad_product(FieldCodec& codec, Instruction& instruction) {
  constexpr std::size_t kinds = 4;
  std::size_t code = product_code(instruction, kinds);
  codec.require(code < kinds, "this form of mad has no such product");
  if (codec.failed()) return;
  unsigned low = code & 1U;
  unsigned high = static_cast<unsigned>(code >> 1U);
  codec.bits(m1, 1, low);
  codec.bits(m2, 1, high);
  set_product(instruction, long_products[low | high << 1U]);
}
void short_mad_operation(FieldCodec& codec, Instruction& instruction) {
  const auto code = static_cast<unsigned>(instruction.mad_operation);
  unsigned low = code & 1U;
  unsigned high = code >> 1U;
  codec.bits(m3, 1, low);
  codec.bits(28, 1, high);
  instruction.mad_operation = static_cast<AddKind>(low | high << 1U);
  codec.require(instruction.guard_flags == 0, "in this form the carry comes from $p0");
}
void short_product_16(FieldCodec& codec, Instruction& instruction) {
  bool first_signed = is_signed(instruction.source_type[0]);
  bool second_signed = is_signed(instruction.source_type[1]);
  codec.require(!instruction.product_24 && !instruction.high, "not a 16x16 product");
  codec.flag(m2, first_signed);
  codec.flag(m1, second_signed);
  instruction.source_type[0] = integer_type(false, first_signed);
  instruction.source_type[1] = integer_type(false, second_signed);
  instruction.type = integer_type(true, first_signed || second_signed);
}
void short_product_24(FieldCodec& codec, Instruction& instruction) {
  bool is_signed_type = is_signed(instruction.type);
  if (codec.decoding()) instruction.product_24 = true;
  codec.require(instruction.product_24, "not a 24x24 product");
  codec.flag(m2, is_signed_type);
  codec.flag(m1, instruction.high);
  instruction.type = integer_type(true, is_signed_type);
  instruction.source_type[0] = instruction.source_type[1] = instruction.type;
}

void short_type_size(FieldCodec& codec, Instruction& instruction) {
  instruction.type = short_size_is_word(codec, instruction) ? ValueType::b32 : ValueType::b16;
}
void short_type_adder(FieldCodec& codec, Instruction& instruction) {
  const bool is_word = short_size_is_word(codec, instruction);
  codec.flag(m1, instruction.saturate);
  instruction.type = integer_type(is_word, instruction.saturate);
}
void short_type_integer(FieldCodec& codec, Instruction& instruction) {
  bool is_signed_type = is_signed(instruction.type);
  const bool is_word = short_size_is_word(codec, instruction);
  codec.flag(m1, is_signed_type);
  instruction.type = integer_type(is_word, is_signed_type);
}
void short_saturate(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m1, instruction.saturate);
}
void short_saturate_product(FieldCodec& codec, Instruction& instruction) {
  if (codec.sm() >= saturating_product_sm) {
    codec.flag(m1, instruction.saturate);
  } else {
    codec.require(!instruction.saturate, "f32 products saturate from sm_12 on");
  }
}
void short_negate_first(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m2, instruction.source[0].negate);
}
void short_negate_second(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m3, instruction.source[1].negate);
}
void short_negate_third(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m3, instruction.source[2].negate);
}
void short_invert_first(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m3, instruction.source[0].invert);
}
void rcp_negate(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m3, instruction.source[0].negate);
}
void rcp_absolute(FieldCodec& codec, Instruction& instruction) {
  codec.flag(m2, instruction.source[0].absolute);
}
void carry_of_p0(FieldCodec& codec, Instruction& instruction) {
  codec.require(instruction.guard_flags == 0, "in this form the carry comes from $p0");
}

}  // namespace teslasim::fields

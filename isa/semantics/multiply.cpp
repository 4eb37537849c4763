// SPDX-License-Identifier: Apache-2.0
// Integer products of 16 and 24 bits, alone and followed by an addition. There is no 32x32 multiplier.
// Rules: envytools documentation, Tesla integer arithmetic instructions.
#include <array>
#include <cstddef>
#include <utility>

#include "isa/semantics/families.h"
#include "isa/semantics/integer_add.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/wide.h"

namespace teslasim::semantics {

namespace {

enum class Product : std::uint8_t { u16_u16, u16_s16, s16_u16, s16_s16, u24, s24, u24_high, s24_high };
constexpr std::size_t product_count = 8;

constexpr std::uint32_t extend16(std::uint32_t value, bool is_signed_value) {
  const std::uint32_t low = value & 0xffffU;
  return is_signed_value ? static_cast<std::uint32_t>(static_cast<std::int32_t>(low << 16U) >> 16U) : low;
}
constexpr std::int64_t extend24(std::uint32_t value) {
  return static_cast<std::int32_t>(value << 8U) >> 8U;
}

template <Product kind>
std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  constexpr bool first_signed = kind == Product::s16_u16 || kind == Product::s16_s16;
  constexpr bool second_signed = kind == Product::u16_s16 || kind == Product::s16_s16;
  constexpr std::uint32_t mask24 = 0xffffffU;
  constexpr unsigned high_shift = 16;
  switch (kind) {
    case Product::u24:
      return (a & mask24) * (b & mask24);
    case Product::s24:
      return static_cast<std::uint32_t>(extend24(a)) * static_cast<std::uint32_t>(extend24(b));
    case Product::u24_high:
      return static_cast<std::uint32_t>(std::uint64_t{a & mask24} * (b & mask24) >> high_shift);
    case Product::s24_high:
      return static_cast<std::uint32_t>(extend24(a) * extend24(b) >> high_shift);
    default:
      return extend16(a, first_signed) * extend16(b, second_signed);
  }
}

template <Product kind>
void product(const Instruction& /*instruction*/, LaneContext& context) {
  map2(context, &multiply<kind>);
  write_integer_flags<32>(context);
}

template <AddKind kind>
void add_product(const LaneContext& context, const LaneRow& products, bool saturate) {
  if (saturate) return add_rows<32, kind, Overflow::saturate>(context, products.data(), context.source[2]);
  add_rows<32, kind, Overflow::wrap>(context, products.data(), context.source[2]);
}

template <Product kind>
void multiply_add(const Instruction& instruction, LaneContext& context) {
  LaneRow products;
  const std::uint32_t* const a = aligned(context.source[0]);
  const std::uint32_t* const b = aligned(context.source[1]);
  TESLASIM_LANE_LOOP
  for (unsigned i = 0; i < warp_size; ++i) products.lane[i] = multiply<kind>(a[i], b[i]);
  switch (instruction.mad_operation) {
    case AddKind::add:
      return add_product<AddKind::add>(context, products, instruction.saturate);
    case AddKind::sub:
      return add_product<AddKind::sub>(context, products, instruction.saturate);
    case AddKind::subr:
      return add_product<AddKind::subr>(context, products, instruction.saturate);
    case AddKind::addc:
      return add_product<AddKind::addc>(context, products, instruction.saturate);
  }
}

Product product_of(const Instruction& instruction) {
  const bool first_signed = is_signed(instruction.source_type[0]);
  const bool second_signed = is_signed(instruction.source_type[1]);
  if (instruction.product_24) {
    if (instruction.high) return first_signed ? Product::s24_high : Product::u24_high;
    return first_signed ? Product::s24 : Product::u24;
  }
  if (first_signed) return second_signed ? Product::s16_s16 : Product::s16_u16;
  return second_signed ? Product::u16_s16 : Product::u16_u16;
}

template <std::size_t... kinds>
Semantics choose(bool added, std::size_t kind, std::index_sequence<kinds...>) {
  const std::array alone{widest<&product<static_cast<Product>(kinds)>>()...};
  const std::array with_addition{widest<&multiply_add<static_cast<Product>(kinds)>>()...};
  return added ? with_addition[kind] : alone[kind];
}

}  // namespace

Semantics bind_multiply(const Instruction& instruction) {
  const auto index = static_cast<std::size_t>(product_of(instruction));
  return choose(instruction.opcode == Opcode::mad, index, std::make_index_sequence<product_count>{});
}

}  // namespace teslasim::semantics

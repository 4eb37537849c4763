// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/fold_constants.h"

#include <algorithm>
#include <bit>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

std::uint32_t value_of(const IrArgument& argument) {
  if (argument.half == Operand::Half::low) return argument.constant & 0xffffU;
  return argument.half == Operand::Half::high ? argument.constant >> 16U : argument.constant;
}

std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

std::uint32_t shifted_right(std::uint32_t value, std::uint32_t count, bool with_sign) {
  if (with_sign) return static_cast<std::uint32_t>(as_signed(value) >> std::min(count, 31U));
  return count >= 32 ? 0 : value >> count;
}

std::uint32_t high_product(std::uint32_t left, std::uint32_t right, bool with_sign) {
  if (with_sign) {
    const std::int64_t product = std::int64_t{as_signed(left)} * as_signed(right);
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32U);
  }
  return static_cast<std::uint32_t>((std::uint64_t{left} * right) >> 32U);
}

std::optional<std::uint32_t> folded_conversion(const IrNode& node) {
  if (node.arguments.size() != 1 || node.results.size() != 1 || node.saturate) return std::nullopt;
  const std::uint32_t value = value_of(node.arguments[0]);
  if (node.type == ValueType::s32 && node.source_type == ValueType::s16)
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  if (node.type == ValueType::s32 && node.source_type == ValueType::s8)
    return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  if (node.type != ValueType::f32 || node.rounding != Rounding::nearest) return std::nullopt;
  if (node.source_type == ValueType::u32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (node.source_type == ValueType::s32) return std::bit_cast<std::uint32_t>(static_cast<float>(as_signed(value)));
  return std::nullopt;
}

std::uint32_t low_half(std::uint32_t value, bool with_sign) {
  return with_sign ? static_cast<std::uint32_t>(static_cast<std::int16_t>(value)) : value & 0xffffU;
}

std::optional<std::uint32_t> folded_binary(const IrNode& node) {
  const std::uint32_t left = value_of(node.arguments[0]), right = value_of(node.arguments[1]);
  const bool with_sign = node.type == ValueType::s32;
  switch (node.operation) {
    case Op::add:
      return left + right;
    case Op::subtract:
      return left - right;
    case Op::multiply:
      return left * right;
    case Op::multiply_16:
      return low_half(left, with_sign) * low_half(right, with_sign);
    case Op::multiply_high:
      return high_product(left, right, with_sign);
    case Op::minimum:
      return with_sign ? static_cast<std::uint32_t>(std::min(as_signed(left), as_signed(right)))
                       : std::min(left, right);
    case Op::maximum:
      return with_sign ? static_cast<std::uint32_t>(std::max(as_signed(left), as_signed(right)))
                       : std::max(left, right);
    case Op::bit_and:
      return left & right;
    case Op::bit_or:
      return left | right;
    case Op::bit_xor:
      return left ^ right;
    case Op::shift_left:
      return right >= 32 ? 0 : left << right;
    case Op::shift_right:
      return shifted_right(left, right, with_sign);
    case Op::compare:
      return holds(node.compare, left, right, with_sign) ? ~0U : 0U;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool holds(Relations relations, std::uint32_t left, std::uint32_t right, bool with_sign) {
  if (left == right) return includes(relations, Relations::equal);
  const bool less = with_sign ? as_signed(left) < as_signed(right) : left < right;
  return includes(relations, less ? Relations::less : Relations::greater);
}

std::optional<std::uint32_t> folded(const IrNode& node) {
  if (node.saturate) return std::nullopt;
  for (const IrArgument& argument : node.arguments) {
    if (!argument.is_constant() || argument.negate || argument.absolute) return std::nullopt;
  }
  if (node.operation == Op::convert) return folded_conversion(node);
  if (node.operation == Op::bit_not) return ~value_of(node.arguments[0]);
  if (node.operation == Op::absolute) {
    const std::uint32_t value = value_of(node.arguments[0]);
    return as_signed(value) < 0 ? 0 - value : value;
  }
  if (node.operation == Op::copy && node.origin == IrSpace::none) return value_of(node.arguments[0]);
  if (node.operation == Op::select)
    return node.arguments[0].constant != 0 ? node.arguments[1].constant : node.arguments[2].constant;
  if (node.arguments.size() != 2) return std::nullopt;
  return folded_binary(node);
}

}  // namespace teslasim::compiler

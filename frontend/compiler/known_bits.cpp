// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/known_bits.h"

#include <algorithm>
#include <bit>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

constexpr std::uint32_t every_bit = ~0U;

std::uint32_t ones(unsigned count) {
  return count >= 32 ? every_bit : (1U << count) - 1;
}

unsigned width(std::uint32_t possible) {
  return 32U - static_cast<unsigned>(std::countl_zero(possible));
}

/// 1023: dimensions have at most 512 threads.
std::uint32_t of_launch_word(const IrNode& node) {
  if (node.type == ValueType::u8) return 0xff;
  if (node.type != ValueType::u16) return every_bit;
  const bool block_dimension = node.offset >= 2 && node.offset <= 6;
  return block_dimension ? 0x3ff : 0xffff;
}

std::uint32_t of_load(const IrNode& node) {
  if (node.type == ValueType::u8) return 0xff;
  return node.type == ValueType::u16 ? 0xffff : every_bit;
}

std::uint32_t sum(std::uint32_t left, std::uint32_t right) {
  // A sum of fields that do not meet has no carries.
  if ((left & right) == 0) return left | right;
  const auto low = static_cast<unsigned>(std::min(std::countr_zero(left | right), 31));
  return ones(std::max(width(left), width(right)) + 1) & ~ones(low);
}

std::uint32_t product(std::uint32_t left, std::uint32_t right) {
  if (left == 0 || right == 0) return 0;
  const unsigned low = static_cast<unsigned>(std::countr_zero(left) + std::countr_zero(right));
  return ones(width(left) + width(right)) & ~ones(std::min(low, 32U));
}

}  // namespace

std::uint32_t filled(std::uint32_t bits) {
  return ones(width(bits));
}

KnownBits::KnownBits(const IrFunction& function) : function_(function), possible_(function.values.size(), 0) {
  const std::vector<BlockIndex> order = reverse_postorder(function.graph());
  // Values only grow, and after some rounds to whole fields, so that this ends.
  constexpr unsigned exact_rounds = 4;
  bool changed = true;
  for (unsigned round = 0; changed; ++round) {
    changed = false;
    for (const BlockIndex block : order) {
      for (const NodeIndex index : function.blocks[block].nodes) {
        const IrNode& node = function.nodes[index];
        for (std::size_t result = 0; result < node.results.size(); ++result) {
          std::uint32_t& known = possible_[node.results[result]];
          std::uint32_t now = known | of(node, result);
          if (now == known) continue;
          if (round > exact_rounds) now = node.operation == Op::phi ? every_bit : filled(now);
          known = now;
          changed = true;
        }
      }
    }
  }
}

std::uint32_t KnownBits::possible(const IrArgument& argument) const {
  if (argument.negate || argument.absolute) return every_bit;
  std::uint32_t bits = argument.constant;
  if (!argument.is_constant()) bits = argument.value < possible_.size() ? possible_[argument.value] : every_bit;
  if (argument.half == Operand::Half::low) return bits & 0xffffU;
  return argument.half == Operand::Half::high ? bits >> 16U : bits;
}

bool KnownBits::is_short(const IrArgument& argument) const {
  if (possible(argument) <= 0x7fffU) return true;
  if (argument.is_constant()) {
    const auto value = static_cast<std::int32_t>(argument.constant);
    return value >= -0x8000 && value <= 0x7fff;
  }
  if (argument.value >= possible_.size()) return false;
  const IrNode& node = function_.definition(argument.value);
  const bool extended = node.operation == Op::convert && node.type == ValueType::s32 &&
                        (node.source_type == ValueType::s16 || node.source_type == ValueType::s8);
  const bool loaded = node.operation == Op::load && (node.type == ValueType::s16 || node.type == ValueType::s8);
  return extended || loaded;
}

std::uint32_t KnownBits::of(const IrNode& node, std::size_t result) const {
  switch (node.operation) {
    case Op::add_64: {
      if (result == 0) return sum(possible(node.arguments[0]), possible(node.arguments[2]));
      const std::uint32_t low = sum(possible(node.arguments[0]), possible(node.arguments[2]));
      const bool carries = (low & 0x80000000U) != 0;
      return sum(sum(possible(node.arguments[1]), possible(node.arguments[3])), carries ? 1 : 0);
    }
    case Op::load:
      return of_load(node);
    default:
      return node.results.size() == 1 ? of_word(node) : every_bit;
  }
}

std::uint32_t KnownBits::of_word(const IrNode& node) const {
  const auto bits = [&](std::size_t i) { return possible(node.arguments[i]); };
  const auto counted = [&] { return node.arguments[1].is_constant(); };
  switch (node.operation) {
    case Op::copy:
      return bits(0);
    case Op::phi: {
      std::uint32_t all = 0;
      for (const IrArgument& argument : node.arguments) all |= possible(argument);
      return all;
    }
    case Op::thread_index:
      return 0xffff03ffU;
    case Op::launch_word:
      return of_launch_word(node);
    case Op::add:
      return sum(bits(0), bits(1));
    case Op::multiply:
    case Op::multiply_16:
      return node.type == ValueType::s32 ? every_bit : product(bits(0), bits(1));
    case Op::multiply_add_16:
      if (node.type == ValueType::s32 || node.subtract_product) return every_bit;
      return sum(product(bits(0), bits(1)), bits(2));
    case Op::bit_and:
      return bits(0) & bits(1);
    case Op::bit_or:
    case Op::bit_xor:
      return bits(0) | bits(1);
    case Op::shift_left:
      if (!counted()) return every_bit;
      return node.arguments[1].constant >= 32 ? 0 : bits(0) << node.arguments[1].constant;
    case Op::shift_right: {
      const bool negative = node.type == ValueType::s32 && (bits(0) & 0x80000000U) != 0;
      if (negative) return every_bit;
      if (!counted()) return filled(bits(0));
      return node.arguments[1].constant >= 32 ? 0 : bits(0) >> node.arguments[1].constant;
    }
    case Op::select:
      return bits(1) | bits(2);
    case Op::minimum:
      if (node.type == ValueType::u32) return std::min(filled(bits(0)), filled(bits(1)));
      return ((bits(0) | bits(1)) & 0x80000000U) != 0 ? every_bit : std::min(filled(bits(0)), filled(bits(1)));
    case Op::maximum:
      return node.type == ValueType::u32 || ((bits(0) | bits(1)) & 0x80000000U) == 0 ? filled(bits(0) | bits(1))
                                                                                     : every_bit;
    default:
      return every_bit;
  }
}

}  // namespace teslasim::compiler

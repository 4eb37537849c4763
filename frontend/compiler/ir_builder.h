// SPDX-License-Identifier: Apache-2.0
// Appends nodes to a block: one function for each thing that translating and lowering ask for.
#pragma once

#include <initializer_list>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// 64 bits as two words.
struct IrPair {
  IrArgument low{}, high{};
};

class IrBuilder {
 public:
  explicit IrBuilder(IrFunction& function) : function_(function) {}

  [[nodiscard]] IrFunction& function() { return function_; }
  void set_block(BlockIndex block) { block_ = block; }
  [[nodiscard]] BlockIndex block() const { return block_; }
  void set_lines(std::uint32_t line, std::uint32_t ptx_line) {
    line_ = line;
    ptx_line_ = ptx_line;
  }

  [[nodiscard]] std::uint32_t line() const { return line_; }

  /// A node with its lines, at the end of the block.
  IrNode& append(IrNode node, unsigned results);
  /// A node with one result.
  IrArgument add_node(IrNode node);
  IrPair add_pair_node(IrNode node);
  IrArgument emit(IrOperation operation, std::initializer_list<IrArgument> arguments, ValueType type = ValueType::b32);
  IrPair emit_pair(IrOperation operation, std::initializer_list<IrArgument> arguments, ValueType type = ValueType::b32);

  IrArgument add(const IrArgument& left, const IrArgument& right) { return emit(IrOperation::add, {left, right}); }
  IrArgument subtract(const IrArgument& left, const IrArgument& right) {
    return emit(IrOperation::subtract, {left, right});
  }
  IrArgument bit_and(const IrArgument& left, std::uint32_t mask) {
    return emit(IrOperation::bit_and, {left, constant_argument(mask)});
  }
  IrArgument shift_left(const IrArgument& left, unsigned count) {
    return emit(IrOperation::shift_left, {left, constant_argument(count)});
  }
  IrArgument shift_right(const IrArgument& left, unsigned count, ValueType type = ValueType::u32) {
    return emit(IrOperation::shift_right, {left, constant_argument(count)}, type);
  }
  IrArgument compare(Relations relations, const IrArgument& left, const IrArgument& right, ValueType type);
  IrArgument select(const IrArgument& condition, const IrArgument& taken, const IrArgument& other) {
    return emit(IrOperation::select, {condition, taken, other});
  }
  IrArgument convert(ValueType type, ValueType source_type, const IrArgument& source);
  /// The sign in all bits.
  IrArgument sign_of(const IrArgument& value) { return shift_right(value, 31, ValueType::s32); }

 private:
  IrFunction& function_;
  BlockIndex block_ = 0;
  std::uint32_t line_ = 0, ptx_line_ = 0;
};

}  // namespace teslasim::compiler

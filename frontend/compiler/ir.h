// SPDX-License-Identifier: Apache-2.0
// The intermediate form of the compiler: a kernel as blocks of operations on words, every word with one definition.
//
// Values are words of 32 bits; what PTX calls 64 bits is two of them. Truth is a word too, all ones or 0: flag
// registers come in when instructions are chosen. Phis stand first in their block, with one argument for each
// predecessor.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compiler/flow_graph.h"
#include "isa/instruction.h"

namespace teslasim::compiler {

enum class IrEffect : std::uint8_t {
  pure,    ///< the result depends on the arguments alone
  reads,   ///< may be left out when nobody uses the result, but not moved over what writes
  writes,  ///< stays where it is
};

enum class IrOperation : std::uint8_t {
#define IR_OPERATION(name, ...) name,
#include "frontend/compiler/ir_operations.def"
#undef IR_OPERATION
};

struct IrOperationRow {
  std::string_view word;
  int results = 0, arguments = 0;  ///< -1: varies
  IrEffect effect = IrEffect::pure;
  bool commutes = false;
};
[[nodiscard]] const IrOperationRow& row_of(IrOperation operation);

using ValueIndex = std::uint32_t;
inline constexpr ValueIndex no_value = ~ValueIndex{0};
using NodeIndex = std::uint32_t;
inline constexpr NodeIndex no_node = ~NodeIndex{0};

/// What a node reads: a value or a constant, as it is or changed on the way.
struct IrArgument {
  ValueIndex value = no_value;  ///< no_value: the constant
  std::uint32_t constant = 0;
  bool negate = false, absolute = false;  ///< of a float
  Operand::Half half = Operand::Half::full;

  [[nodiscard]] bool is_constant() const { return value == no_value; }
  [[nodiscard]] bool is_plain() const { return !negate && !absolute && half == Operand::Half::full; }
  friend bool operator==(const IrArgument&, const IrArgument&) = default;
};

[[nodiscard]] inline IrArgument constant_argument(std::uint32_t constant) {
  IrArgument argument;
  argument.constant = constant;
  return argument;
}
[[nodiscard]] inline IrArgument value_argument(ValueIndex value) {
  IrArgument argument;
  argument.value = value;
  return argument;
}

enum class IrSpace : std::uint8_t { none, global, shared, local, constant, generic };

/// One operation. Which members mean something depends on it.
struct IrNode {
  IrOperation operation = IrOperation::copy;
  ValueType type = ValueType::b32;         ///< integer sign, width of a memory access, result of a conversion
  ValueType source_type = ValueType::b32;  ///< conversions
  Rounding rounding = Rounding::nearest;
  Relations compare = Relations::no_relation;
  bool saturate = false;
  bool round_to_integer = false;
  bool high = false;              ///< 24-bit products: bits 47:16
  bool subtract_product = false;  ///< multiply_add_16 and _24: third - product
  bool exact = false;             ///< fmul and fadd that must not become fmad
  bool guarded = false;           ///< load, store: only where the last argument, a truth value, says so
  IrSpace space = IrSpace::none;
  std::uint32_t offset = 0;  ///< memory: added to the address; launch_word: byte in s[]
  std::uint32_t number = 0;  ///< special register, variable, barrier, event, texture slot, routine, its operand
  AtomicOperation atomic = AtomicOperation::add;
  VoteKind vote = VoteKind::any;
  std::uint8_t dimensions = 0;  ///< texture
  bool texel_fetch = false;
  bool is_volatile = false;        ///< memory: keeps its order among accesses
  IrSpace origin = IrSpace::none;  ///< copy: the pointer points into this space
  std::uint32_t line = 0;          ///< of the source; 0: unknown
  std::uint32_t ptx_line = 0;
  std::vector<ValueIndex> results{};
  std::vector<IrArgument> arguments{};
};

/// How a block ends.
struct IrEnd {
  enum class Kind : std::uint8_t { jump, branch, exit };
  Kind kind = Kind::exit;
  IrArgument condition{};  ///< branch: to target[0] where it is not 0
  std::array<BlockIndex, 2> target{no_block, no_block};
  bool uniform = false;             ///< branch: known to part no threads
  std::uint8_t first = either_way;  ///< branch: the target whose threads go on first where it parts them
  std::uint32_t line = 0;
};

struct IrBlock {
  std::vector<NodeIndex> nodes{};
  IrEnd end{};
  std::vector<BlockIndex> predecessors{};
  /// Divergence: threads that part meet where `joins` says; before its end the block announces the places.
  bool joins = false;
  std::vector<BlockIndex> announces{};
};

/// Where a value comes from.
struct IrDefinition {
  NodeIndex node = no_node;
  std::uint32_t result = 0;
};

/// A kernel in the intermediate form. Block 0 is the entry and has no predecessors.
class IrFunction {
 public:
  std::string name{};
  std::deque<IrNode> nodes{};  ///< references stay good when nodes are added
  std::vector<IrDefinition> values{};
  std::vector<IrBlock> blocks{};

  [[nodiscard]] BlockIndex add_block();
  /// A node with `results` new values at the end of `block`.
  NodeIndex append(BlockIndex block, IrNode node, unsigned results);
  /// A node that stands nowhere yet.
  NodeIndex create(IrNode node, unsigned results);
  /// Ends a block and notes it with the targets.
  void jump(BlockIndex block, BlockIndex target);
  void branch(BlockIndex block, IrArgument condition, BlockIndex taken, BlockIndex other);

  [[nodiscard]] const IrNode& definition(ValueIndex value) const { return nodes[values[value].node]; }
  [[nodiscard]] IrNode& definition(ValueIndex value) { return nodes[values[value].node]; }
  /// The node that defines the argument; nullptr of a constant.
  [[nodiscard]] const IrNode* source(const IrArgument& argument) const {
    return argument.is_constant() ? nullptr : &definition(argument.value);
  }
  [[nodiscard]] std::size_t successors(BlockIndex block) const;

  /// The edges, for dominators and the like. `reached` blocks only have predecessors that are reached.
  [[nodiscard]] FlowGraph graph() const;
  /// Number of uses of each value, by nodes that stand in blocks and by their ends.
  [[nodiscard]] std::vector<std::uint32_t> uses() const;
  /// Calls `function` with every argument of nodes and ends.
  template <typename Function>
  void for_each_argument(const Function& function) {
    for (IrBlock& block : blocks) {
      for (const NodeIndex node : block.nodes) {
        for (IrArgument& argument : nodes[node].arguments) function(argument);
      }
      if (block.end.kind == IrEnd::Kind::branch) function(block.end.condition);
    }
  }
  /// Every use of a value v becomes a use of replacement[v] (itself: stays), through any number of steps. A changed use
  /// keeps its own negation, absolute value and half.
  void replace(std::vector<IrArgument>& replacement);
};

/// As text, for --print-after and for tests.
[[nodiscard]] std::string print_ir(const IrFunction& function);

/// Throws InternalError when the form is broken: wrong numbers of results and arguments, a use that its definition does
/// not dominate, predecessors that do not match. `after` names the pass.
void verify_ir(const IrFunction& function, std::string_view after);

}  // namespace teslasim::compiler

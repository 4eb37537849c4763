// SPDX-License-Identifier: Apache-2.0
// Accesses through pointers that were chosen among kinds of memory: a branch to an instruction for each kind.
#include "frontend/compiler/mixed_accesses.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

struct Pointers : SmallFunction {
  IrArgument pointer(IrSpace space) {
    IrNode node;
    node.operation = Op::copy;
    node.origin = space;
    node.arguments = {unknown()};
    return ir.add_node(node);
  }
  IrNode access(Op operation, std::vector<IrArgument> arguments) const {
    IrNode node;
    node.operation = operation;
    node.space = IrSpace::generic;
    node.offset = 8;
    node.arguments = std::move(arguments);
    return node;
  }
  /// Spaces of all accesses of a kind, in the order of blocks; without those of SmallFunction.
  [[nodiscard]] std::vector<IrSpace> spaces_of(Op operation) const {
    std::vector<IrSpace> found;
    for (const IrBlock& block : function.blocks) {
      for (const NodeIndex index : block.nodes) {
        const IrNode& node = function.nodes[index];
        if (node.operation == operation && node.offset == 8) found.push_back(node.space);
      }
    }
    return found;
  }
};

using Spaces = std::vector<IrSpace>;

TEST(MixedAccesses, ALoadFromAChosenPointerBecomesOneOfEachKind) {
  Pointers small;
  const IrArgument local = small.pointer(IrSpace::local), device = small.pointer(IrSpace::global);
  const IrArgument chosen = small.ir.select(small.thread(), local, device);
  const IrArgument loaded = small.ir.add_node(small.access(Op::load, {small.ir.add(chosen, constant_argument(4))}));
  small.keep(loaded);
  split_mixed_accesses(small.function);
  verify_ir(small.function, "a test");
  EXPECT_EQ((Spaces{IrSpace::global, IrSpace::local}), small.spaces_of(Op::load));
  const IrNode& met = small.function.definition(loaded.value);
  ASSERT_EQ(Op::phi, met.operation) << "who read the value reads what the branches loaded";
  EXPECT_EQ(2U, met.arguments.size());
  const IrArgument way = small.function.blocks[0].end.condition;
  ASSERT_EQ(IrEnd::Kind::branch, small.function.blocks[0].end.kind);
  const IrNode* kind = small.function.source(small.function.source(way)->arguments[0]);
  ASSERT_EQ(Op::select, kind->operation);
  EXPECT_EQ(constant_argument(static_cast<std::uint32_t>(IrSpace::local)), kind->arguments[1]);
  EXPECT_EQ(constant_argument(static_cast<std::uint32_t>(IrSpace::global)), kind->arguments[2]);
}

/// 0 -> 1 -> 1 or 2; the pointer is shared at first, what the thread was given in the next turns.
TEST(MixedAccesses, APointerThatALoopChangesTellsItsKindInEachTurn) {
  Pointers small;
  const IrArgument first = small.pointer(IrSpace::shared), next = small.pointer(IrSpace::global);
  const BlockIndex loop = small.function.add_block(), behind = small.function.add_block();
  small.function.jump(0, loop);
  small.ir.set_block(loop);
  const IrArgument pointer = small.ir.emit(Op::phi, {first, next});
  small.ir.append(small.access(Op::store, {pointer, constant_argument(1)}), 0);
  small.ir.append(small.access(Op::store, {pointer, constant_argument(2)}), 0);
  small.function.branch(loop, small.thread(), loop, behind);
  verify_ir(small.function, "a test");
  split_mixed_accesses(small.function);
  verify_ir(small.function, "a test");
  EXPECT_EQ((Spaces{IrSpace::global, IrSpace::shared, IrSpace::global, IrSpace::shared}), small.spaces_of(Op::store));
  EXPECT_EQ(2, small.count(Op::phi)) << "the pointer, and one number for both stores";
}

TEST(MixedAccesses, WhatIsOfOneKindOrUnknownStays) {
  Pointers small;
  const IrArgument one =
      small.ir.select(small.thread(), small.pointer(IrSpace::shared), small.pointer(IrSpace::shared));
  small.keep(small.ir.add_node(small.access(Op::load, {one})));
  small.keep(small.ir.add_node(small.access(Op::load, {small.unknown()})));
  const IrArgument both = small.ir.select(small.thread(), one, small.pointer(IrSpace::global));
  small.keep(small.ir.add_node(small.access(Op::atomic, {both, constant_argument(1)})));
  split_mixed_accesses(small.function);
  EXPECT_EQ(1U, small.function.blocks.size());
  EXPECT_EQ((Spaces{IrSpace::generic, IrSpace::generic}), small.spaces_of(Op::load));
  EXPECT_EQ((Spaces{IrSpace::generic}), small.spaces_of(Op::atomic)) << "lower_addresses refuses it";
}

}  // namespace
}  // namespace teslasim::compiler

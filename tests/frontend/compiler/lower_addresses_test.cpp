// SPDX-License-Identifier: Apache-2.0
// Accesses through pointers whose memory is found late.
#include "frontend/compiler/lower_addresses.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

struct Addresses : testing::SmallFunction {
  IrArgument pointer(IrSpace space) {
    IrNode node;
    node.operation = Op::copy;
    node.origin = space;
    node.arguments = {unknown()};
    return ir.add_node(node);
  }
  /// Copies two words from `from` to 8 bytes behind it.
  void copy_pair(const IrArgument& from) {
    IrNode load;
    load.operation = Op::load;
    load.type = ValueType::b64;
    load.space = IrSpace::generic;
    load.arguments = {from};
    const std::vector<ValueIndex> words = ir.append(load, 2).results;
    IrNode store = load;
    store.operation = Op::store;
    store.offset = 8;
    store.arguments = {from, value_argument(words[0]), value_argument(words[1])};
    ir.append(store, 0);
  }
  void lower() {
    std::vector<ptx::PtxMistake> mistakes, warnings;
    lower_addresses(function, 13, mistakes, warnings);
    EXPECT_TRUE(mistakes.empty());
    EXPECT_TRUE(warnings.empty());
  }
  [[nodiscard]] std::vector<std::uint32_t> offsets(Op operation, IrSpace space) const {
    std::vector<std::uint32_t> found;
    for (const NodeIndex index : function.blocks[0].nodes) {
      const IrNode& node = function.nodes[index];
      if (node.operation == operation && node.space == space) found.push_back(node.offset);
    }
    return found;
  }
};

TEST(LowerAddresses, SharedMemoryMovesWordByWord) {
  Addresses small;
  small.copy_pair(small.pointer(IrSpace::shared));
  small.lower();
  EXPECT_EQ((std::vector<std::uint32_t>{0, 4}), small.offsets(Op::load, IrSpace::shared));
  EXPECT_EQ((std::vector<std::uint32_t>{8, 12}), small.offsets(Op::store, IrSpace::shared));
}

TEST(LowerAddresses, LocalMemoryMovesPairs) {
  Addresses small;
  small.copy_pair(small.pointer(IrSpace::local));
  small.lower();
  EXPECT_EQ((std::vector<std::uint32_t>{0}), small.offsets(Op::load, IrSpace::local));
  EXPECT_EQ((std::vector<std::uint32_t>{8}), small.offsets(Op::store, IrSpace::local));
}

}  // namespace
}  // namespace teslasim::compiler

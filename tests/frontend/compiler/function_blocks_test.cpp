// SPDX-License-Identifier: Apache-2.0
// Basic blocks of PTX functions.
#include "frontend/compiler/function_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "frontend/ptx/ptx_reader.h"

namespace teslasim::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class FunctionBlocksTest : public ::testing::Test {
 protected:
  FunctionBlocks blocks(const std::string& body) {
    module_ = ptx::read_checked_ptx(".version 1.4\n.entry k () {\n.reg .pred %p<4>;\n.reg .u32 %r<4>;\n" + body + "\n}",
                                    "k.ptx");
    return blocks_of(module_.functions.at(0));
  }
  [[nodiscard]] static std::vector<std::size_t> sizes(const FunctionBlocks& found) {
    std::vector<std::size_t> sizes;
    for (const BasicBlock& block : found.blocks) sizes.push_back(block.instructions.size());
    return sizes;
  }

 private:
  ptx::PtxModule module_;
};

TEST_F(FunctionBlocksTest, AnEmptyFunctionHasOne) {
  const FunctionBlocks found = blocks("");
  EXPECT_THAT(sizes(found), ElementsAre(0U));
  EXPECT_THAT(found.graph.successors(0), SizeIs(0));
}

TEST_F(FunctionBlocksTest, ALoop) {
  const FunctionBlocks found = blocks("mov.u32 %r1, 0;\nagain: add.u32 %r1, %r1, 1;\n@%p1 bra again;\nexit;");
  EXPECT_THAT(sizes(found), ElementsAre(1U, 2U, 1U, 0U));
  EXPECT_THAT(found.graph.successors(0), ElementsAre(1U));
  EXPECT_THAT(found.graph.successors(1), ElementsAre(1U, 2U)) << "the target first";
  EXPECT_THAT(found.graph.successors(2), SizeIs(0));
  EXPECT_THAT(found.graph.predecessors(3), SizeIs(0)) << "nothing comes behind exit";
}

TEST_F(FunctionBlocksTest, LabelsInARowAreOneBlock) {
  const FunctionBlocks found = blocks("a: b: bra b;\nc: d: @!%p1 bra a;");
  EXPECT_THAT(sizes(found), ElementsAre(1U, 1U, 0U));
  EXPECT_THAT(found.graph.successors(0), ElementsAre(0U));
  EXPECT_THAT(found.graph.successors(1), ElementsAre(0U, 2U));
}

TEST_F(FunctionBlocksTest, AGuardedEndGoesOn) {
  const FunctionBlocks found = blocks("@%p1 ret;\nmov.u32 %r1, 1;\n@%p2 exit;\ntrap;");
  EXPECT_THAT(sizes(found), ElementsAre(1U, 2U, 1U, 0U));
  EXPECT_THAT(found.graph.successors(0), ElementsAre(1U));
  EXPECT_THAT(found.graph.successors(1), ElementsAre(2U));
  EXPECT_THAT(found.graph.successors(2), SizeIs(0));
}

TEST_F(FunctionBlocksTest, ALabelIsTheOneOfTheInnermostScope) {
  const FunctionBlocks found = blocks("{ here: bra here; }\n{ bra here; here: ret; }\nhere: { bra here; }");
  EXPECT_THAT(sizes(found), ElementsAre(1U, 1U, 1U, 1U, 0U));
  EXPECT_THAT(found.graph.successors(0), ElementsAre(0U));
  EXPECT_THAT(found.graph.successors(1), ElementsAre(2U));
  EXPECT_THAT(found.graph.successors(3), ElementsAre(3U));
}

TEST_F(FunctionBlocksTest, InstructionsKnowTheirLine) {
  const FunctionBlocks found = blocks("mov.u32 %r1, 1;\n.loc 1 12 0\nmov.u32 %r2, 2;\nmov.u32 %r3, 3;");
  const auto& instructions = found.blocks.at(0).instructions;
  EXPECT_EQ(nullptr, instructions.at(0).line);
  EXPECT_EQ(12U, instructions.at(1).line->line);
  EXPECT_EQ(12U, instructions.at(2).line->line);
}

TEST_F(FunctionBlocksTest, WhereABranchJoins) {
  const FunctionBlocks found =
      blocks("@%p1 bra other;\nmov.u32 %r1, 1;\nbra.uni join;\nother: mov.u32 %r1, 2;\njoin: mov.u32 %r2, %r1;\nexit;");
  EXPECT_EQ(3U, post_dominators(found.graph).parent(0));
  EXPECT_EQ(0U, dominators(found.graph).parent(3));
}

}  // namespace
}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
// Which memory a pointer leads to, from where it comes.
#include "frontend/compiler/pointer_origins.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;

struct Origins : SmallFunction {
  IrArgument launch_word() {
    IrNode node;
    node.operation = IrOperation::launch_word;
    node.offset = 0x10;
    return ir.add_node(node);
  }
  IrArgument shared_pointer() {
    IrNode node;
    node.operation = IrOperation::copy;
    node.origin = IrSpace::shared;
    node.arguments = {unknown()};
    return ir.add_node(node);
  }
};

TEST(PointerOrigins, AParameterPlusAnOffsetComesFromTheLaunch) {
  Origins small;
  const IrArgument address = small.ir.add(small.launch_word(), small.thread());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(0U, origins.of(address)) << "no address of a memory takes part";
  EXPECT_TRUE(origins.from_launch(address));
}

TEST(PointerOrigins, OfWhatWasLoadedNothingIsKnown) {
  Origins small;
  const IrArgument address = small.ir.add(small.unknown(), small.thread());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(0U, origins.of(address));
  EXPECT_FALSE(origins.from_launch(address));
}

TEST(PointerOrigins, AParameterThatIsAnOffsetDoesNotHideTheMemory) {
  Origins small;
  const IrArgument address = small.ir.add(small.shared_pointer(), small.launch_word());
  const PointerOrigins origins(small.function);
  EXPECT_EQ(bit_of(IrSpace::shared), origins.of(address));
}

}  // namespace
}  // namespace teslasim::compiler

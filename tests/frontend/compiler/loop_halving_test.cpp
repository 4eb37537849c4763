// SPDX-License-Identifier: Apache-2.0
// Datasheet of loops over distances that are halved: which carry the distance itself and end by the flags of its shift.
#include "frontend/compiler/loop_halving.h"

#include <gtest/gtest.h>

#include "frontend/compiler/dead_code.h"
#include "tests/frontend/compiler/counted_loop.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::CountedLoop;
using Op = IrOperation;

/// do { keep(distance = twice >> count); } while (distance > limit), `twice` from `start`.
struct HalvingLoop : CountedLoop {
  IrArgument twice{}, distance{};

  explicit HalvingLoop(std::uint32_t limit = 1, unsigned count = 1, Relations relations = Relations::greater)
      : CountedLoop(0, 1, 1) {
    twice = phi(64);
    distance = ir.shift_right(twice, count);
    function.definition(twice.value).arguments[1] = distance;
    function.definition(counter.value).arguments[1] = ir.add(counter, constant_argument(1));
    keep(distance);
    const IrArgument goes_on = ir.compare(relations, distance, constant_argument(limit), ValueType::u32);
    function.branch(body, goes_on, body, behind);
    ir.set_block(behind);
    keep(distance);
  }
  [[nodiscard]] bool run() {
    const bool changed = halve_at_loop_ends(function);
    eliminate_dead_code(function);
    verify_ir(function, "halving");
    return changed;
  }
};

TEST(LoopHalving, TheDistanceIsCarriedAndHalvedAtTheEnd) {
  HalvingLoop loop;
  ASSERT_TRUE(loop.run());
  const IrNode& phi = loop.function.definition(loop.twice.value);
  const IrNode& next = *loop.function.source(phi.arguments[1]);
  EXPECT_EQ(next.operation, Op::shift_right);
  EXPECT_EQ(next.arguments[0], loop.twice);
  EXPECT_EQ(loop.function.blocks[loop.body].end.condition, phi.arguments[1]);
  EXPECT_EQ(loop.count(Op::compare), 0);
  EXPECT_EQ(loop.kept(loop.behind), loop.twice);
}

TEST(LoopHalving, BeginsWithWhatTheFirstTurnMadeOfTheStart) {
  HalvingLoop loop(3, 2);
  ASSERT_TRUE(loop.run());
  const IrArgument& start = loop.function.definition(loop.twice.value).arguments[0];
  if (start.is_constant()) {
    EXPECT_EQ(start.constant, 16U);
  } else {
    const IrNode& shift = *loop.function.source(start);
    EXPECT_EQ(shift.operation, Op::shift_right);
    EXPECT_EQ(shift.arguments[0].constant >> shift.arguments[1].constant, 16U);
  }
}

/// Down to 32: another shift says nothing of that.
TEST(LoopHalving, OtherLimitsKeepTheirComparison) {
  EXPECT_FALSE(HalvingLoop(32).run());
  EXPECT_FALSE(HalvingLoop(0).run());
  EXPECT_FALSE(HalvingLoop(1, 2).run());
  EXPECT_FALSE(HalvingLoop(1, 1, Relations::less).run());
}

TEST(LoopHalving, TwiceTheDistanceThatIsReadStays) {
  HalvingLoop loop;
  loop.keep(loop.twice);
  EXPECT_FALSE(loop.run());
}

}  // namespace
}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
// Rates of f32 multiplications, which the MAD unit and the SFU share
// (docs/decisions/0080-share-of-the-multiplications.md).
#include <gtest/gtest.h>

#include "tests/sm/sm_under_test.h"

namespace teslasim::testing {
namespace {

// Decision 0080: 5 of 7 multiplications on the SFU make 11.2 lanes per SP cycle alone (Wong et al. 2010) and 5.14 SP
// cycles per multiply-add and multiplication (SHOC result database, 722 GFLOP/s on a Tesla C1060).
TEST(Multiplications, multiplications_alone_and_mixed_reach_their_published_rates) {
  constexpr unsigned count = 1400, warps = 24;
  for (const bool mixed : {false, true}) {
    std::vector<Instruction> code;
    for (unsigned i = 0; i < count; ++i)
      code.push_back(mixed && i % 2 == 0 ? mad(1 + i % 20, 30, 30, 30) : multiply(1 + i % 20, 30));
    code.push_back(last());
    SmUnderTest sm;
    sm.spec.dual_issue_share = 5.0 / 7.0;
    sm.run(code, warps);
    const double sp_cycles = 2.0 * static_cast<double>(sm.end) / (count * warps);
    const double published = mixed ? 36.0 / 7 / 2 : 32 / 11.2;
    EXPECT_NEAR(sp_cycles, published, 0.03 * published) << mixed;
    EXPECT_EQ(sm.statistics.slots.sum(), sm.end);
  }
}

TEST(Multiplications, half_of_the_multipliers_of_the_sfu_take_twice_as_long) {
  std::vector<Instruction> code;
  for (unsigned i = 0; i < 300; ++i) code.push_back(multiply(1 + i % 20, 30));
  code.push_back(last());
  for (const unsigned lanes : {8U, 4U}) {
    SmUnderTest sm;
    sm.spec.sfu_mul_lanes = lanes;
    sm.spec.dual_issue_share = lanes == 8 ? 1.0 / 2 : 1.0 / 3;
    sm.run(code, 24);
    EXPECT_NEAR(static_cast<double>(sm.end) / (300.0 * 24), lanes == 8 ? 1.0 : 4.0 / 3.0, 0.05) << lanes;
    EXPECT_EQ(sm.statistics.slots.sum(), sm.end);
  }
}

}  // namespace
}  // namespace teslasim::testing

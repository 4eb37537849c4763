// SPDX-License-Identifier: Apache-2.0
// Register banks: who waits for whom, and for how long.
#include <gtest/gtest.h>

#include "sim/sm/operands/register_file.h"

namespace teslasim::testing {
namespace {

// 24 and 32 warps on 16 banks: slots 16 apart share one.
TEST(RegisterFile, warps_that_differ_by_the_number_of_banks_share_one) {
  const RegisterFile file(16, 1);
  EXPECT_EQ(file.bank_of(0), file.bank_of(16));
  EXPECT_EQ(file.bank_of(7), file.bank_of(23));
  EXPECT_NE(file.bank_of(0), file.bank_of(15));
}

TEST(RegisterFile, operands_of_one_bank_are_read_one_after_the_other) {
  RegisterFile file(16, 1);
  EXPECT_EQ(file.read(0, 10, 3), 0U);
  EXPECT_EQ(file.read_free(0), 14U);
  EXPECT_EQ(file.read(1, 11, 3), 0U) << "another bank";
  EXPECT_EQ(file.read(16, 11, 3), 2U) << "warp 0 reads in the cycles 11, 12, 13";
  EXPECT_EQ(file.read(0, 12, 1), 4U);
  EXPECT_EQ(file.read_conflict_cycles(), 6U);
  EXPECT_EQ(file.read(0, 40, 1), 0U);
}

TEST(RegisterFile, a_result_takes_the_first_free_cycle_of_the_write_port) {
  RegisterFile file(16, 1);
  EXPECT_EQ(file.write(0, 10, 20, 1), 20U);
  EXPECT_EQ(file.write(16, 11, 20, 1), 21U) << "the port of the shared bank is taken";
  EXPECT_EQ(file.write(1, 11, 20, 1), 20U) << "another bank";
  EXPECT_EQ(file.write(0, 12, 16, 1), 16U) << "an earlier result overtakes";
  EXPECT_EQ(file.write_conflict_cycles(), 1U);
}

// The published latencies include the ordinary time of writing, also of a pair of registers.
TEST(RegisterFile, a_pair_is_written_by_the_end_of_the_latency) {
  RegisterFile file(16, 1);
  EXPECT_EQ(file.write(0, 10, 20, 2), 20U) << "cycles 19 and 20";
  EXPECT_EQ(file.write(0, 11, 19, 1), 21U);
  EXPECT_EQ(file.write(0, 12, 18, 1), 18U);
}

}  // namespace
}  // namespace teslasim::testing

// SPDX-License-Identifier: Apache-2.0
// Datasheet of which loops are unrolled; tests/quality/unrolling.py has what comes of it.
#include "frontend/clang/unrolling.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

const std::string counted = "!7 = !{!\"llvm.loop.unroll.count\", i32 4}\n";
const std::string barrier = "  call void @llvm.nvvm.barrier0(), !dbg !3\n";

TEST(Unrolling, WithoutANumberItIsTheWholeLoop) {
  EXPECT_EQ(with_whole_unrolling("!7 = !{!\"llvm.loop.unroll.enable\"}\n"), "!7 = !{!\"llvm.loop.unroll.full\"}\n");
}

TEST(Unrolling, BarriersCountOnlyBesideALoopWithANumber) {
  EXPECT_TRUE(may_have_counted_barrier_loops(barrier + counted));
  EXPECT_FALSE(may_have_counted_barrier_loops(barrier));
  EXPECT_FALSE(may_have_counted_barrier_loops(counted));
}

TEST(Unrolling, ABarrierIsAnyFunctionForATime) {
  const std::string code = barrier + "declare void @llvm.nvvm.barrier0() #3\n" + counted;
  const std::string plain = with_plain_barriers(code);
  EXPECT_EQ(plain.find("call void @llvm.nvvm.barrier0()"), std::string::npos);
  EXPECT_NE(plain.find("  call void @teslasim.barrier(), !dbg !3\n"), std::string::npos);
  EXPECT_EQ(with_true_barriers(plain), code + "\n");
}

TEST(Unrolling, WholeLoopsWaitForThePassesThatFollow) {
  const std::string code = barrier + "!8 = !{!\"llvm.loop.unroll.full\"}\n";
  EXPECT_EQ(with_plain_barriers(code).find("llvm.loop.unroll.full"), std::string::npos);
  EXPECT_EQ(with_true_barriers(with_plain_barriers(code)), code + "\n");
}

TEST(Unrolling, AnAdvisorySaysWhy) {
  const std::string place = "/a.cu:6:3: ";
  const auto advisory = [&](const std::string& message) { return unrolling_advisories(message, ""); };
  EXPECT_EQ(advisory("warning: " + place + "loop not unrolled: the optimizer was unable\n"),
            place +
                "warning: this loop is not unrolled: its number of turns is not known; a counter that grows by a "
                "constant between constants tells it\n");
  EXPECT_EQ(advisory("remark: " + place + "Unable to fully unroll loop: unrolled size is too large.\n"),
            place + "warning: this loop is not unrolled: it would be too large\n");
  EXPECT_EQ(advisory("remark: " + place + "unrolled loop by a factor of 4 with run-time trip count\n"), "");
}

TEST(Unrolling, AnAdvisoryNamesTheFileInItsFolder) {
  EXPECT_TRUE(unrolling_advisories("warning: kernels/a.cu:6:3: loop not unrolled: the optimizer was unable\n",
                                   "!1 = !DIFile(filename: \"kernels/a.cu\", directory: \"/home\")\n")
                  .starts_with("/home/kernels/a.cu:6:3: warning: "));
}

}  // namespace
}  // namespace teslasim::cuda

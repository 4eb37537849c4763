// SPDX-License-Identifier: Apache-2.0
// Datasheet of flags that become floats.
#include "frontend/clang/signed_flags.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

TEST(SignedFlags, BecomeChoices) {
  EXPECT_EQ(with_signed_flags("  %2 = sitofp i1 %1 to float, !dbg !7\n  %3 = sitofp i1 %flag to double\n"),
            "  %2 = select i1 %1, float -1.0, float 0.0, !dbg !7\n  %3 = select i1 %flag, double -1.0, double 0.0\n");
}

TEST(SignedFlags, OtherConversionsStay) {
  const std::string code = "  %2 = uitofp i1 %1 to float\n  %4 = sitofp i32 %3 to float\n";
  EXPECT_EQ(with_signed_flags(code), code);
}

}  // namespace
}  // namespace teslasim::cuda

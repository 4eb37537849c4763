// SPDX-License-Identifier: Apache-2.0
// Datasheet of signed arithmetic that may leave its range.
#include "frontend/clang/wrapping_arithmetic.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

TEST(WrappingArithmetic, SumsDifferencesProductsAndShiftsWrap) {
  EXPECT_EQ(with_wrapping_arithmetic("  %1 = add nsw i32 %a, 1\n  %2 = sub nsw i64 0, %b\n  %3 = mul nsw i32 %c, %d\n"
                                     "  %4 = shl nsw i32 %e, 2\n"),
            "  %1 = add i32 %a, 1\n  %2 = sub i64 0, %b\n  %3 = mul i32 %c, %d\n  %4 = shl i32 %e, 2\n");
}

TEST(WrappingArithmetic, WhatClangHasProvedAndPointersStay) {
  const std::string code =
      "  %1 = add nuw nsw i32 %a, 1\n  %p = getelementptr inbounds i32, i32* %q, i64 %i\n  %2 = add i32 %a, %b\n";
  EXPECT_EQ(with_wrapping_arithmetic(code), code);
}

TEST(WrappingArithmetic, NamesStay) {
  const std::string code = "  %nsw = add i32 %a, %nsw.1\n; add nsw\n";
  EXPECT_EQ(with_wrapping_arithmetic(code), code);
}

}  // namespace
}  // namespace teslasim::cuda

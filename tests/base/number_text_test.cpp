// SPDX-License-Identifier: Apache-2.0
#include "sim/base/number_text.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(FiniteNumber, is_the_whole_text) {
  EXPECT_EQ(finite_number("2"), 2.0);
  EXPECT_EQ(finite_number("-0.5"), -0.5);
  EXPECT_EQ(finite_number("1e3"), 1000.0);
  for (const char* text : {"", " ", "2 ", " 2", "2x", "+2", "--2", "0x10", "1,5", "ms"}) {
    EXPECT_FALSE(finite_number(text)) << text;
  }
}

TEST(FiniteNumber, nan_and_infinities_bound_nothing) {
  for (const char* text : {"nan", "NaN", "-nan", "nan(1)", "inf", "-inf", "INFINITY", "1e999", "-1e999"}) {
    EXPECT_FALSE(finite_number(text)) << text;
  }
}

}  // namespace
}  // namespace teslasim

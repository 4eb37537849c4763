// SPDX-License-Identifier: Apache-2.0
// Numbers as users write them, at and beyond what 64 bits and a double hold.
#include "sim/base/number_range.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(NumberRange, numbers_beyond_64_bits_are_named_with_the_range) {
  EXPECT_EQ(number_out_of_range("9223372036854775808"),
            "9223372036854775808 is out of range: whole numbers go from -9223372036854775808 to 9223372036854775807");
  for (const char* text : {"-9223372036854775809", "+9223372036854775808", "0x8000000000000000",
                           "0o1000000000000000000000", "99_999_999_999_999_999_999"}) {
    EXPECT_TRUE(number_out_of_range(text)) << text;
  }
}

TEST(NumberRange, so_are_those_that_no_double_holds) {
  for (const char* text : {"1e400", "-1e400", "1e-400", "1_0.0e399"}) EXPECT_TRUE(number_out_of_range(text)) << text;
}

TEST(NumberRange, what_fits_or_is_no_number_is_left_alone) {
  for (const char* text : {"9223372036854775807", "-9223372036854775808", "0x7fffffffffffffff", "1e308", "", "-", "0x",
                           "text", "99999999999999999999x", "1.5e"}) {
    EXPECT_FALSE(number_out_of_range(text)) << text;
  }
}

TEST(NumberRange, the_number_at_the_end_of_a_line_is_found) {
  EXPECT_EQ(number_at_end("registers = 99"), "99");
  EXPECT_EQ(number_at_end("a = [1, -1e400"), "-1e400");
  EXPECT_EQ(number_at_end("a = "), "");
  EXPECT_EQ(number_at_end("12"), "12");
}

}  // namespace
}  // namespace teslasim

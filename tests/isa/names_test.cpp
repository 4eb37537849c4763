// SPDX-License-Identifier: Apache-2.0
#include "isa/names.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(Names, each_type_reads_back) {
  for (int i = 1; i <= static_cast<int>(ValueType::b128); ++i) {
    const auto type = static_cast<ValueType>(i);
    EXPECT_EQ(parse_type(type_name(type)), type) << type_name(type);
  }
  EXPECT_EQ(parse_type("b8"), ValueType::u8);
  EXPECT_EQ(parse_type("u33"), std::nullopt);
}

TEST(Names, each_condition_reads_back) {
  for (unsigned code = 0; code < 32; ++code) EXPECT_EQ(parse_condition(condition_name(code)), code);
  EXPECT_EQ(parse_condition("zf"), 10);
  EXPECT_EQ(parse_condition("nzf"), 5);
  EXPECT_EQ(parse_condition("17"), 17);
  EXPECT_EQ(parse_condition("32"), std::nullopt);
  EXPECT_EQ(parse_condition("nq"), std::nullopt);
}

TEST(Names, the_complement_of_a_condition_is_code_xor_15) {
  EXPECT_EQ(condition_name(1 ^ 15), "geu");
  EXPECT_EQ(condition_name(17 ^ 15), "ncf");
  EXPECT_EQ(condition_name(19 ^ 15), "nsf");
}

TEST(Names, float_comparisons_are_masks) {
  EXPECT_EQ(float_comparisons[0b0001], "lt");
  EXPECT_EQ(float_comparisons[0b0110], "ge");
  EXPECT_EQ(float_comparisons[0b0111], "leg");
  EXPECT_EQ(float_comparisons[0b1000], "nan");
  EXPECT_EQ(float_comparisons[0b1101], "neu");
}

TEST(Names, roundings_and_atomics_read_back) {
  for (const Rounding rounding : {Rounding::nearest, Rounding::down, Rounding::up, Rounding::zero})
    EXPECT_EQ(parse_rounding(rounding_name(rounding)), rounding);
  for (const AtomicOperation operation : {AtomicOperation::add, AtomicOperation::cas, AtomicOperation::logic_xor})
    EXPECT_EQ(parse_atomic(atomic_name(operation)), operation);
}

}  // namespace
}  // namespace teslasim

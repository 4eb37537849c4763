// SPDX-License-Identifier: Apache-2.0
// Datasheet of words as sums: which differences are known.
#include "frontend/compiler/linear_form.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/small_function.h"

namespace teslasim::compiler {
namespace {

using compiler::testing::SmallFunction;
using Op = IrOperation;

struct Words : SmallFunction {
  IrArgument x = unknown(), y = unknown(), z = unknown(), width = unknown(), height = unknown();

  IrArgument product(const IrArgument& left, const IrArgument& right) { return ir.emit(Op::multiply, {left, right}); }
  IrArgument plus(const IrArgument& left, std::uint32_t right) { return ir.add(left, constant_argument(right)); }
  [[nodiscard]] LinearForm between(const IrArgument& left, const IrArgument& right) const {
    LinearForms forms(function);
    return difference(forms.of(left.value), forms.of(right.value));
  }
};

TEST(LinearForm, AnUnknownWordIsItself) {
  Words words;
  const LinearForm form = words.between(words.x, words.y);
  ASSERT_EQ(form.size(), 2U);
  EXPECT_EQ(form[0].factor + form[1].factor, 0U);
}

TEST(LinearForm, EqualSumsDifferByNothing) {
  Words words;
  const IrArgument one = words.ir.add(words.ir.shift_left(words.x, 2), words.ir.subtract(words.y, words.x));
  const IrArgument other = words.ir.add(words.y, words.product(words.x, constant_argument(3)));
  EXPECT_TRUE(words.between(one, other).empty());
}

TEST(LinearForm, ConstantsAddUp) {
  Words words;
  const LinearForm form = words.between(words.plus(words.plus(words.x, 5), 7), words.plus(words.x, 14));
  ASSERT_EQ(form.size(), 1U);
  EXPECT_TRUE(form[0].is_constant());
  EXPECT_EQ(form[0].factor, 0U - 2);
}

TEST(LinearForm, RowsDifferByTheWidth) {
  Words words;
  const IrArgument above = words.ir.add(words.product(words.plus(words.y, ~0U), words.width), words.x);
  const IrArgument here = words.ir.add(words.x, words.product(words.width, words.y));
  const LinearForm form = words.between(here, above);
  ASSERT_EQ(form.size(), 1U);
  EXPECT_TRUE(form[0].is_one_value());
  EXPECT_EQ(form[0].values[0], words.width.value);
  EXPECT_EQ(form[0].factor, 1U);
}

TEST(LinearForm, LayersDifferByAProduct) {
  Words words;
  const auto index = [&](const IrArgument& z) {
    return words.ir.add(words.product(words.ir.add(words.product(z, words.height), words.y), words.width), words.x);
  };
  const LinearForm form = words.between(index(words.plus(words.z, 1)), index(words.z));
  ASSERT_EQ(form.size(), 1U);
  EXPECT_FALSE(form[0].is_one_value());
  EXPECT_FALSE(form[0].is_constant());
}

TEST(LinearForm, ProductsOfMoreThanFourWordsAreWords) {
  Words words;
  IrArgument power = words.x;
  for (unsigned i = 0; i < 4; ++i) power = words.product(power, words.y);
  LinearForms forms(words.function);
  ASSERT_EQ(forms.of(power.value).size(), 1U);
  EXPECT_EQ(forms.of(power.value)[0].values[0], power.value);
}

TEST(LinearForm, LongSumsAreWords) {
  Words words;
  IrArgument sum = words.unknown();
  for (unsigned i = 0; i < 12; ++i) sum = words.ir.add(sum, words.unknown());
  LinearForms forms(words.function);
  EXPECT_EQ(forms.of(sum.value)[0].values[0], sum.value);
}

TEST(LinearForm, SumsThatStopAtTheLargestNumberAreWords) {
  Words words;
  const IrArgument sum = words.ir.add(words.x, words.y);
  words.function.definition(sum.value).saturate = true;
  LinearForms forms(words.function);
  EXPECT_EQ(forms.of(sum.value)[0].values[0], sum.value);
}

}  // namespace
}  // namespace teslasim::compiler

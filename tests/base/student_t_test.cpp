// SPDX-License-Identifier: Apache-2.0
#include "sim/base/student_t.h"

#include <gtest/gtest.h>

namespace teslasim {
namespace {

TEST(StudentT, has_the_published_quantiles) {
  EXPECT_DOUBLE_EQ(student_t_95(1), 12.706);
  EXPECT_DOUBLE_EQ(student_t_95(5), 2.571);
  EXPECT_DOUBLE_EQ(student_t_95(30), 2.042);
}

TEST(StudentT, falls_towards_the_normal_quantile) {
  for (unsigned degrees = 2; degrees <= 40; ++degrees) EXPECT_LE(student_t_95(degrees), student_t_95(degrees - 1));
  EXPECT_DOUBLE_EQ(student_t_95(1000), 1.960);
}

}  // namespace
}  // namespace teslasim

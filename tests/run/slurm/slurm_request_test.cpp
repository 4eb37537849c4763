// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/slurm_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;

TEST(PlaceOfPoints, is_this_host_or_slurm_with_or_without_a_partition) {
  EXPECT_FALSE(place_of_points(""));
  EXPECT_FALSE(place_of_points("local"));
  EXPECT_EQ(place_of_points("slurm")->partition, "");
  EXPECT_EQ(place_of_points("slurm:short,long-2")->partition, "short,long-2");
}

TEST(PlaceOfPoints, refuses_what_it_does_not_know) {
  for (const char* text : {"pbs", "slurm:", "slurm: a", "slurm:--wrap=x", "slurmy"})
    EXPECT_THROW((void)place_of_points(text), InputError) << text;
}

TEST(QuotedWords, are_those_of_a_shell) {
  EXPECT_THAT(quoted_words("--time=10  --mem=1G"), ElementsAre("--time=10", "--mem=1G"));
  EXPECT_THAT(quoted_words(R"(--comment='two words' -C "a\"b" c\ d '')"),
              ElementsAre("--comment=two words", "-C", "a\"b", "c d", ""));
  EXPECT_THAT(quoted_words("  "), ElementsAre());
  EXPECT_THROW((void)quoted_words("'a"), InputError);
}

}  // namespace
}  // namespace teslasim

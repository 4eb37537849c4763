// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/chunk_size.h"

#include <gtest/gtest.h>

#include "sim/run/slurm/pilot.h"

namespace teslasim {
namespace {

constexpr std::size_t usual_array = 1000;

TEST(ChunkSize, is_what_takes_five_minutes) {
  EXPECT_EQ(chunk_size(10'000, 10.0, usual_array), 30U);
  EXPECT_EQ(chunk_size(1'000, 150.0, usual_array), 2U);
  EXPECT_EQ(chunk_size(1'000, 4000.0, usual_array), 1U);
}

TEST(ChunkSize, leaves_sixteen_tasks_of_few_points) {
  EXPECT_EQ(chunk_size(57, 0.1, usual_array), 4U);
  EXPECT_EQ(chunk_size(10, 0.1, usual_array), 1U);
}

TEST(ChunkSize, is_one_where_the_length_of_a_point_is_unknown) {
  EXPECT_EQ(chunk_size(500, std::nullopt, usual_array), 1U);
}

TEST(ChunkSize, makes_no_more_tasks_than_an_array_may_have) {
  EXPECT_EQ(chunk_size(100'000, std::nullopt, usual_array), 100U);
  EXPECT_EQ(chunk_size(100'001, 4000.0, usual_array), 101U);
}

TEST(PilotPoints, are_first_middle_and_last_of_many) {
  EXPECT_TRUE(pilot_points(7).empty());
  EXPECT_EQ(pilot_points(60), (std::vector<std::size_t>{0, 30, 59}));
}

}  // namespace
}  // namespace teslasim

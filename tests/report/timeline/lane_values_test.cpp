// SPDX-License-Identifier: Apache-2.0
// The text of the values of lanes loses nothing.
#include "sim/report/timeline/lane_values.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <numeric>
#include <sstream>

namespace teslasim {
namespace {

using LaneValues = std::array<std::uint32_t, warp_size>;

LaneValues steps(std::uint32_t first, std::uint32_t step) {
  LaneValues values;
  for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = first + step * lane;
  return values;
}

std::uint32_t hexadecimal(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}

/// Reads a text as its description says; lanes that do not count are 0.
LaneValues read_back(LaneMask lanes, const std::string& text) {
  LaneValues values{};
  std::stringstream list(text.substr(1, text.size() - 2));
  const std::size_t sign = text.find_first_of("+-");
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    if (text.front() == '[') {
      std::string word;
      std::getline(list, word, ',');
      values[lane] = hexadecimal(word);
    } else {
      const std::uint32_t step = sign == std::string::npos ? 0 : hexadecimal(text.substr(sign + 1)) * lane;
      values[lane] = hexadecimal(text) + (sign != std::string::npos && text[sign] == '-' ? 0U - step : step);
    }
  }
  return values;
}

TEST(LaneValuesText, is_short_where_values_are_alike) {
  EXPECT_EQ(lane_values_text(all_lanes, steps(42, 0)), "0x2a");
  EXPECT_EQ(lane_values_text(all_lanes, steps(0x1000, 4)), "0x1000+0x4*lane");
  EXPECT_EQ(lane_values_text(all_lanes, steps(0x7c, 0U - 4)), "0x7c-0x4*lane");
  EXPECT_EQ(lane_values_text(0x00ff0000, steps(0x1000, 4)), "0x1000+0x4*lane") << "counted from lane 0";
  EXPECT_EQ(lane_values_text(0x00008000, steps(0x1000, 4)), "0x103c");
  EXPECT_EQ(lane_values_text(0, steps(0, 0)), "-");
}

TEST(LaneValuesText, lists_what_is_not_alike) {
  LaneValues values = steps(0, 1);
  EXPECT_EQ(lane_values_text(0x3, values), "[0,1]") << "two lanes are no row";
  values[2] = 0xffffffff;
  EXPECT_EQ(lane_values_text(0x7, values), "[0,1,ffffffff]");
  EXPECT_EQ(lane_values_text(0x28, values), "[3,5]");
}

TEST(LaneValuesText, steps_go_around_in_32_bits) {
  EXPECT_EQ(lane_values_text(0x7, steps(0xfffffffe, 1)), "0xfffffffe+0x1*lane");
  EXPECT_EQ(lane_values_text(0x7, steps(0, 0x80000000)), "0x0-0x80000000*lane");
}

RC_GTEST_PROP(LaneValuesText, loses_nothing,
              (LaneMask lanes, std::uint32_t first, std::uint32_t step, unsigned other)) {
  LaneValues values = steps(first, step % 5 == 0 ? 0 : step);
  if (other % 3 == 0) values[other % warp_size] ^= other;
  LaneValues expected{};
  for (unsigned lane = 0; lane < warp_size; ++lane) expected[lane] = (lanes >> lane & 1U) != 0 ? values[lane] : 0;
  if (lanes != 0) RC_ASSERT(read_back(lanes, lane_values_text(lanes, values)) == expected);
}

}  // namespace
}  // namespace teslasim

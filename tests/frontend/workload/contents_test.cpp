// SPDX-License-Identifier: Apache-2.0
// What is in a buffer before the first launch: the generator and the initialisers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>
#include <span>
#include <vector>

#include "frontend/workload/device/buffer_contents.h"
#include "frontend/workload/device/element.h"
#include "frontend/workload/device/npy.h"
#include "frontend/workload/device/pcg32.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using Initialiser = BufferSpec::Initialiser;
using ::testing::Each;
using ::testing::ElementsAre;

BufferSpec buffer_of(ValueType type, std::uint64_t count, Initialiser initialiser) {
  BufferSpec buffer;
  buffer.type = type;
  buffer.count = count;
  buffer.initialiser = initialiser;
  return buffer;
}

TEST(Pcg32, gives_the_numbers_of_the_author_s_demonstration_program) {
  Pcg32 generator(42, 54);
  std::array<std::uint32_t, 6> draws{};
  for (std::uint32_t& draw : draws) draw = generator.next();
  EXPECT_THAT(draws, ElementsAre(0xa15c02b7U, 0x7b47f409U, 0xba1d3330U, 0x83d2f293U, 0xbfa4784bU, 0xcbed606eU));
}

TEST(Pcg32, scales_to_a_bound_by_multiplication) {
  Pcg32 generator(42, 54);
  EXPECT_EQ(generator.below(10), 6U);  // 0xa15c02b7 * 10 >> 32
  EXPECT_EQ(generator.below(16), 7U);  // the top digit of 0x7b47f409
  EXPECT_EQ(generator.below(std::uint64_t{1} << 32), 0xba1d3330U);
}

TEST(Contents, zero_is_zero_and_leaves_the_target_alone) {
  const BufferSpec buffer = buffer_of(ValueType::u32, 3, Initialiser::zero);
  EXPECT_THAT(initial_contents(buffer), Each(std::byte{0}));
  std::vector<std::byte> target(12, std::byte{7});
  write_initial_contents(buffer, target);
  EXPECT_THAT(target, Each(std::byte{7}));
}

TEST(Contents, iota_counts_from_zero_in_every_type) {
  EXPECT_THAT(values_of<float>(initial_contents(buffer_of(ValueType::f32, 3, Initialiser::iota))),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(values_of<double>(initial_contents(buffer_of(ValueType::f64, 3, Initialiser::iota))),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(values_of<std::uint16_t>(initial_contents(buffer_of(ValueType::u16, 3, Initialiser::iota))),
              ElementsAre(0, 1, 2));
  const auto bytes = values_of<std::uint8_t>(initial_contents(buffer_of(ValueType::u8, 258, Initialiser::iota)));
  EXPECT_EQ(bytes[255], 255);
  EXPECT_EQ(bytes[257], 1);  // wraps
}

TEST(Contents, pieces_in_order_are_the_whole) {
  for (const Initialiser how :
       {Initialiser::zero, Initialiser::iota, Initialiser::random, Initialiser::constant, Initialiser::permutation}) {
    for (const ValueType type : {ValueType::u32, ValueType::f64, ValueType::u16}) {
      BufferSpec buffer = buffer_of(type, 10000, how);
      buffer.low = 2;
      buffer.high = 50000;
      buffer.value = 7;
      std::vector<std::byte> joined;
      visit_initial_contents(buffer, [&](std::uint64_t first, std::span<const std::byte> bytes) {
        EXPECT_EQ(first * bytes_of(type), joined.size());
        joined.insert(joined.end(), bytes.begin(), bytes.end());
      });
      EXPECT_EQ(joined, initial_contents(buffer));
    }
  }
}

TEST(Contents, constant_stores_the_value_in_the_type) {
  BufferSpec buffer = buffer_of(ValueType::s16, 2, Initialiser::constant);
  buffer.value = -3;
  EXPECT_THAT(values_of<std::int16_t>(initial_contents(buffer)), ElementsAre(-3, -3));
  buffer.type = ValueType::f32;
  buffer.value = 0.1;
  EXPECT_THAT(values_of<float>(initial_contents(buffer)), ElementsAre(0.1F, 0.1F));
}

TEST(Contents, random_floats_are_24_bits_of_each_draw) {
  BufferSpec buffer = buffer_of(ValueType::f32, 2, Initialiser::random);
  buffer.seed = 42;
  EXPECT_THAT(values_of<float>(initial_contents(buffer)),
              ElementsAre(static_cast<float>(0xa15c02) / 16777216.0F, static_cast<float>(0x7b47f4) / 16777216.0F));
  buffer.low = -1.0;
  EXPECT_FLOAT_EQ(values_of<float>(initial_contents(buffer))[0],
                  -1.0F + 2.0F * static_cast<float>(0xa15c02) / 16777216.0F);
}

TEST(Contents, random_integers_of_the_whole_range_are_the_draws) {
  BufferSpec buffer = buffer_of(ValueType::u32, 2, Initialiser::random);
  buffer.seed = 42;
  buffer.low = 0;
  buffer.high = 4294967296.0;
  EXPECT_THAT(values_of<std::uint32_t>(initial_contents(buffer)), ElementsAre(0xa15c02b7U, 0x7b47f409U));
  buffer.type = ValueType::u64;
  buffer.high = 18446744073709551616.0;
  EXPECT_THAT(values_of<std::uint64_t>(initial_contents(buffer)),
              ElementsAre(0xa15c02b77b47f409ULL, 0xba1d333083d2f293ULL));
}

RC_GTEST_PROP(Contents, random_values_stay_in_their_range,
              (std::uint64_t seed, std::int32_t low, std::uint32_t width)) {
  BufferSpec buffer = buffer_of(ValueType::s64, 50, Initialiser::random);
  buffer.seed = seed;
  buffer.low = low;
  buffer.high = buffer.low + 1.0 + width * 1024.0;
  for (const std::int64_t value : values_of<std::int64_t>(initial_contents(buffer))) {
    RC_ASSERT(static_cast<double>(value) >= buffer.low && static_cast<double>(value) < buffer.high);
  }
  buffer.type = ValueType::f32;
  buffer.low = 16777214.0;  // where a float has no fractions: rounding must not reach the end of the range
  buffer.high = 16777216.0;
  for (const float value : values_of<float>(initial_contents(buffer))) RC_ASSERT(value < 16777216.0F);
}

TEST(Contents, permutation_is_one_cycle_through_all_stops) {
  BufferSpec buffer = buffer_of(ValueType::u32, 1000, Initialiser::permutation);
  buffer.seed = 9;
  buffer.stride = 3;
  const auto links = values_of<std::uint32_t>(initial_contents(buffer));
  std::set<std::uint32_t> seen;
  std::uint32_t at = 0;
  do {
    EXPECT_EQ(at % 3, 0U);
    ASSERT_TRUE(seen.insert(at).second) << "the walk met " << at << " twice";
    at = links.at(at);
  } while (at != 0);
  EXPECT_EQ(seen.size(), 334U);
  EXPECT_EQ(links[1], 0U);  // between the stops there is nothing
}

TEST(Contents, permutation_of_one_stop_links_to_itself) {
  EXPECT_THAT(values_of<std::uint32_t>(initial_contents(buffer_of(ValueType::u32, 1, Initialiser::permutation))),
              ElementsAre(0U));
}

TEST(Contents, file_takes_the_elements_of_npy_and_raw_files) {
  const TemporaryFolder folder;
  const std::vector<std::byte> data = bytes_from<float>({1.5F, -2.0F, 8.0F});
  BufferSpec buffer = buffer_of(ValueType::f32, 3, Initialiser::file);
  buffer.file = folder.write("a.npy", npy_bytes(ValueType::f32, data));
  EXPECT_EQ(initial_contents(buffer), data);
  buffer.file = folder.write("a.raw", data);
  EXPECT_EQ(initial_contents(buffer), data);
}

TEST(Contents, a_file_that_vanished_is_an_input_error) {
  BufferSpec buffer = buffer_of(ValueType::f32, 3, Initialiser::file);
  buffer.file = "/nonexistent/a.npy";
  EXPECT_THROW((void)initial_contents(buffer), InputError);
  buffer.file = "/nonexistent/a.raw";
  EXPECT_THROW((void)initial_contents(buffer), InputError);
}

}  // namespace
}  // namespace teslasim

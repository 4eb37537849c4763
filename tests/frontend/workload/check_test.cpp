// SPDX-License-Identifier: Apache-2.0
// The comparison of a buffer with what is expected.
#include "frontend/workload/references/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "frontend/workload/device/npy.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Compares `got` with a file that holds `want`.
template <class Value>
CheckResult compare(ValueType type, const std::vector<Value>& got, const std::vector<Value>& want,
                    double absolute = 0.0, double relative = 0.0) {
  const TemporaryFolder folder;
  Workload workload;
  BufferSpec buffer;
  buffer.name = "out";
  buffer.type = type;
  buffer.count = got.size();
  workload.buffers = {buffer};
  Expectation expectation;
  expectation.buffer = "out";
  expectation.file = folder.write("want.npy", npy_bytes(type, bytes_from(want)));
  expectation.tolerance_absolute = absolute;
  expectation.tolerance_relative = relative;
  const std::vector<std::byte> bytes = bytes_from(got);
  return check(expectation, workload, [&](std::size_t) { return std::span<const std::byte>(bytes); });
}

TEST(Check, equal_elements_pass_without_tolerance) {
  const CheckResult result = compare<float>(ValueType::f32, {1, -0.0F, 3}, {1, 0.0F, 3});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.elements, 3U);
  EXPECT_THAT(describe(result), ElementsAre(HasSubstr("out: OK, 3 elements")));
}

TEST(Check, the_first_mismatches_are_listed) {
  const CheckResult result = compare<float>(ValueType::f32, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.mismatches, 7U);
  ASSERT_THAT(result.first, SizeIs(5));
  EXPECT_EQ(result.first[0].index, 1U);
  EXPECT_EQ(result.first[0].got, "2");
  EXPECT_EQ(result.first[0].expected, "0");
  EXPECT_EQ(result.first[0].error, 2.0);
  EXPECT_EQ(result.largest_absolute_error, 8.0);
  const std::vector<std::string> lines = describe(result);
  EXPECT_EQ(lines.at(1), "  out[1] = 2, expected 0 (error 2)");
  EXPECT_EQ(lines.back(), "  ... 2 more");
}

TEST(Check, the_tolerances_add_up) {
  EXPECT_TRUE(compare<float>(ValueType::f32, {10.5F}, {10}, 0.25, 0.025).ok);  // 0.25 + 0.025 * 10 = 0.5
  EXPECT_FALSE(compare<float>(ValueType::f32, {10.5F}, {10}, 0.25, 0.024).ok);
  EXPECT_FALSE(compare<float>(ValueType::f32, {10.5F}, {10}, 0.24, 0.025).ok);
  EXPECT_TRUE(compare<float>(ValueType::f32, {-10.5F}, {-10}, 0.25, 0.025).ok);
}

TEST(Check, not_a_number_passes_only_where_it_is_wanted) {
  EXPECT_TRUE(compare<float>(ValueType::f32, {nan}, {-nan}).ok);
  const CheckResult result = compare<float>(ValueType::f32, {nan, 1}, {1, nan}, 1e30, 1e30);
  EXPECT_EQ(result.mismatches, 2U);
  EXPECT_EQ(result.largest_absolute_error, std::numeric_limits<double>::infinity());
}

TEST(Check, infinities_must_be_the_same) {
  EXPECT_TRUE(compare<float>(ValueType::f32, {infinity, -infinity}, {infinity, -infinity}).ok);
  EXPECT_FALSE(compare<float>(ValueType::f32, {infinity}, {-infinity}, 1, 1).ok);
  EXPECT_FALSE(compare<float>(ValueType::f32, {1e30F}, {infinity}, 1, 1).ok);
  EXPECT_FALSE(compare<float>(ValueType::f32, {infinity}, {1e30F}, 1, 1).ok);
}

TEST(Check, integers_are_compared_exactly) {
  EXPECT_TRUE(compare<std::uint32_t>(ValueType::u32, {0xffffffff}, {0xffffffff}).ok);
  const CheckResult result = compare<std::uint32_t>(ValueType::u32, {0xffffffff}, {0xfffffffe});
  EXPECT_EQ(result.first.at(0).got, "4294967295");
  EXPECT_TRUE(compare<std::int32_t>(ValueType::s32, {-1}, {1}, 2).ok);
  EXPECT_EQ(compare<std::int32_t>(ValueType::s32, {-1}, {1}).first.at(0).got, "-1");
}

TEST(Check, large_64_bit_integers_that_differ_are_different) {
  EXPECT_FALSE(compare<std::int64_t>(ValueType::s64, {9007199254740993}, {9007199254740992}).ok);
}

TEST(Check, expected_values_are_rounded_to_the_type_of_the_buffer) {
  // A third is no float: the kernel can only store the nearest one.
  Workload workload;
  BufferSpec one;
  one.name = "a";
  one.type = ValueType::f64;
  one.count = 1;
  one.initialiser = BufferSpec::Initialiser::constant;
  one.value = 1.0 / 3.0;
  BufferSpec zero = one;
  zero.name = "b";
  zero.value = 0.0;
  BufferSpec out = one;
  out.name = "out";
  out.type = ValueType::f32;
  workload.buffers = {one, zero, out};
  Expectation expectation;
  expectation.buffer = "out";
  expectation.builtin = "vecadd";
  const std::vector<std::byte> got = bytes_from<float>({1.0F / 3.0F});
  std::size_t asked = 0;
  const CheckResult result = check(expectation, workload, [&](std::size_t index) {
    asked = index;
    return std::span<const std::byte>(got);
  });
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(asked, 2U);
  EXPECT_EQ(result.against, "builtin vecadd");
}

}  // namespace
}  // namespace teslasim

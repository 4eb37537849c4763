// SPDX-License-Identifier: Apache-2.0
// Values as the debugger prints them.
#include "sim/debugger/views/memory_text.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace teslasim {
namespace {

template <typename Value>
std::string one(ValueType type, Value value) {
  std::array<std::byte, sizeof(Value)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return element_text(type, bytes.data());
}

TEST(ElementText, follows_the_type) {
  EXPECT_EQ(one(ValueType::f32, 0.1F), "0.1");
  EXPECT_EQ(one(ValueType::f64, 0.1), "0.1");
  EXPECT_EQ(one(ValueType::s32, -5), "-5");
  EXPECT_EQ(one(ValueType::u32, ~0U), "4294967295");
  EXPECT_EQ(one(ValueType::s8, std::int8_t{-1}), "-1");
  EXPECT_EQ(one(ValueType::u8, std::uint8_t{65}), "65");
  EXPECT_EQ(one(ValueType::b32, 42), "0x0000002a");
  EXPECT_EQ(one(ValueType::f16, std::uint16_t{0x3c00}), "0x3c00");
}

TEST(ElementsText, has_eight_in_a_line_with_their_numbers) {
  const std::vector<std::uint8_t> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(elements_text(ValueType::u8, std::as_bytes(std::span(values)), 16), "[16] 1 2 3 4 5 6 7 8\n[24] 9\n");
}

TEST(WordsText, has_four_in_a_line_with_their_addresses) {
  std::array<std::uint8_t, 32> bytes{};
  bytes[4] = 0x2a;
  bytes[20] = 0xff;
  EXPECT_EQ(words_text(bytes.data(), 4, 24), "0x0004  0000002a 00000000 00000000 00000000\n0x0014  000000ff\n");
}

}  // namespace
}  // namespace teslasim

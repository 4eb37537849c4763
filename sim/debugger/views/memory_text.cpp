// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/views/memory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace teslasim {
namespace {

template <typename Value>
Value value_at(const std::byte* bytes) {
  Value value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string bits_text(const std::byte* bytes, unsigned count) {
  std::string text = "0x";
  for (unsigned i = count; i-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned>(bytes[i]));
  return text;
}

}  // namespace

std::string element_text(ValueType type, const std::byte* bytes) {
  switch (type) {
    case ValueType::u8:
      return fmt::format("{}", value_at<std::uint8_t>(bytes));
    case ValueType::s8:
      return fmt::format("{}", value_at<std::int8_t>(bytes));
    case ValueType::u16:
      return fmt::format("{}", value_at<std::uint16_t>(bytes));
    case ValueType::s16:
      return fmt::format("{}", value_at<std::int16_t>(bytes));
    case ValueType::u32:
      return fmt::format("{}", value_at<std::uint32_t>(bytes));
    case ValueType::s32:
      return fmt::format("{}", value_at<std::int32_t>(bytes));
    case ValueType::f32:
      return fmt::format("{}", value_at<float>(bytes));
    case ValueType::u64:
      return fmt::format("{}", value_at<std::uint64_t>(bytes));
    case ValueType::s64:
      return fmt::format("{}", value_at<std::int64_t>(bytes));
    case ValueType::f64:
      return fmt::format("{}", value_at<double>(bytes));
    default:
      return bits_text(bytes, bytes_of(type));
  }
}

std::string elements_text(ValueType type, std::span<const std::byte> bytes, std::uint64_t first) {
  constexpr std::uint64_t in_line = 8;
  const unsigned size = bytes_of(type);
  std::string text;
  const std::uint64_t count = size == 0 ? 0 : bytes.size() / size;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % in_line == 0) text += fmt::format("{}[{}]", i == 0 ? "" : "\n", first + i);
    text += " " + element_text(type, bytes.data() + i * size);
  }
  return text + "\n";
}

std::string words_text(const std::uint8_t* bytes, std::uint64_t address, std::uint64_t end) {
  constexpr std::uint64_t word_bytes = 4, line_bytes = 16;
  std::string text;
  for (std::uint64_t at = address; at + word_bytes <= end; at += word_bytes) {
    if ((at - address) % line_bytes == 0) text += fmt::format("{}{:#06x} ", at == address ? "" : "\n", at);
    std::uint32_t word = 0;
    std::memcpy(&word, bytes + at, word_bytes);
    text += fmt::format(" {:08x}", word);
  }
  return text + "\n";
}

}  // namespace teslasim

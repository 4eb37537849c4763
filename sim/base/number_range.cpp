// SPDX-License-Identifier: Apache-2.0
#include "sim/base/number_range.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace teslasim {
namespace {

constexpr int decimal = 10;

/// Cuts "0x", "0o" or "0b" off; the base of what is left.
int take_base(std::string_view& digits) {
  struct Prefix {
    std::string_view text;
    int base;
  };
  constexpr Prefix prefixes[] = {{"0x", 16}, {"0o", 8}, {"0b", 2}};
  for (const Prefix& prefix : prefixes) {
    if (!digits.starts_with(prefix.text)) continue;
    digits.remove_prefix(prefix.text.size());
    return prefix.base;
  }
  return decimal;
}

template <typename Value, typename... Format>
bool is_out_of_range(std::string_view text, Format... format) {
  Value value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, format...);
  return result.ec == std::errc::result_out_of_range && result.ptr == end;
}

}  // namespace

std::optional<std::string> number_out_of_range(std::string_view text) {
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());  // 1_000_000
  std::string_view digits = plain;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const bool negative = digits.starts_with('-');
  std::string_view unsigned_digits = digits.substr(negative ? 1 : 0);
  const int base = take_base(unsigned_digits);
  using Whole = std::numeric_limits<std::int64_t>;
  const bool whole = base == decimal ? is_out_of_range<std::int64_t>(digits, base)
                                     : is_out_of_range<std::int64_t>(unsigned_digits, base);
  if (whole) {
    return std::string(text) + " is out of range: whole numbers go from " + std::to_string(Whole::min()) + " to " +
           std::to_string(Whole::max());
  }
  if (base != decimal || !is_out_of_range<double>(digits)) return std::nullopt;
  return std::string(text) + " is out of range: numbers go from about 1e-308 to 1e+308 and from -1e+308 to -1e-308";
}

std::string_view number_at_end(std::string_view text) {
  const std::size_t before = text.find_last_not_of("0123456789abcdefABCDEFxo_+-.");
  return before == std::string_view::npos ? text : text.substr(before + 1);
}

}  // namespace teslasim

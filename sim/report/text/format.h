// SPDX-License-Identifier: Apache-2.0
// How numbers are written for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace teslasim {

/// 10306080 -> "10 306 080".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// A percentage with one decimal, "27.9 %"; "-" when `whole` is 0.
[[nodiscard]] std::string percent(double part, double whole);
/// Times of the GPU, always in ms: three decimals, and below 1 ms four digits: "12.345 ms", "0.5301 ms", "0.02107 ms".
[[nodiscard]] std::string milliseconds(double value);
/// The same without the unit, for columns that name it.
[[nodiscard]] std::string milliseconds_number(double value);
/// 2556000 -> "2.56 M", 4100 -> "4.10 k".
[[nodiscard]] std::string with_prefix(double value);
/// 16 lower-case hexadecimal digits.
[[nodiscard]] std::string digest_text(std::uint64_t digest);
/// "9f3a 61c2 07be d41d".
[[nodiscard]] std::string digest_groups(std::uint64_t digest);
/// Columns that UTF-8 `text` takes on a terminal, one per code point.
[[nodiscard]] std::size_t columns(std::string_view text);
/// `text` followed by spaces up to `width` columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);
/// `text` cut to `width` columns, with "..." at the end when something is missing.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);
/// `text` broken between words into lines of at most `width` columns; later lines begin with `indent` spaces.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace teslasim

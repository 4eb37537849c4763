// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/resolve/value_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>
#include <variant>

#include "frontend/workload/device/element.h"
#include "frontend/workload/device/npy.h"
#include "isa/names.h"

namespace teslasim {

namespace {

std::string text_of(const Number& number) {
  return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

/// b types take what signed and unsigned types of their size take.
bool same_shape(ValueType wanted, ValueType present) {
  return wanted == present || (is_untyped(wanted) && bytes_of(wanted) == bytes_of(present));
}

std::optional<std::uint64_t> file_error(const std::string& path, const std::string& what, const SourceLocation& where,
                                        MistakeList& mistakes, const std::string& help = "") {
  mistakes.error({"LAUNCH-FILE", "'" + path + "': " + what, where, help, {}});
  return std::nullopt;
}

/// How C, numpy and others call our types.
std::string in_our_words(const std::string& type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> others{{{"int", "s32"},
                                                                                  {"unsigned", "u32"},
                                                                                  {"uint", "u32"},
                                                                                  {"float", "f32"},
                                                                                  {"double", "f64"},
                                                                                  {"char", "s8"},
                                                                                  {"short", "s16"},
                                                                                  {"i8", "s8"},
                                                                                  {"i16", "s16"},
                                                                                  {"i32", "s32"},
                                                                                  {"int32", "s32"},
                                                                                  {"uint32", "u32"},
                                                                                  {"float32", "f32"}}};
  const auto* const same =
      std::find_if(others.begin(), others.end(), [&type](const auto& other) { return other.first == type; });
  return same == others.end() ? type : std::string(same->second);
}

}  // namespace

std::optional<std::int64_t> whole(const LocatedNumber& number, std::string_view key, WholeRange range,
                                  MistakeList& mistakes) {
  const auto* value = std::get_if<std::int64_t>(&number.value);
  if (value == nullptr) {
    mistakes.error({"LAUNCH-TYPE",
                    fmt::format("'{}' must be a whole number, got {}", key, text_of(number.value)),
                    number.where,
                    "",
                    {}});
    return std::nullopt;
  }
  if (*value < range.low || *value > range.high) {
    mistakes.error({"LAUNCH-RANGE",
                    fmt::format("'{}' must be between {} and {}, got {}", key, range.low, range.high, *value),
                    number.where,
                    "",
                    {}});
    return std::nullopt;
  }
  return *value;
}

std::optional<ValueType> checked_type(const LocatedText& name, MistakeList& mistakes) {
  const std::optional<ValueType> type = element_type(name.value);
  if (!type) {
    mistakes.error({"LAUNCH-TYPE",
                    "there is no element type '" + name.value + "'",
                    name.where,
                    did_you_mean(in_our_words(name.value), element_type_names(), "the types are"),
                    {}});
  }
  return type;
}

std::optional<double> number_of_type(const LocatedNumber& number, std::string_view key, ValueType type,
                                     MistakeList& mistakes) {
  const double value = as_double(number.value);
  const std::string_view name = type_name(type);
  if (is_real(type)) {
    const bool fits = type == ValueType::f64 || !std::isfinite(value) || std::isfinite(static_cast<float>(value));
    if (fits) return value;
    mistakes.error({"LAUNCH-RANGE",
                    fmt::format("'{}' is too large for {}: {}", key, name, text_of(number.value)),
                    number.where,
                    "",
                    {}});
    return std::nullopt;
  }
  if (!is_integer(number.value)) {
    mistakes.error({"LAUNCH-TYPE",
                    fmt::format("'{}' must be a whole number for {}, got {}", key, name, text_of(number.value)),
                    number.where,
                    "an integer, or type = \"f32\"",
                    {}});
    return std::nullopt;
  }
  const IntegerRange range = integer_range(type);
  if (value >= range.low && value < range.high) return value;
  mistakes.error({"LAUNCH-RANGE",
                  fmt::format("'{}' must be between {:.0f} and {:.0f} for {}, got {}", key, range.low, range.high - 1.0,
                              name, text_of(number.value)),
                  number.where,
                  "",
                  {}});
  return std::nullopt;
}

std::optional<std::uint64_t> bits_of_type(const LocatedNumber& number, std::string_view key, ValueType type,
                                          MistakeList& mistakes) {
  const std::optional<double> value = number_of_type(number, key, type, mistakes);
  if (!value) return std::nullopt;
  if (is_real(type)) return bits_of_number(type, *value);
  const auto bits = static_cast<std::uint64_t>(std::get<std::int64_t>(number.value));
  const unsigned width = bytes_of(type) * 8;
  return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::optional<std::uint64_t> elements_in_file(const std::string& path, ValueType type, const SourceLocation& where,
                                              MistakeList& mistakes) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return file_error(path, "there is no such file", where, mistakes,
                      "names in a launch file are relative to the folder of the launch file");
  }
  if (!std::filesystem::is_regular_file(status) || !std::ifstream(path)) {
    return file_error(path, "this is not a readable file", where, mistakes);
  }
  if (path.ends_with(".npy")) {
    const std::variant<NpyHeader, NpyProblem> result = inspect_npy(path);
    if (const auto* problem = std::get_if<NpyProblem>(&result)) return file_error(path, problem->text, where, mistakes);
    const auto& header = std::get<NpyHeader>(result);
    if (same_shape(type, header.type)) return header.elements;
    return file_error(
        path, fmt::format("the array has type {}, the buffer {}", type_name(header.type), type_name(type)), where,
        mistakes, fmt::format("write type = \"{}\", or convert the array", type_name(header.type)));
  }
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) return file_error(path, "its size cannot be read", where, mistakes);
  if (bytes % bytes_of(type) == 0) return bytes / bytes_of(type);
  return file_error(path, fmt::format("{} bytes are not a whole number of {} elements", bytes, type_name(type)), where,
                    mistakes);
}

}  // namespace teslasim

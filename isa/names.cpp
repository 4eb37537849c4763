// SPDX-License-Identifier: Apache-2.0
#include "isa/names.h"

#include <utility>

namespace teslasim {
namespace {

template <typename Value, std::size_t size>
std::optional<Value> find_name(const std::array<std::pair<std::string_view, Value>, size>& table,
                               std::string_view word) {
  for (const auto& [name, value] : table) {
    if (name == word) return value;
  }
  return std::nullopt;
}

template <typename Value, std::size_t size>
std::string_view find_value(const std::array<std::pair<std::string_view, Value>, size>& table, Value wanted) {
  for (const auto& [name, value] : table) {
    if (value == wanted) return name;
  }
  return "?";
}

constexpr std::array<std::pair<std::string_view, ValueType>, 16> types{{
    {"u8", ValueType::u8},
    {"s8", ValueType::s8},
    {"u16", ValueType::u16},
    {"s16", ValueType::s16},
    {"b16", ValueType::b16},
    {"u32", ValueType::u32},
    {"s32", ValueType::s32},
    {"b32", ValueType::b32},
    {"f16", ValueType::f16},
    {"f32", ValueType::f32},
    {"u64", ValueType::u64},
    {"s64", ValueType::s64},
    {"b64", ValueType::b64},
    {"f64", ValueType::f64},
    {"b128", ValueType::b128},
    {"b8", ValueType::u8},
}};

constexpr std::array<std::string_view, 32> conditions{
    "fl", "lt", "eq", "le", "gt", "ne", "ge", "leg", "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "tr",
    "of", "cf", "ab", "sf", "20", "21", "22", "23",  "24",  "25",  "26",  "27",  "nsf", "ble", "ncf", "nof"};

constexpr std::array<std::pair<std::string_view, Rounding>, 4> roundings{
    {{"rn", Rounding::nearest}, {"rm", Rounding::down}, {"rp", Rounding::up}, {"rz", Rounding::zero}}};

constexpr std::array<std::pair<std::string_view, AtomicOperation>, 10> atomics{{
    {"add", AtomicOperation::add},
    {"exch", AtomicOperation::exch},
    {"cas", AtomicOperation::cas},
    {"inc", AtomicOperation::inc},
    {"dec", AtomicOperation::dec},
    {"max", AtomicOperation::max},
    {"min", AtomicOperation::min},
    {"and", AtomicOperation::logic_and},
    {"or", AtomicOperation::logic_or},
    {"xor", AtomicOperation::logic_xor},
}};

std::optional<std::uint8_t> parse_code(std::string_view word) {
  if (word.empty() || word.size() > 2) return std::nullopt;
  unsigned value = 0;
  for (const char digit : word) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(digit - '0');
  }
  if (value >= conditions.size()) return std::nullopt;
  return static_cast<std::uint8_t>(value);
}

}  // namespace

std::string_view type_name(ValueType type) {
  return find_value(types, type);
}
std::optional<ValueType> parse_type(std::string_view word) {
  return find_name(types, word);
}

std::string_view condition_name(unsigned code) {
  return conditions[code & 31U];
}
std::optional<std::uint8_t> parse_condition(std::string_view word) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i] == word) return static_cast<std::uint8_t>(i);
  }
  if (word == "nzf") return std::uint8_t{5};
  if (word == "zf") return std::uint8_t{10};
  return parse_code(word);
}

std::string_view rounding_name(Rounding rounding) {
  return find_value(roundings, rounding);
}
std::optional<Rounding> parse_rounding(std::string_view word) {
  return find_name(roundings, word);
}

std::string_view atomic_name(AtomicOperation operation) {
  return find_value(atomics, operation);
}
std::optional<AtomicOperation> parse_atomic(std::string_view word) {
  return find_name(atomics, word);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/model/input_set.h"

#include <algorithm>
#include <array>
#include <utility>

namespace teslasim {
namespace {

constexpr std::array inputs{
#define INPUT(name, unit, minimum, maximum, meaning) InputInfo{name, unit, minimum, maximum, meaning},
#include "sim/model/inputs.def"
#undef INPUT
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether `name` is `pattern`, or is it with its `#` replaced by a number.
bool fits(std::string_view name, std::string_view pattern) {
  if (name == pattern) return true;
  const std::size_t hash = pattern.find('#');
  if (hash == std::string_view::npos) return false;
  const std::string_view before = pattern.substr(0, hash), after = pattern.substr(hash + 1);
  if (name.size() < before.size() + after.size() + 1 || !name.starts_with(before) || !name.ends_with(after))
    return false;
  return is_number(name.substr(before.size(), name.size() - before.size() - after.size()));
}

}  // namespace

std::span<const InputInfo> input_table() {
  return inputs;
}

const InputInfo* find_input_info(std::string_view name) {
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [name](const InputInfo& row) { return fits(name, row.name); });
  return found == inputs.end() ? nullptr : &*found;
}

std::span<const WordInputInfo> word_input_table() {
  static const std::array<WordInputInfo, 2> words{{
      {"kernel_type",
       {"fp32", "fp64", "int"},
       "which operations are the work: double precision if there is any, else single, else integer"},
      {"scheduler_policy", {"lrr", "gto"}, "order in which warps issue: loose round robin, or greedy then oldest"},
  }};
  return words;
}

void InputSet::set(std::string name, double number, InputOrigin origin, std::string source) {
  values_[std::move(name)] = {number, "", origin, std::move(source)};
}

void InputSet::set_word(std::string name, std::string word, InputOrigin origin, std::string source) {
  values_[std::move(name)] = {0.0, std::move(word), origin, std::move(source)};
}

void InputSet::erase(std::string_view name) {
  const auto found = values_.find(name);
  if (found != values_.end()) values_.erase(found);
}

void InputSet::overlay(const InputSet& other) {
  for (const auto& [name, value] : other.values_) values_[name] = value;
}

const InputValue* InputSet::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

}  // namespace teslasim

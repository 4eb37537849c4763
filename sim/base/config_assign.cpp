// SPDX-License-Identifier: Apache-2.0
#include "sim/base/config_assign.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/config_loader.h"

namespace teslasim {

namespace {

using Problem = std::optional<Diagnostic>;

Diagnostic problem_at_value(const ConfigEntry& entry, const char* code, std::string message) {
  Diagnostic problem;
  problem.code = code;
  problem.message = std::move(message);
  problem.where = entry.value_place;
  problem.excerpt = entry.value_line;
  return problem;
}

Diagnostic wrong_type(const FieldSlot& slot, const ConfigEntry& entry, const char* expected) {
  return problem_at_value(entry, "CFG-TYPE",
                          fmt::format("'{}' must be {}, got {}", slot.key, expected, entry.kind_name));
}

std::string allowed_numbers(const FieldInfo& info) {
  if (info.minimum == info.maximum) return fmt::format("{}", info.minimum);
  return fmt::format("{}between {} and {}", info.only_powers_of_two ? "a power of two " : "", info.minimum,
                     info.maximum);
}

Diagnostic out_of_range(const FieldSlot& slot, const ConfigEntry& entry, const std::string& got) {
  Diagnostic problem = problem_at_value(
      entry, "CFG-RANGE", fmt::format("'{}' must be {}, got {}", slot.key, allowed_numbers(slot.info), got));
  return problem;
}

Problem assign_whole(const FieldSlot& slot, unsigned& target, const ConfigEntry& entry) {
  if (entry.kind == ConfigEntry::Kind::huge_number) return out_of_range(slot, entry, entry.spelling);
  if (entry.kind != ConfigEntry::Kind::whole_number) return wrong_type(slot, entry, "a whole number");
  const std::int64_t number = std::get<std::int64_t>(entry.value);
  const bool inside =
      number >= static_cast<std::int64_t>(slot.info.minimum) && number <= static_cast<std::int64_t>(slot.info.maximum);
  const bool allowed =
      inside && (!slot.info.only_powers_of_two || std::has_single_bit(static_cast<std::uint64_t>(number)));
  if (!allowed) return out_of_range(slot, entry, fmt::format("{}", number));
  target = static_cast<unsigned>(number);
  return std::nullopt;
}

Problem assign_real(const FieldSlot& slot, double& target, const ConfigEntry& entry) {
  if (entry.kind == ConfigEntry::Kind::huge_number) return out_of_range(slot, entry, entry.spelling);
  double number = 0.0;
  if (entry.kind == ConfigEntry::Kind::real_number) {
    number = std::get<double>(entry.value);
  } else if (entry.kind == ConfigEntry::Kind::whole_number) {
    number = static_cast<double>(std::get<std::int64_t>(entry.value));
  } else {
    return wrong_type(slot, entry, "a number");
  }
  // Written so that "not a number" fails as well.
  const bool inside = number >= slot.info.minimum && number <= slot.info.maximum;
  if (!inside) return out_of_range(slot, entry, fmt::format("{}", number));
  target = number;
  return std::nullopt;
}

Problem assign_truth(const FieldSlot& slot, bool& target, const ConfigEntry& entry) {
  if (entry.kind != ConfigEntry::Kind::truth) return wrong_type(slot, entry, "true or false");
  target = std::get<bool>(entry.value);
  return std::nullopt;
}

Problem assign_text(const FieldSlot& slot, std::string& target, const ConfigEntry& entry) {
  const bool quoted = entry.kind == ConfigEntry::Kind::text;
  if (!quoted && entry.spelling.empty()) return wrong_type(slot, entry, "a string");
  const std::string& text = quoted ? std::get<std::string>(entry.value) : entry.spelling;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) {
    return problem_at_value(entry, "CFG-RANGE", fmt::format("'{}' must be one line of text", slot.key));
  }
  const choice& choices = slot.info.choices;
  const std::vector<std::string> names(choices.names.begin(),
                                       choices.names.begin() + static_cast<std::ptrdiff_t>(choices.count));
  if (!names.empty() && std::find(names.begin(), names.end(), text) == names.end()) {
    Diagnostic problem =
        problem_at_value(entry, "CFG-CHOICE",
                         fmt::format("'{}' must be one of '{}', got '{}'", slot.key, fmt::join(names, "', '"), text));
    const std::string suggestion = nearest_word(text, names);
    if (!suggestion.empty()) problem.help = "did you mean '" + suggestion + "'?";
    return problem;
  }
  target = text;
  return std::nullopt;
}

}  // namespace

Problem assign(const FieldSlot& slot, const ConfigEntry& entry) {
  if (auto* const* whole = std::get_if<unsigned*>(&slot.value)) return assign_whole(slot, **whole, entry);
  if (auto* const* real = std::get_if<double*>(&slot.value)) return assign_real(slot, **real, entry);
  if (auto* const* truth = std::get_if<bool*>(&slot.value)) return assign_truth(slot, **truth, entry);
  return assign_text(slot, *std::get<std::string*>(slot.value), entry);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic_names.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/report/result/statistic.h"
#include "sim/report/result/statistic_prototypes.h"
#include "sim/report/result/statistic_table.h"

namespace teslasim {
namespace {

constexpr std::string_view stall_prefix = "stall.", stall_end = "_pct", share_prefix = "slots_pct.";
constexpr std::string_view first_launch = "launches/#0/";

struct NameInfo {
  NamedValue value = NamedValue::number;
  std::string unit;
  const StatisticInfo* meaning = nullptr;
};

using Names = std::map<std::string, NameInfo, std::less<>>;

/// The name with list positions, other numbers and names of models replaced by '#', so that it can be looked up without
/// a run.
std::string pattern_of(std::string_view name) {
  std::string pattern, previous;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const std::string segment(name.substr(0, dot));
    const bool number = !segment.empty() && segment.find_first_not_of("0123456789") == std::string::npos;
    if (!pattern.empty()) pattern += '.';
    pattern += number || previous == "models" ? "#" : segment;
    previous = segment;
    name.remove_prefix(dot == std::string_view::npos ? name.size() : dot + 1);
  }
  return pattern;
}

NamedValue value_of(const StatisticValue& value) {
  const bool other = std::holds_alternative<bool>(value) || std::holds_alternative<std::string>(value);
  return other ? NamedValue::any : NamedValue::number;
}

void add_all(Names& names, const std::vector<Statistic>& statistics) {
  for (const Statistic& statistic : statistics) {
    std::string_view below_launch = statistic.path;
    if (below_launch.starts_with(first_launch)) below_launch.remove_prefix(first_launch.size());
    const StatisticInfo* info = find_statistic(below_launch);
    names.emplace(pattern_of(dotted_name(statistic.path)),
                  NameInfo{value_of(statistic.value), info == nullptr ? "" : std::string(info->unit), info});
  }
}

/// Those of a run that has one of everything, and no sum of launches: conditions name single ones.
Names all_names() {
  Result prototype = prototype_result();
  LaunchResult& launch = prototype.launches[0];
  launch.merged.reset();
  Names names{{"outputs_ok", {NamedValue::any, "", find_statistic("outputs/ok")}},
              {"time_ms", {NamedValue::number, "ms", find_statistic("time/ms")}},
              {"cycles", {NamedValue::number, "SP cycles", find_statistic("time/cycles")}}};
  add_all(names, statistics_of(prototype));
  add_all(names, statistics_of(launch, 0, prototype.machine));
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.views == ReasonViews::B) continue;
    const NameInfo share{NamedValue::number, "%", find_statistic("issue_slots/" + std::string(reason.name))};
    names[std::string(stall_prefix) + std::string(reason.name) + std::string(stall_end)] = share;
    names[std::string(share_prefix) + std::string(reason.name)] = share;
  }
  return names;
}

const Names& names() {
  static const Names known = all_names();
  return known;
}

const NameInfo* find_name(std::string_view name) {
  if (name.find('#') != std::string_view::npos) return nullptr;
  const auto found = names().find(pattern_of(name));
  return found == names().end() ? nullptr : &found->second;
}

}  // namespace

std::string dotted_name(std::string_view path) {
  std::string text;
  for (const char character : path) {
    if (character != '#') text += character == '/' ? '.' : character;
  }
  return text;
}

bool is_statistic_name(std::string_view name, NamedValue wanted) {
  const NameInfo* info = find_name(name);
  return info != nullptr && (wanted == NamedValue::any || info->value == NamedValue::number);
}

std::string nearest_statistic_name(const std::string& name) {
  static const std::vector<std::string> candidates = [] {
    std::vector<std::string> all;
    for (const auto& [known, info] : names()) all.push_back(known);
    return all;
  }();
  return nearest_word(name, candidates);
}

std::string statistic_unit(std::string_view name) {
  const NameInfo* info = find_name(name);
  return info == nullptr ? "" : info->unit;
}

const StatisticInfo* statistic_meaning(std::string_view name) {
  const NameInfo* info = find_name(name);
  return info == nullptr ? nullptr : info->meaning;
}

std::string_view reason_in_name(std::string_view name) {
  if (name.starts_with(share_prefix)) return name.substr(share_prefix.size());
  if (!name.starts_with(stall_prefix) || !name.ends_with(stall_end)) return {};
  return name.substr(stall_prefix.size(), name.size() - stall_prefix.size() - stall_end.size());
}

}  // namespace teslasim

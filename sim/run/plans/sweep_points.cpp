// SPDX-License-Identifier: Apache-2.0
// The points of a plan: how many, which, and which are left out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>

#include "sim/base/number_text.h"
#include "sim/run/plans/sweep_plan.h"
#include "sim/run/run_settings.h"

namespace teslasim {
namespace {

[[noreturn]] void broken(const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "PLAN-VALUE";
  diagnostic.message = "skip_if: " + message;
  diagnostic.help = "write comparisons of axes, e.g. \"sm.shared.banks == 8 && sm.registers < 8192\"";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

bool holds(const std::string& comparison, const std::vector<std::pair<std::string, std::string>>& settings) {
  constexpr std::array<std::string_view, 6> signs{"<=", ">=", "==", "!=", "<", ">"};
  const std::size_t at = comparison.find_first_of("<>=!");
  if (at == std::string::npos) broken("there is no comparison in '" + comparison + "'");
  const auto sign =
      std::find_if(signs.begin(), signs.end(), [&](auto s) { return comparison.compare(at, s.size(), s) == 0; });
  if (sign == signs.end()) broken("unknown comparison in '" + comparison + "'");
  const std::string key = trimmed(std::string_view(comparison).substr(0, at));
  std::string value = trimmed(std::string_view(comparison).substr(at + sign->size()));
  if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  const auto setting =
      std::find_if(settings.begin(), settings.end(), [&key](const auto& row) { return row.first == key; });
  if (setting == settings.end()) broken("'" + key + "' is not an axis");
  const std::optional<double> left = finite_number(setting->second), right = finite_number(value);
  const int order = left && right ? (*left < *right ? -1 : *left > *right ? 1 : 0) : setting->second.compare(value);
  if (*sign == "==") return order == 0;
  if (*sign == "!=") return order != 0;
  if (*sign == "<") return order < 0;
  if (*sign == "<=") return order <= 0;
  return *sign == ">" ? order > 0 : order >= 0;
}

std::vector<std::string> split(const std::string& text, std::string_view separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + separator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Combinations of the axes; the last axis changes fastest.
std::vector<Settings> combinations(const SweepPlan& plan) {
  if (plan.mode == "list") return plan.points;
  std::vector<Settings> all;
  if (plan.mode == "zip") {
    for (std::size_t i = 0; i < plan.axes.front().values.size(); ++i) {
      Settings settings;
      for (const SweepAxis& axis : plan.axes) settings.emplace_back(axis.key, axis.values.at(i));
      all.push_back(std::move(settings));
    }
    return all;
  }
  if (plan.mode == "random") {
    std::mt19937_64 engine(plan.seed);
    for (std::uint64_t i = 0; i < plan.n; ++i) {
      Settings settings;
      for (const SweepAxis& axis : plan.axes)
        settings.emplace_back(axis.key, axis.values[engine() % axis.values.size()]);
      all.push_back(std::move(settings));
    }
    return all;
  }
  all.emplace_back();
  for (const SweepAxis& axis : plan.axes) {
    std::vector<Settings> longer;
    for (const Settings& settings : all) {
      for (const std::string& value : axis.values) {
        longer.push_back(settings);
        longer.back().emplace_back(axis.key, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > most / a ? most : a * b;
}

/// Names of files may have line ends; a point is one line.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
  return text;
}

}  // namespace

std::uint64_t plan_size(const SweepPlan& plan) {
  std::uint64_t size = std::max<std::size_t>(1, plan.inputs.size());
  if (plan.mode == "list") return product(size, plan.points.size());
  if (plan.mode == "random") return product(size, plan.n);
  if (plan.axes.empty()) return size;
  if (plan.mode == "zip") return product(size, plan.axes.front().values.size());
  for (const SweepAxis& axis : plan.axes) size = product(size, axis.values.size());
  return size;
}

bool skips(const std::string& condition, const Settings& settings) {
  bool any = false;
  for (const std::string& alternative : split(condition, "||")) {
    bool all = true;
    for (const std::string& comparison : split(alternative, "&&")) all = holds(trimmed(comparison), settings) && all;
    any = any || all;
  }
  return any;
}

SweepPlan with_limits(SweepPlan plan, const RunLimits& limits) {
  if (limits.max_cycles != never) plan.max_cycles = limits.max_cycles;
  if (limits.max_seconds > 0.0) plan.max_seconds = limits.max_seconds;
  plan.limit_is_error = limits.limit_is_error;
  return plan;
}

std::string describe(const SweepPoint& point) {
  std::string text = fmt::format("point {}  {}", point.number, std::filesystem::path(point.input).filename().string());
  for (const auto& [key, value] : point.settings) text += " " + key + "=" + value;
  return on_one_line(std::move(text));
}

std::vector<SweepPoint> sweep_points(const SweepPlan& plan) {
  std::vector<SweepPoint> points;
  std::size_t number = 0;
  const std::vector<Settings> all = combinations(plan);
  for (const std::string& input : plan.inputs) {
    for (const Settings& settings : all) {
      ++number;
      if (!plan.skip_if.empty() && skips(plan.skip_if, settings)) continue;
      points.push_back({number, input, settings});
    }
  }
  return points;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/compare/change_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sim/base/number_text.h"
#include "sim/base/option_mistake.h"
#include "sim/report/result/statistic_names.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

/// `part` is what is wrong of `text`: a view into it, empty where something is missing.
[[noreturn]] void refuse(const std::string& text, std::string_view part, const std::string& message) {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  refuse_option("CLI-FAIL-ON", {"--fail-on", text, begin, part.size()}, "--fail-on '" + text + "': " + message,
                "write for example 'time_ms>+2%' or 'shared.replays>+0'");
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

bool is_name_character(unsigned char character) {
  return character < 0x80U &&
         (std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-');
}

std::string no_such_name(const std::string& name, const RunData& run) {
  const std::string near = is_statistic_name(name) ? "" : nearest_statistic_name(name);
  return "there is no '" + name + "' in " + run.label() + (near.empty() ? "" : ", did you mean '" + near + "'?");
}

/// From 0, every change is beyond any percentage.
double change_of(const ChangeLimit& limit, double from, double to) {
  const double change = to - from;
  if (!limit.relative || change == 0.0) return change;
  return from == 0.0 ? std::copysign(HUGE_VAL, change) : 100.0 * change / std::abs(from);
}

std::string change_text(const ChangeLimit& limit, double from, double to) {
  const double change = change_of(limit, from, to);
  if (std::isinf(change)) return fmt::format("from 0 to {:.6g}", to);
  return fmt::format("{:+.6g}{}", change, limit.relative ? " %" : "");
}

/// Why a counter of samples says nothing: it is of so many blocks here and of others there.
std::string other_blocks(const std::string& name, const std::vector<RunData>& runs) {
  if (name == "time_ms" || name == "cycles" || name.find("sample.") != std::string::npos) return "";
  for (const RunData& run : runs) {
    if (run.blocks().any && run.blocks().timed != runs.front().blocks().timed)
      return fmt::format("{} counts {} blocks, {} {}: only time_ms, cycles and sample.* are of all blocks",
                         runs.front().label(), runs.front().blocks().timed, run.label(), run.blocks().timed);
  }
  return "";
}

}  // namespace

std::string obstacle_to_comparing(const std::vector<RunData>& runs) {
  for (const RunData& run : runs) {
    if (!run.sound()) return run.label() + " " + run.flaw();
  }
  const auto other = std::find_if(runs.begin(), runs.end(),
                                  [&](const RunData& run) { return run.sampled() != runs.front().sampled(); });
  if (other == runs.end()) return "";
  const RunData& sample = other->sampled() ? *other : runs.front();
  const RunData& whole = other->sampled() ? runs.front() : *other;
  if (!sample.blocks().any) return sample.label() + " ran some blocks of its grid, " + whole.label() + " all";
  return fmt::format("{} ran some blocks of its grid in time, {} all; its time is extrapolated, +-{}", sample.label(),
                     whole.label(), milliseconds(sample.blocks().ms_bound));
}

ChangeLimit parse_change_limit(const std::string& text) {
  const std::string_view all = text;
  ChangeLimit limit;
  limit.text = text;
  const std::size_t sign = std::min(all.find_first_of("<>"), all.size());
  const std::string_view name = trimmed(all.substr(0, sign));
  if (sign == all.size() || name.empty()) refuse(text, name, "there is no name with < or > behind it");
  const auto strange = std::find_if_not(name.begin(), name.end(), is_name_character);
  if (strange != name.end())
    refuse(text, name.substr(static_cast<std::size_t>(strange - name.begin()), 1), "no statistic has such a name");
  limit.above = text[sign] == '>';
  limit.name = name;
  std::string_view bound = trimmed(all.substr(sign + 1));
  if (!bound.starts_with('+') && !bound.starts_with('-')) refuse(text, bound, "the change needs a sign, such as +2%");
  limit.relative = bound.ends_with('%');
  if (limit.relative) bound.remove_suffix(1);
  const std::string_view digits = bound.substr(1);
  const std::optional<double> number = digits.starts_with('-') ? std::nullopt : finite_number(digits);
  if (!number) refuse(text, digits, "'" + std::string(digits) + "' is not a number");
  limit.bound = bound.front() == '-' ? -*number : *number;
  return limit;
}

CheckedLimit check_limit(const ChangeLimit& limit, const std::vector<RunData>& runs) {
  if (std::string why = obstacle_to_comparing(runs); !why.empty()) return {limit, true, std::move(why)};
  if (std::string why = other_blocks(limit.name, runs); !why.empty()) return {limit, true, std::move(why)};
  CheckedLimit checked{limit, false, ""};
  const std::optional<double> first = runs.front().find(limit.name);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const std::optional<double> other = runs[i].find(limit.name);
    if (!first || !other) return {limit, true, no_such_name(limit.name, first ? runs[i] : runs[0])};
    const double change = change_of(limit, *first, *other);
    const bool failed = limit.above ? change > limit.bound : change < limit.bound;
    if (failed || checked.actual.empty())
      checked.actual = change_text(limit, *first, *other) + " in " + runs[i].label();
    checked.failed = checked.failed || failed;
  }
  return checked;
}

std::string limit_report(const std::vector<CheckedLimit>& limits) {
  std::string text;
  for (const CheckedLimit& limit : limits) {
    text += fmt::format("fail-on: {}   {}  ({})\n", limit.limit.text, limit.failed ? "FAIL" : "pass", limit.actual);
  }
  return text;
}

}  // namespace teslasim

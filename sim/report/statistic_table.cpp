// SPDX-License-Identifier: Apache-2.0
#include "sim/report/statistic_table.h"

#include <array>

namespace teslasim {
namespace {

constexpr auto rows = std::to_array<StatisticInfo>({
#define STATISTIC(path, unit, scope, formula, sentence) {path, unit, scope, formula, sentence},
#include "sim/report/statistic_table.def"
#undef STATISTIC
#define COUNTER(name, scope, rules, description) {"profiler." #name, "", #scope, "", description},
#include "sim/base/profiler_counter.def"
#undef COUNTER
});

/// Cuts the first segment off `path`; list positions are skipped.
std::string_view next_segment(std::string_view& path) {
  std::string_view segment;
  do {
    const std::size_t slash = path.find('/');
    segment = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  } while (!path.empty() && segment.starts_with('#'));
  return segment.starts_with('#') ? std::string_view{} : segment;
}

/// Whether `path` (segments by '/') fits the dotted `pattern`. Only the segment at a `*` may itself contain dots.
bool matches(std::string_view pattern, std::string_view path) {
  for (std::string_view segment = next_segment(path); !segment.empty(); segment = next_segment(path)) {
    const std::size_t dot = pattern.find('.');
    const std::string_view expected = pattern.substr(0, dot);
    if (expected != "*" && expected != segment) return false;
    pattern.remove_prefix(dot == std::string_view::npos ? pattern.size() : dot + 1);
  }
  return pattern.empty();
}

}  // namespace

std::span<const StatisticInfo> statistic_table() {
  return rows;
}

const StatisticInfo* find_statistic(std::string_view path) {
  for (const StatisticInfo& row : rows) {
    if (matches(row.path, path)) return &row;
  }
  return nullptr;
}

std::string dotted(std::string_view path) {
  std::string text;
  for (std::string_view segment = next_segment(path); !segment.empty(); segment = next_segment(path)) {
    if (!text.empty()) text += '.';
    text += segment;
  }
  return text;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic_table.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/report/result/counted_rows.h"
#include "sim/report/result/statistic.h"
#include "sim/report/result/statistic_prototypes.h"

namespace teslasim {
namespace {

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

const StatisticInfo* find_in(const std::vector<StatisticInfo>& rows, std::string_view path) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [path](const StatisticInfo& row) { return matches(row.path, path); });
  return found == rows.end() ? nullptr : &*found;
}

/// Rows that stand closer to one statistic come before patterns that fit it too: "issue_slots.total", "issue_slots.*".
std::vector<StatisticInfo> all_rows() {
  std::vector<StatisticInfo> rows{
#define STATISTIC(path, unit, scope, formula, sentence) {path, unit, scope, formula, sentence},
#include "sim/report/result/statistic_table.def"
#undef STATISTIC
#define COUNTER(name, scope, rules, description) {"profiler." #name, "", #scope, "", description},
#include "sim/base/profiler_counter.def"
#undef COUNTER
  };
  for (const StatisticInfo& row : counted_row_texts()) rows.push_back(row);
  return rows;
}

std::vector<StatisticInfo> rows_in_order() {
  const std::vector<StatisticInfo> rows = all_rows();
  std::vector<std::size_t> order;
  const auto add = [&](const StatisticInfo* row) {
    if (row == nullptr) return;
    const auto place = static_cast<std::size_t>(row - rows.data());
    if (std::find(order.begin(), order.end(), place) == order.end()) order.push_back(place);
  };
  const Result result = prototype_result();
  for (const Statistic& statistic : statistics_of(result.launches[0], 0, result.machine)) {
    add(find_in(rows, statistic.path));
  }
  for (const StatisticInfo& row : rows) add(&row);  // of the run
  std::vector<StatisticInfo> sorted;
  for (const std::size_t place : order) sorted.push_back(rows[place]);
  return sorted;
}

const std::vector<StatisticInfo>& table() {
  static const std::vector<StatisticInfo> rows = rows_in_order();
  return rows;
}

/// The rows by name, and those whose names are patterns. The first row that fits counts.
class RowIndex {
 public:
  explicit RowIndex(const std::vector<StatisticInfo>& rows) : rows_(rows) {
    for (std::size_t place = 0; place < rows.size(); ++place) {
      const bool is_pattern = std::string_view(rows[place].path).find('*') != std::string_view::npos;
      if (is_pattern) patterns_.push_back(place);
      if (!is_pattern) named_.emplace(rows[place].path, place);
    }
  }
  [[nodiscard]] const StatisticInfo* find(std::string_view path) const {
    const auto named = named_.find(dotted(path));
    const std::size_t end = named == named_.end() ? rows_.size() : named->second;
    for (const std::size_t place : patterns_) {
      if (place >= end) break;
      if (matches(rows_[place].path, path)) return &rows_[place];
    }
    return end == rows_.size() ? nullptr : &rows_[end];
  }

 private:
  const std::vector<StatisticInfo>& rows_;
  std::unordered_map<std::string, std::size_t> named_{};
  std::vector<std::size_t> patterns_{};
};

}  // namespace

std::span<const StatisticInfo> statistic_table() {
  return table();
}

const StatisticInfo* find_statistic(std::string_view path) {
  static const RowIndex index(table());
  return index.find(path);
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

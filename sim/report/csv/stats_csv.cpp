// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/stats_csv.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/csv.h"
#include "sim/report/result/statistic.h"
#include "sim/report/result/statistic_table.h"

namespace teslasim {
namespace {

struct ToText {
  std::string operator()(const NotApplicable&) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

struct Place {
  std::string scope = "launch";
  std::string id;
  std::string stat;
};

/// Lists become their own scope: "per_sm/#3/blocks" is statistic `blocks` of sm 3. Other list positions (grid/#0) and
/// lists of named things stay in the name.
Place place_of(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> lists{
      {{"per_sm/#", "sm"}, {"dram/partitions/#", "partition"}}};
  for (const auto& [prefix, scope] : lists) {
    if (!path.starts_with(prefix)) continue;
    const std::size_t slash = path.find('/', prefix.size());
    return {std::string(scope), std::string(path.substr(prefix.size(), slash - prefix.size())),
            dotted(path.substr(slash + 1))};
  }
  const std::size_t position = path.find("/#");
  if (position == std::string_view::npos) return {"launch", "", dotted(path)};
  const std::size_t end = path.find('/', position + 1);
  return {"launch", std::string(path.substr(position + 2, end == std::string_view::npos ? end : end - position - 2)),
          dotted(path)};
}

std::string unit_of(std::string_view path) {
  const StatisticInfo* row = find_statistic(path);
  return row == nullptr ? "" : std::string(row->unit);
}

}  // namespace

std::string stats_csv(const Result& result) {
  std::string text = "launch,kernel,scope,id,stat,value,unit\n";
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const std::string& kernel = result.launches[i].statistics.kernel;
    for (const Statistic& statistic : statistics_of(result.launches[i], result.number_of(i), result.machine)) {
      if (statistic.path == "index" || statistic.path == "kernel") continue;
      const Place place = place_of(statistic.path);
      text += csv_row({std::to_string(result.number_of(i)), kernel, place.scope, place.id, place.stat,
                       std::visit(ToText{}, statistic.value), unit_of(statistic.path)});
    }
  }
  for (const Statistic& statistic : statistics_of(result)) {
    if (!statistic.path.starts_with("host/")) continue;
    text += csv_row(
        {"", "", "run", "", dotted(statistic.path), std::visit(ToText{}, statistic.value), unit_of(statistic.path)});
  }
  return text;
}

}  // namespace teslasim

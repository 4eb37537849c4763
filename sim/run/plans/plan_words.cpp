// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/plan_words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sim/model/model.h"
#include "sim/report/result/statistic_names.h"
#include "sim/run/run_directory.h"

namespace teslasim {
namespace {

bool is_name_character(unsigned char character) {
  return std::isalnum(character) != 0 || character == '.' || character == '_' || character == '-';
}

}  // namespace

bool is_plan_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_plan_name && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

std::string plan_name_from(const std::string& path) {
  std::string name = file_name_from(std::filesystem::path(path).stem().string());
  if (name.empty() || name.front() == '.') name.insert(0, "_");
  return name.substr(0, longest_plan_name);
}

std::vector<std::string> files_of_point() {
  return {"run.json",    "stats.json",  "stats.csv",     "summary.txt",    "config.effective.toml",
          "pc.csv",      "ctas.csv",    "warps.csv",     "inputs",         "status.json",
          "models.json", "report.html", "intervals.csv", "cuprof_cc1x.csv"};
}

bool is_column(const std::string& name) {
  constexpr std::string_view models = "models.";
  if (!is_statistic_name(name)) return false;
  const std::size_t at = name.find(models);
  if (at == std::string::npos) return true;
  const std::size_t begin = at + models.size();
  return find_model(name.substr(begin, name.find('.', begin) - begin)) != nullptr;
}

std::string column_help(const std::string& name) {
  const std::string near = nearest_statistic_name(name);
  const bool useful = !near.empty() && near.find('#') == std::string::npos;
  return useful ? "did you mean '" + near + "'?" : "time_ms, cycles, stall.<reason>_pct, or a path of stats.json";
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; });
}

}  // namespace teslasim

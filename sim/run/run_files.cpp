// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "sim/base/csv.h"
#include "sim/base/hash.h"
#include "sim/base/output_file.h"
#include "sim/report/csv/ctas_csv.h"
#include "sim/report/csv/intervals_csv.h"
#include "sim/report/csv/pc_csv.h"
#include "sim/report/csv/profiler_csv.h"
#include "sim/report/csv/stats_csv.h"
#include "sim/report/csv/warps_csv.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/format.h"
#include "sim/report/text/prediction_report.h"
#include "sim/report/text/summary.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largest_copy = 16U << 20U;

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The folder that holds all files, so that their relative places stay as they are.
fs::path common_folder(const std::vector<std::string>& files) {
  fs::path common = fs::absolute(files.front()).lexically_normal().parent_path();
  for (const std::string& file : files) {
    const fs::path path = fs::absolute(file).lexically_normal();
    while (path.lexically_relative(common).empty() || *path.lexically_relative(common).begin() == "..") {
      common = common.parent_path();
    }
  }
  return common;
}

RecordedInput copy_input(const RunDirectory& directory, const std::string& file, const fs::path& common) {
  RecordedInput input;
  input.path = file;
  // An input that is gone since it was read counts as empty, as one that was emptied.
  input.hash = digest_text(hash_file(file).value_or(hash_bytes({})));
  const fs::path absolute = fs::absolute(file).lexically_normal();
  const fs::path relative = fs::path("inputs") / absolute.lexically_relative(common);
  const fs::path target = fs::path(directory.path()) / relative;
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) write_error(target.string(), error.message());
  const std::uintmax_t size = fs::file_size(file, error);
  if (!error && size > largest_copy) {
    // A link keeps relative names in launch files valid; the hash tells whether the file is still the same.
    fs::create_symlink(absolute, target, error);
    if (error) write_error(target.string(), error.message());
    return input;
  }
  input.copy = relative.string();
  write_file(target.string(), read_bytes(file));
  return input;
}

bool any_interval(const Result& result) {
  return std::any_of(result.launches.begin(), result.launches.end(),
                     [](const LaunchResult& launch) { return launch.statistics.intervals.recorded(); });
}

bool any_prediction(const Result& result) {
  return std::any_of(result.launches.begin(), result.launches.end(),
                     [](const LaunchResult& launch) { return !launch.predictions.empty(); });
}

}  // namespace

std::span<const std::string_view> run_file_names() {
  static constexpr std::array<std::string_view, 21> names{"launches.csv",
                                                          "config.effective.toml",
                                                          "status.json",
                                                          "run.json",
                                                          "stats.json",
                                                          "stats.csv",
                                                          "summary.txt",
                                                          "models.json",
                                                          "cuprof_cc1x.csv",
                                                          "pc.csv",
                                                          "ctas.csv",
                                                          "warps.csv",
                                                          "intervals.csv",
                                                          "lanes.json",
                                                          "report.html",
                                                          "run.sqlite",
                                                          "timeline.pftrace.gz",
                                                          "pipeline.kanata.gz",
                                                          warp_states_name,
                                                          "pipeline.vcd.gz",
                                                          "instructions.log.zst"};
  return names;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::vector<RecordedInput> write_inputs(const RunDirectory& directory, const PreparedRun& prepared) {
  write_file(directory.file("config.effective.toml"), effective_toml(prepared.machine));
  std::vector<RecordedInput> inputs;
  const std::vector<std::string>& files = prepared.workload.files;
  if (files.empty()) return inputs;
  const fs::path common = common_folder(files);
  for (const std::string& file : files) inputs.push_back(copy_input(directory, file, common));
  return inputs;
}

void write_statistics(const RunDirectory& directory, const Result& result) {
  write_file(directory.file("stats.json"), stats_json(result));
}

void write_tables(const RunDirectory& directory, const Result& result, WriteAttempts& attempts) {
  const auto table = [&](const char* name, const std::function<std::string()>& text) {
    attempts.attempt(name, [&] { write_file(directory.file(name), text()); });
  };
  table("summary.txt", [&] { return summary(result, Bars::none); });
  if (any_prediction(result)) table("models.json", [&] { return prediction_json(predictions_of(result)); });
  table("cuprof_cc1x.csv", [&] { return profiler_csv(result); });
  table("pc.csv", [&] { return pc_csv(result); });
  table("stats.csv", [&] { return stats_csv(result); });
  if (result.timed()) table("ctas.csv", [&] { return ctas_csv(result); });
  if (any_warps(result)) table("warps.csv", [&] { return warps_csv(result); });
  if (any_interval(result)) table("intervals.csv", [&] { return intervals_csv(result); });
}

std::string index_header() {
  return "run,directory,started,status,exit,input,machine,cycles,ms,warp_instructions,host_seconds,digest\n";
}

std::string index_line(const RunDirectory& directory, const PreparedRun& prepared, const Result& result,
                       const RunRecord& record) {
  SpCycle cycles = 0;
  double ms = 0.0;
  for (const LaunchResult& launch : result.launches) {
    cycles += launch.cycles();
    ms += static_cast<double>(launch.time()) * 1e-12;
  }
  const bool timed = result.timed();
  return csv_row({std::to_string(directory.number()), fs::path(directory.path()).filename().string(), record.started,
                  record.status, std::to_string(record.exit_code), prepared.settings.workload.input,
                  prepared.machine_word, timed ? std::to_string(cycles.count()) : "",
                  timed ? fmt::format("{}", ms) : "", std::to_string(result.warp_instructions()),
                  fmt::format("{:.3f}", result.host.seconds), digest_text(result.digest)});
}

}  // namespace teslasim

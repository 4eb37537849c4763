// SPDX-License-Identifier: Apache-2.0
#include "sim/run/plans/sweep_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <type_traits>

#include "frontend/workload/read/load.h"
#include "sim/base/diagnostic.h"
#include "sim/base/hash.h"
#include "sim/base/json_text.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/result/result.h"
#include "sim/report/text/format.h"
#include "sim/run/run_reader.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
const std::vector<std::string> usual_columns{
    "time_ms",        "cycles",       "instructions.warp",   "slots_pct.issued",
    "shared.replays", "global.bytes", "dram.utilisation_pct"};

constexpr int table_digits = 10;

std::uint64_t hash_of(const std::string& text) {
  return hash_bytes(std::as_bytes(std::span(text)));
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// For the hash of a point; traces are too large to be read whole.
std::string hash_text(const std::string& path) {
  return digest_text(hash_file(path).value_or(0));
}

nlohmann::json json_file(const std::string& path) {
  return nlohmann::json::parse(shallow_json(content(path)), nullptr, false);
}

/// A member of a record, or nothing when it is of another kind: files of an interrupted or foreign program.
template <typename Value>
std::optional<Value> member(const nlohmann::json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end()) return std::nullopt;
  const bool fits = std::is_same_v<Value, int>      ? found->is_number_integer()
                    : std::is_same_v<Value, double> ? found->is_number()
                                                    : found->is_string();
  return fits ? std::optional(found->template get<Value>()) : std::nullopt;
}

std::vector<std::string> sets_of(const SweepPoint& point) {
  std::vector<std::string> sets;
  for (const auto& [key, value] : point.settings) sets.push_back(key + "=" + value);
  return sets;
}

}  // namespace

SweepStore::SweepStore(const SweepPlan& plan, std::string folder, std::string program)
    : plan_(plan),
      folder_(std::move(folder)),
      program_(std::move(program)),
      program_hash_(hash_file(program_).value_or(0)) {
  std::error_code error;
  fs::create_directories(folder_ + "/points", error);
  if (error) write_error(folder_, error.message());
}

/// Of the code, the launch file and every file they name; of the code alone when they cannot be read.
std::uint64_t SweepStore::inputs_hash(const std::string& input) {
  const auto known = input_hashes_.find(input);
  if (known != input_hashes_.end()) return known->second;
  std::string all = hash_text(input);
  try {
    WorkloadRequest request;
    request.input = input;
    for (const std::string& file : load_workload(request).files) all += file + '\0' + hash_text(file) + '\0';
  } catch (const InputError&) {
    // The run itself will say what is wrong.
  }
  return input_hashes_[input] = hash_of(all);
}

std::string SweepStore::directory(const SweepPoint& point) {
  std::string& directory = directories_[point.number];
  if (!directory.empty()) return directory;
  std::string text = digest_text(program_hash_) + digest_text(inputs_hash(point.input));
  const std::vector<std::string> sets = sets_of(point);
  for (const std::string& set : sets) text += '\0' + set;
  try {
    text += effective_toml(load_machine({plan_.machine}, sets));
  } catch (const InputError&) {
    text += plan_.machine;
  }
  if (plan_.max_cycles != never) text += '\0' + std::to_string(plan_.max_cycles.count());
  directory = folder_ + "/points/" + digest_text(hash_of(text));
  return directory;
}

/// With '=': values that begin with a dash are none of the command's options.
std::vector<std::string> SweepStore::command_anywhere(const SweepPoint& point) const {
  std::vector<std::string> arguments{program_, "run", point.input, "--config=" + plan_.machine};
  for (const std::string& set : sets_of(point)) arguments.push_back("--set=" + set);
  if (plan_.max_cycles != never) arguments.push_back(fmt::format("--max-cycles={}", plan_.max_cycles.count()));
  if (plan_.max_seconds > 0.0) arguments.push_back(fmt::format("--max-seconds={}", plan_.max_seconds));
  if (plan_.limit_is_error) arguments.emplace_back("--limit-is-error");
  arguments.emplace_back("--quiet");
  arguments.emplace_back("--progress=none");
  return arguments;
}

std::vector<std::string> SweepStore::command(const SweepPoint& point) {
  std::vector<std::string> arguments = command_anywhere(point);
  arguments.push_back("--out=" + directory(point));
  return arguments;
}

std::vector<SweepPoint> SweepStore::distinct(const std::vector<SweepPoint>& points) {
  std::vector<SweepPoint> kept;
  std::set<std::string> folders;
  for (const SweepPoint& point : points) {
    if (folders.insert(directory(point)).second) kept.push_back(point);
  }
  return kept;
}

/// Whether a point that was stopped after so many seconds (0: it was not) may take longer now.
bool SweepStore::deserves_more_time(double seconds) const {
  return seconds > 0.0 && (plan_.max_seconds <= 0.0 || plan_.max_seconds > seconds);
}

std::optional<PointOutcome> SweepStore::outcome(const SweepPoint& point) {
  const std::string place = directory(point);
  std::error_code error;
  const nlohmann::json note = json_file(place + ".outcome");
  const std::optional<int> exit = member<int>(note, "exit");
  const bool settled = exit && !deserves_more_time(member<double>(note, "max_seconds").value_or(0.0));
  if (settled && (*exit != 0 || fs::exists(place + "/stats.json", error)))
    return PointOutcome{*exit, member<std::string>(note, "reason").value_or("")};
  const RecordedEnd run = exit ? RecordedEnd{} : RunReader(place).end();
  if (run.complete() && fs::exists(place + "/stats.json", error)) {
    record(point, *run.exit);
    return outcome(point);
  }
  fs::remove_all(place, error);
  fs::remove(place + ".outcome", error);
  return std::nullopt;
}

bool SweepStore::to_run(const SweepPoint& point) {
  constexpr int first_signal = 127;  // or the program could not be started
  const std::optional<PointOutcome> earlier = outcome(point);
  if (!earlier) return true;
  // A limit that the plan sets is no accident (outcome() knows when it was raised).
  const bool of_host = (earlier->exit == static_cast<int>(ExitCode::host_limit) && !limited(point)) ||
                       earlier->exit == static_cast<int>(ExitCode::environment) || earlier->exit >= first_signal;
  std::error_code error;
  if (of_host) fs::remove_all(directory(point), error);
  if (of_host) fs::remove(directory(point) + ".outcome", error);
  return of_host;
}

/// The first error that the run printed, or what its record says.
std::string SweepStore::reason_of(const SweepPoint& point, int exit) {
  const std::optional<RunData> data = data_of(point);
  if (exit == 0) return data ? data->flaw() : "";
  std::istringstream lines(content(error_file(point)));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("error[")) return line;
  }
  if (exit == 1) return "finished, but a check failed: " + (data ? data->flaw() : "");
  return data ? "status " + data->status() : fmt::format("ended with {}", exit);
}

std::optional<RunData> SweepStore::data_of(const SweepPoint& point) {
  try {
    return RunData::from_tree(std::to_string(point.number), RunReader(directory(point)).statistics());
  } catch (const InputError&) {
    return std::nullopt;  // there are none, or they are damaged
  }
}

bool SweepStore::limited(const SweepPoint& point) {
  return RunReader(directory(point)).end().status == name_of(RunStatus::limit);
}

void SweepStore::record(const SweepPoint& point, int exit) {
  const std::string place = directory(point);
  nlohmann::json note;
  note["exit"] = exit;
  note["reason"] = reason_of(point, exit);
  if (limited(point) && plan_.max_seconds > 0.0) note["max_seconds"] = plan_.max_seconds;
  std::error_code error;
  if (!plan_.keep.empty()) {
    std::vector<fs::path> superfluous;
    for (const auto& entry : fs::directory_iterator(place, error)) {
      const std::string name = entry.path().filename().string();
      const bool needed = name == "run.json" || name == "stats.json";
      if (!needed && std::find(plan_.keep.begin(), plan_.keep.end(), name) == plan_.keep.end())
        superfluous.push_back(entry.path());
    }
    for (const fs::path& path : superfluous) fs::remove_all(path, error);
  }
  if (exit == 0) fs::remove(error_file(point), error);
  write_file(place + ".outcome", json_text(note, 1) + "\n");
}

const std::vector<std::string>& SweepStore::columns() const {
  return plan_.columns.empty() ? usual_columns : plan_.columns;
}

PlanTable SweepStore::table(const std::vector<SweepPoint>& points) {
  std::vector<std::string> heading{"point", "input"};
  for (const SweepAxis& axis : plan_.axes) heading.push_back(axis.key);
  for (const char* name : {"status", "exit", "reason"}) heading.emplace_back(name);
  heading.insert(heading.end(), columns().begin(), columns().end());
  PlanTable table(std::move(heading));
  for (const SweepPoint& point : points) {
    if (const std::optional<PointOutcome> result = outcome(point)) table.add(row_of(point, *result));
  }
  return table;
}

std::vector<PlanCell> SweepStore::row_of(const SweepPoint& point, const PointOutcome& outcome) {
  std::vector<PlanCell> row{PlanCell(static_cast<double>(point.number), table_digits),
                            PlanCell(fs::path(point.input).filename().string())};
  for (const SweepAxis& axis : plan_.axes) {
    const auto set = std::find_if(point.settings.begin(), point.settings.end(),
                                  [&axis](const auto& setting) { return setting.first == axis.key; });
    row.push_back(set == point.settings.end() ? PlanCell() : PlanCell::of_setting(set->second));
  }
  const std::optional<RunData> data = data_of(point);
  const bool told = data && (outcome.exit == 0 || data->status() != "ok");
  row.emplace_back(told ? data->status() : data && !data->outputs().wrong.empty() ? "wrong outputs" : "failed");
  row.emplace_back(outcome.exit, table_digits);
  row.emplace_back(outcome.reason);
  for (const std::string& column : columns())
    row.push_back(PlanCell::of(data ? data->find(column) : std::nullopt, table_digits));
  return row;
}

}  // namespace teslasim

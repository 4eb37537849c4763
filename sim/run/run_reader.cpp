// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_reader.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/report/result/lanes_json.h"
#include "sim/report/result/stats_json.h"
#include "sim/run/gzip.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t largest_file = std::size_t{512} << 20U;

/// An object; an empty one when the text is none.
nlohmann::json parse(const std::string& text) {
  nlohmann::json value = nlohmann::json::parse(shallow_json(text), nullptr, false);
  return value.is_object() ? value : nlohmann::json::object();
}

}  // namespace

std::string RunReader::text(const char* name) const {
  const std::string path = directory_ + '/' + name;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  TextFile file = read_text_file(path, largest_file);
  return file.error.empty() ? std::move(file.text) : "";
}

std::string RunReader::packed_text(const char* name) const {
  return gzip_content(text(name), largest_file).value_or("");
}

std::string RunReader::label() const {
  return run_label(directory_);
}

StatisticTree RunReader::statistics() const {
  const std::string json = text("stats.json");
  if (!json.empty()) return read_statistics(label(), json);
  Diagnostic diagnostic;
  diagnostic.code = "RUN-DAMAGED";
  diagnostic.message = "'" + directory_ + "' has no stats.json that can be read";
  diagnostic.help = "give the directory of a finished run";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

std::vector<LaunchPredictions> RunReader::predictions() const {
  const std::string json = text("models.json");
  return json.empty() ? std::vector<LaunchPredictions>{} : read_predictions(label(), json);
}

std::vector<ConfigurationRow> RunReader::configuration() const {
  return read_configuration(text("config.effective.toml"));
}

std::optional<RunIdentity> RunReader::identity() const {
  return read_identity(text("run.json"));
}

RecordedEnd RunReader::end() const {
  return read_end(text("run.json"));
}

std::optional<RunStatusRecord> RunReader::status() const {
  return read_status(text("status.json"));
}

std::vector<std::optional<double>> RunReader::simulated_ms() const {
  std::vector<std::optional<double>> times;
  const nlohmann::json stats = parse(text("stats.json"));
  const auto launches = stats.find("launches");
  if (launches == stats.end() || !launches->is_array()) return times;
  for (const nlohmann::json& launch : *launches) {
    if (!launch.is_object()) continue;
    const nlohmann::json ms = launch.value("/time/ms"_json_pointer, nlohmann::json());
    const bool usable = ms.is_number() && launch.value("/status"_json_pointer, nlohmann::json()) == "ok";
    times.push_back(usable ? std::optional(ms.get<double>()) : std::nullopt);
  }
  return times;
}

RecordedRun RunReader::record() const {
  return read_record(text("run.json"), directory_);
}

FinishedRun RunReader::run() const {
  FinishedRun run;
  run.label = label();
  run.statistics = statistics();
  (void)RunData::from_tree(run.label, run.statistics);  // says what is wrong with them
  run.instructions = read_pc_csv(text("pc.csv"));
  run.intervals = read_intervals_csv(text("intervals.csv"));
  run.blocks = read_ctas_csv(text("ctas.csv"));
  run.predictions = predictions();
  run.configuration = configuration();
  run.lanes = read_lanes(text("lanes.json"));
  run.identity = identity();
  return run;
}

}  // namespace teslasim

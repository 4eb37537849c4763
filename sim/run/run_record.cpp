// SPDX-License-Identifier: Apache-2.0
// run.json: written before the other results and again after them; read by `rerun`.
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "sim/base/hash.h"
#include "sim/base/json_text.h"
#include "sim/base/output_file.h"
#include "sim/report/csv/warps_csv.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/format.h"
#include "sim/run/run_files.h"
#include "sim/run/version.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json host() {
  utsname system{};
  uname(&system);
  Json json;
  json["name"] = system.nodename;
  json["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  json["processors"] = std::thread::hardware_concurrency();
  return json;
}

Json settings_json(const RunSettings& settings) {
  Json json;
  const InlineLaunch& launch = settings.workload.options;
  json["input"] = settings.workload.input;
  json["launch_file"] = settings.workload.launch_file;
  json["allow_unaligned"] = settings.workload.allow_unaligned;
  json["compile"] = settings.workload.compile;
  json["kernel"] = launch.kernel;
  json["grid"] = launch.grid;
  json["block"] = launch.block;
  json["param"] = launch.parameters;
  json["check"] = launch.checks;
  json["tol"] = launch.tolerance;
  json["dynamic_shared"] = launch.dynamic_shared_bytes;
  json["configs"] = settings.configs;
  json["sets"] = settings.sets;
  json["mode"] = settings.mode == Mode::functional ? "functional" : "timing";
  json["look_ahead"] = settings.look_ahead;
  json["sleeping"] = settings.sleeping;
  json["blocks"] = settings.blocks.blocks;
  json["sms"] = settings.blocks.sms;
  json["sample"] = settings.sample ? settings.sample->text() : "";
  json["launch_details"] = settings.launch_details;
  json["max_cycles"] = settings.max_cycles == never ? Json() : Json(settings.max_cycles.count());
  return json;
}

Json notes_json(const std::vector<RunNote>& notes) {
  Json list = Json::array();
  for (const RunNote& note : notes)
    list.push_back({{"severity", note.severity}, {"code", note.code}, {"text", note.text}});
  return list;
}

/// The member if it is text, else "".
std::string text_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The member if it is a list, else an empty one.
Json list_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_array() ? *found : Json::array();
}

[[noreturn]] void refuse(const std::string& code, const std::string& directory, std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.where.file = directory + "/run.json";
  diagnostic.help = std::move(help);
  throw InputError(ExitCode::input, std::move(diagnostic));
}

/// Replaces paths of recorded inputs in option values: the value itself, or what follows its last '=' or ':'.
class PathMap {
 public:
  PathMap(const Json& inputs, const std::string& directory) {
    for (const Json& input : inputs) {
      const std::string path = input.at("path"), hash = input.at("xxh3");
      const bool copied = input.at("copy").is_string();
      const std::string actual = copied ? directory + "/" + input.at("copy").get<std::string>() : path;
      const std::optional<std::uint64_t> now = hash_file(actual);
      if (!now || digest_text(*now) != hash) {
        refuse("RERUN-INPUT", directory, "the input '" + actual + "' is missing or has changed since the run",
               "restore the file; rerun repeats exactly what was run");
      }
      paths_.emplace_back(path, actual);
    }
  }
  [[nodiscard]] std::string operator()(const std::string& value) const {
    for (const auto& [path, actual] : paths_) {
      if (value == path) return actual;
      for (const char separator : {'=', ':'}) {
        const std::string tail = separator + path;
        if (value.ends_with(tail)) return value.substr(0, value.size() - path.size()) + actual;
      }
    }
    return value;
  }
  [[nodiscard]] std::vector<std::string> operator()(std::vector<std::string> values) const {
    for (std::string& value : values) value = (*this)(value);
    return values;
  }

 private:
  std::vector<std::pair<std::string, std::string>> paths_;
};

RecordedRun record_from(const Json& json, const std::string& directory) {
  const PathMap map(json.at("inputs"), directory);
  const Json& given = json.at("request");
  RecordedRun record;
  record.status = json.at("status");
  record.digest = json.at("digest");
  WorkloadRequest& workload = record.settings.workload;
  workload.input = map(given.at("input").get<std::string>());
  workload.launch_file = map(given.at("launch_file").get<std::string>());
  workload.allow_unaligned = given.value("allow_unaligned", false);
  workload.compile = given.value("compile", "");
  workload.options.kernel = given.at("kernel");
  workload.options.grid = given.at("grid");
  workload.options.block = given.at("block");
  workload.options.parameters = map(given.at("param").get<std::vector<std::string>>());
  workload.options.checks = map(given.at("check").get<std::vector<std::string>>());
  workload.options.tolerance = given.at("tol");
  workload.options.dynamic_shared_bytes = given.at("dynamic_shared");
  // The options were the whole launch unless a launch file was read.
  const auto is_launch = [](const Json& input) { return is_launch_file(input.at("path").get<std::string>()); };
  const Json& inputs = json.at("inputs");
  if (workload.options.any() && workload.launch_file.empty() && std::none_of(inputs.begin(), inputs.end(), is_launch))
    workload.launch_file = "none";
  record.settings.configs = {directory + "/config.effective.toml"};
  record.settings.mode = given.at("mode") == "functional" ? Mode::functional : Mode::timing;
  record.settings.look_ahead = given.at("look_ahead");
  record.settings.sleeping = given.at("sleeping");
  if (given.at("max_cycles").is_number()) record.settings.max_cycles = given.at("max_cycles").get<std::uint64_t>();
  record.settings.launch_details = given.value("launch_details", "");
  if (const std::string sample = given.value("sample", ""); !sample.empty())
    record.settings.sample = BlockSampleRule::parse(sample);
  record.settings.blocks = {given.value("blocks", ""), given.value("sms", "")};
  return record;
}

}  // namespace

void write_record(const RunDirectory& directory, const PreparedRun& prepared, const Result& result,
                  const RunRecord& record, const std::vector<RecordedInput>& inputs) {
  const RunIdentity identity = identity_of(record, inputs);
  Json json;
  json["schema"] = run_schema;
  json["argv"] = identity.arguments;
  json["cwd"] = fs::current_path().string();
  json["version"] = identity.version;
  json["git"] = git_state();
  json["compiler"] = host_compiler();
  json["build"] = build_type();
  json["host"] = host();
  json["started"] = identity.started;
  json["ended"] = record.ended;
  json["status"] = record.status;
  json["exit"] = record.exit_code;
  json["digest"] = digest_text(result.digest);
  json["machine"] = prepared.machine_word;
  json["request"] = settings_json(prepared.settings);
  Json files = Json::array();
  for (const RecordedInput& input : inputs) {
    files.push_back(
        {{"path", input.path}, {"copy", input.copy.empty() ? Json() : Json(input.copy)}, {"xxh3", input.hash}});
  }
  json["inputs"] = files;
  json["diagnostics"] = notes_json(identity.notes);
  json["files"] = Json::array();
  for (const char* name :
       {"config.effective.toml", "summary.txt", "stats.json", "stats.csv", "pc.csv", "status.json", "ctas.csv",
        "warps.csv", "intervals.csv", "models.json", "launches.csv", "cuprof_cc1x.csv"}) {
    if (fs::exists(directory.file(name))) json["files"].push_back(name);
  }
  if (any_warps(result)) json["warps"] = {{"lines", warps_kept(result)}, {"dropped", warps_dropped(result)}};
  for (const TimelineNote& note : record.timelines) {
    if (note.in_folder) json["files"].push_back(note.file);
    json["timelines"].push_back(
        {{"file", note.file}, {"bytes", note.bytes}, {"events", note.events}, {"dropped", note.dropped}});
  }
  if (record.stage == RunRecord::Stage::writing) json["writing"] = true;
  for (const WriteAttempts::Missing& missing : record.missing) {
    json["missing"].push_back({{"file", missing.file}, {"reason", missing.reason}});
  }
  write_file(directory.file("run.json"), json_text(json, 1) + "\n");
}

RunIdentity identity_of(const RunRecord& record, const std::vector<RecordedInput>& inputs) {
  RunIdentity identity;
  for (const std::string& argument : record.arguments) identity.arguments.push_back(utf8_as_in_json(argument));
  identity.version = program_version();
  identity.started = record.started;
  for (const RecordedInput& input : inputs) identity.inputs.push_back({utf8_as_in_json(input.path), input.hash});
  for (const Diagnostic& diagnostic : record.diagnostics) {
    const bool error = diagnostic.severity == Diagnostic::Severity::error;
    identity.notes.push_back({error ? "error" : "warning", diagnostic.code, utf8_as_in_json(render(diagnostic))});
  }
  return identity;
}

std::optional<RunIdentity> read_identity(const std::string& text) {
  const Json json = Json::parse(shallow_json(text), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  RunIdentity identity;
  for (const Json& argument : list_member(json, "argv"))
    identity.arguments.push_back(argument.is_string() ? argument.get<std::string>() : "");
  identity.version = text_member(json, "version");
  identity.started = text_member(json, "started");
  for (const Json& input : list_member(json, "inputs"))
    identity.inputs.push_back({text_member(input, "path"), text_member(input, "xxh3")});
  for (const Json& note : list_member(json, "diagnostics"))
    identity.notes.push_back({text_member(note, "severity"), text_member(note, "code"), text_member(note, "text")});
  return identity;
}

RecordedEnd read_end(const std::string& text) {
  const Json json = Json::parse(shallow_json(text), nullptr, false);
  RecordedEnd end;
  if (!json.is_object()) return end;
  if (const auto exit = json.find("exit"); exit != json.end() && exit->is_number_integer()) end.exit = exit->get<int>();
  if (const auto writing = json.find("writing"); writing != json.end()) end.writing = *writing == true;
  end.status = text_member(json, "status");
  return end;
}

RecordedRun read_record(const std::string& text, const std::string& directory) {
  try {
    return record_from(Json::parse(shallow_json(text)), directory);
  } catch (const nlohmann::json::exception& error) {
    refuse("RUN-DAMAGED", directory, "run.json is not what a run writes: " + json_problem(error),
           "give the directory of a finished run");
  }
}

}  // namespace teslasim

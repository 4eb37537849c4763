// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/resume_record.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/hash.h"
#include "sim/base/json_text.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/run/plans/sweep_run.h"
#include "sim/run/slurm/study.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr const char* schema = "teslasim.slurm-command/1";

std::string file_of(const std::string& study) {
  return rounds_folder(study) + "/command.json";
}

std::string fingerprint(const std::string& path) {
  return path.empty() ? "" : std::to_string(hash_file(path).value_or(0));
}

[[noreturn]] void nothing_to_resume(const std::string& study) {
  Diagnostic diagnostic;
  diagnostic.code = "SLURM-RESUME";
  diagnostic.message = "'" + study + "' holds no study that was begun with --on slurm";
  diagnostic.help = "name the folder of its results, such as runs/sweep-NAME";
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

[[noreturn]] void changed(const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.code = "SLURM-CHANGED";
  diagnostic.message = what + " has changed since the study began";
  diagnostic.help = "call the first command again: it goes on with what is still the same";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

}  // namespace

void write_resume_record(const std::string& study, const SlurmRequest& request) {
  std::error_code error;
  fs::create_directories(rounds_folder(study), error);
  nlohmann::ordered_json json;
  json["schema"] = schema;
  json["command"] = request.command;
  json["folder"] = fs::current_path(error).string();
  json["program"] = fingerprint(own_program());
  json["plan"] = request.plan.empty() ? "" : fs::absolute(request.plan, error).string();
  json["plan_content"] = fingerprint(request.plan);
  write_file(file_of(study), json_text(json, 1) + "\n");
}

ResumeRecord read_resume_record(const std::string& study) {
  const TextFile file = read_text_file(file_of(study), largest_text, FileOwner::program);
  const nlohmann::json json = nlohmann::json::parse(shallow_json(file.text), nullptr, false);
  if (!json.is_object() || json.value("schema", "") != schema) nothing_to_resume(study);
  ResumeRecord record;
  try {
    record.command = json.at("command").get<std::vector<std::string>>();
    record.folder = json.at("folder").get<std::string>();
    if (record.command.empty()) nothing_to_resume(study);
    const std::string plan = json.at("plan").get<std::string>();
    if (json.at("program").get<std::string>() != fingerprint(own_program())) changed("the program");
    if (json.at("plan_content").get<std::string>() != fingerprint(plan)) changed("'" + plan + "'");
  } catch (const nlohmann::json::exception&) {
    nothing_to_resume(study);
  }
  return record;
}

}  // namespace teslasim

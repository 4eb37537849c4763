// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/rounds.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/hash.h"
#include "sim/base/json_text.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/run/slurm/fresh_folder.h"
#include "sim/run/slurm/task_script.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view prefix = "round-", schema = "teslasim.slurm-round/1";

std::optional<std::size_t> number_of(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

std::vector<std::vector<StudyPoint>> tasks_of(const RoundContent& content) {
  std::vector<std::vector<StudyPoint>> tasks;
  for (const StudyPoint& point : content.points) {
    if (tasks.empty() || tasks.back().size() >= content.chunk) tasks.emplace_back();
    tasks.back().push_back(point);
  }
  return tasks;
}

}  // namespace

Rounds::Rounds(std::string study, std::string name) : study_(std::move(study)), name_(std::move(name)) {
  std::error_code error;
  fs::create_directories(rounds_folder(study_), error);
  if (error) write_error(rounds_folder(study_), error.message());
}

std::vector<Round> Rounds::read() const {
  std::vector<std::size_t> numbers;
  for (const std::string& name : fresh_names_in(rounds_folder(study_))) {
    if (const std::optional<std::size_t> number = number_of(name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<Round> rounds;
  for (const std::size_t number : numbers) rounds.push_back(read_one(number));
  return rounds;
}

Round Rounds::read_one(std::size_t number) const {
  Round round;
  round.number = number;
  round.folder = fmt::format("{}/{}{}", rounds_folder(study_), prefix, number);
  round.age_seconds = seconds_since_change(round.folder);
  const auto text = [&round](const char* name) {
    return read_text_file(round.folder + "/" + name, std::size_t{1} << 28U, FileOwner::program).text;
  };
  const nlohmann::json json = nlohmann::json::parse(shallow_json(text("round.json")), nullptr, false);
  if (!json.is_object() || json.value("schema", "") != schema) return round;
  try {
    round.begins = json.at("begins").get<bool>();
    round.chunk = std::max<std::size_t>(1, json.at("chunk").get<std::size_t>());
    round.job_name = json.at("job_name").get<std::string>();
    round.tasks = json.at("tasks").get<std::vector<std::vector<std::string>>>();
  } catch (const nlohmann::json::exception&) {
    return round;  // as one that was never described
  }
  const std::string job = text("job");
  round.job = job.substr(0, job.find('\n'));
  return round;
}

std::optional<Round> Rounds::make(std::size_t newest, const RoundContent& content, const SlurmRequest& request) const {
  Round round;
  round.number = newest + 1;
  round.folder = fmt::format("{}/{}{}", rounds_folder(study_), prefix, round.number);
  constexpr mode_t new_folder = 0777;
  if (mkdir(round.folder.c_str(), new_folder) != 0) {
    if (errno == EEXIST) return std::nullopt;
    write_error(round.folder, std::strerror(errno));
  }
  std::error_code error;
  const std::string scripts = fs::absolute(round.folder, error).lexically_normal().string();
  round.begins = content.begins;
  round.chunk = content.chunk;
  const std::uint64_t place = hash_bytes(std::as_bytes(std::span(scripts)));
  round.job_name = fmt::format("{}-{}-{:08x}", name_, round.number, place & 0xffffffffU);
  const std::vector<std::vector<StudyPoint>> tasks = tasks_of(content);
  nlohmann::ordered_json json;
  json["schema"] = schema;
  json["job_name"] = round.job_name;
  json["begins"] = round.begins;
  json["chunk"] = round.chunk;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::vector<std::string>& names = round.tasks.emplace_back();
    for (const StudyPoint& point : tasks[i]) names.push_back(name_of(point));
    write_file(fmt::format("{}/task-{}.sh", round.folder, i + 1), task_script(tasks[i]));
  }
  json["tasks"] = round.tasks;
  write_file(round.folder + "/round.json", json_text(json, 1) + "\n");
  write_file(script(round),
             job_script({round.job_name, fs::current_path(error).string(), scripts, tasks.size()}, request));
  return round;
}

void Rounds::note_job(Round& round, const std::string& job) {
  round.job = job;
  write_file(round.folder + "/job", job + "\n");
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/slurm_client.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "sim/base/child_program.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

/// States of the end, as squeue and sacct have them ("CANCELLED by 0" too).
constexpr std::array<std::string_view, 11> ends{"COMPLETED", "FAILED",        "CANCELLED",   "TIMEOUT",
                                                "NODE_FAIL", "PREEMPTED",     "BOOT_FAIL",   "DEADLINE",
                                                "REVOKED",   "OUT_OF_MEMORY", "SPECIAL_EXIT"};
/// What the commands say when there is no answer, rather than no.
constexpr std::array<std::string_view, 5> no_answers{"Unable to contact", "Socket timed out", "timed out",
                                                     "Zero Bytes were transmitted", "temporarily"};

bool has_ended(std::string_view state) {
  return std::any_of(ends.begin(), ends.end(), [state](std::string_view end) { return state.starts_with(end); });
}

std::string required(const char* name) {
  if (std::optional<std::string> path = find_program(name)) return *path;
  Diagnostic diagnostic;
  diagnostic.code = "SLURM-MISSING";
  diagnostic.message = fmt::format("there is no '{}' here", name);
  diagnostic.help = "submit from a login node of the cluster; without --on slurm the points run on this host";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

[[noreturn]] void refused(const std::string& reason) {
  Diagnostic diagnostic;
  diagnostic.code = "SLURM-REFUSED";
  diagnostic.message = "sbatch refused the job: " + first_line(reason);
  diagnostic.help =
      "partitions, accounts and limits are given by --on slurm:PARTITION and --slurm-args; sinfo lists partitions";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

std::optional<std::size_t> whole(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "JobId=12 ArrayJobId=10 ...": the value of a word.
std::string value_of(const std::string& line, std::string_view key) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=')
      return word.substr(key.size() + 1);
  }
  return "";
}

}  // namespace

std::string SlurmQueue::job_named(std::string_view name) const {
  for (const QueuedTask& task : tasks_) {
    if (task.name == name) return task.job;
  }
  return "";
}

SlurmQueue parse_queue(const std::string& text) {
  std::vector<QueuedTask> tasks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    QueuedTask task;
    std::string index;
    std::getline(fields, task.job, '|');
    std::getline(fields, index, '|');
    std::getline(fields, task.state, '|');
    std::getline(fields, task.reason, '|');
    std::getline(fields, task.name);
    const std::optional<std::size_t> number = whole(index);
    if (!number || has_ended(task.state)) continue;
    task.index = *number;
    tasks.push_back(std::move(task));
  }
  return SlurmQueue(std::move(tasks));
}

std::map<std::string, std::string> parse_accounts(const std::string& text) {
  std::map<std::string, std::string> states;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    if (bar == std::string::npos) continue;
    const std::string state = line.substr(bar + 1);
    if (has_ended(state)) states[line.substr(0, bar)] = state.substr(0, state.find(' '));
  }
  return states;
}

std::map<std::string, std::string> parse_jobs(const std::string& text) {
  std::map<std::string, std::string> states;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string state = value_of(line, "JobState");
    if (has_ended(state)) states[value_of(line, "ArrayJobId") + "_" + value_of(line, "ArrayTaskId")] = state;
  }
  return states;
}

std::optional<std::size_t> parse_array_size(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, sign, value;
    words >> key >> sign >> value;
    if (key == "MaxArraySize") return whole(value);
  }
  return std::nullopt;
}

SlurmClient::SlurmClient() : sbatch_(required("sbatch")), squeue_(required("squeue")) {}

Submission SlurmClient::submit(const std::string& script, const std::vector<std::string>& arguments) const {
  constexpr int by_signal = 128;
  std::vector<std::string> command{sbatch_, "--parsable"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(script);
  const ChildProgramEnd end = run_child_program(command);
  const std::string job = end.output.substr(0, end.output.find_first_of(";\n"));
  if (end.status == 0 && whole(job)) return {job, ""};
  const bool later = std::any_of(no_answers.begin(), no_answers.end(), [&end](std::string_view words) {
    return end.errors.find(words) != std::string::npos;
  });
  if (later || end.status >= by_signal) return {"", first_line(end.errors)};
  refused(end.errors.empty() ? fmt::format("it ended with {}", end.status) : end.errors);
}

std::optional<SlurmQueue> SlurmClient::queue() const {
  const ChildProgramEnd end = run_child_program(
      {squeue_, "--noheader", "--array", fmt::format("--user={}", geteuid()), "--format=%F|%K|%T|%r|%j"});
  if (end.status != 0) return std::nullopt;
  return parse_queue(end.output);
}

std::map<std::string, std::string> SlurmClient::ends_of(const std::string& job) const {
  if (const std::optional<std::string> sacct = find_program("sacct")) {
    const ChildProgramEnd end = run_child_program(
        {*sacct, "--jobs=" + job, "--array", "--allocations", "--noheader", "--parsable2", "--format=JobID,State"});
    if (end.status == 0) {
      std::map<std::string, std::string> states = parse_accounts(end.output);
      if (!states.empty()) return states;
    }
  }
  const std::optional<std::string> scontrol = find_program("scontrol");
  if (!scontrol) return {};
  return parse_jobs(run_child_program({*scontrol, "--oneliner", "show", "job", job}).output);
}

std::size_t SlurmClient::largest_array() const {
  constexpr std::size_t usual = 1001;  // indices end before it
  const std::optional<std::string> scontrol = find_program("scontrol");
  const std::optional<std::size_t> size =
      scontrol ? parse_array_size(run_child_program({*scontrol, "show", "config"}).output) : std::nullopt;
  return std::max<std::size_t>(1, size.value_or(usual) - 1);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/app/plans/slurm_options.h"

#include <array>
#include <filesystem>

#include "sim/base/diagnostic.h"
#include "sim/run/slurm/resume_record.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> table{{
    {"on", 0, Arity::value, "local|slurm[:PARTITION]", "where to run: this host (default), or job arrays of Slurm"},
    {"slurm-args", 0, Arity::values, "WORDS", "options for sbatch, e.g. '--account=a --time=1:00:00'", Listing::rare},
    {"chunk", 0, Arity::value, "N", "points of one task of an array (default: five minutes of them, by a pilot)",
     Listing::rare},
    {"resume", 0, Arity::value, "DIR", "go on with what --on slurm began there: collect, submit again what failed"},
}};
constexpr std::size_t most_points = 1'000'000;

void enter(const std::string& folder) {
  std::error_code error;
  std::filesystem::current_path(folder, error);
  if (!error) return;
  Diagnostic diagnostic;
  diagnostic.code = "FILE-READ";
  diagnostic.message = "cannot enter '" + folder + "', where the study began: " + error.message();
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

}  // namespace

std::span<const Option> slurm_options() {
  return table;
}

std::optional<SlurmRequest> slurm_request(const ParsedOptions& options, std::string_view command,
                                          const Arguments& arguments, const std::string& plan) {
  std::optional<SlurmRequest> request = place_of_points(options.text("on"));
  if (!request) {
    for (const char* name : {"slurm-args", "chunk"}) {
      if (options.has(name)) usage_error("CLI-VALUE", std::string("--") + name + " needs --on slurm", "add it");
    }
    return request;
  }
  for (const std::string& text : options.all("slurm-args")) {
    for (std::string& word : quoted_words(text)) request->arguments.push_back(std::move(word));
  }
  request->at_a_time = options.number("jobs", 0, most_points);
  request->chunk = options.number("chunk", 0, most_points);
  request->resumes = options.has("resume");
  request->plan = plan;
  request->command.emplace_back(command);
  for (const std::string& word : arguments) {
    if (!word.starts_with("--resume=")) request->command.push_back(word);
  }
  return request;
}

std::optional<int> resumed(const ParsedOptions& options, const Arguments& arguments) {
  if (!options.has("resume") || options.has("on")) return std::nullopt;
  if (!options.inputs().empty())
    usage_error("CLI-INPUT", "--resume takes the plan from the folder", "teslasim sweep --resume DIR");
  const ResumeRecord record = read_resume_record(options.text("resume"));
  Arguments words(record.command.begin() + 1, record.command.end());
  words.push_back("--resume=" + options.text("resume"));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with("--resume=")) continue;
    if (arguments[i] == "--resume") {
      ++i;
    } else {
      words.push_back(arguments[i]);
    }
  }
  enter(record.folder);
  return find_command(record.command.front()).run(words);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/task_script.h"

#include <fmt/format.h>

#include "sim/run/plans/shell_word.h"

namespace teslasim {
namespace {

/// How a task runs one point. A task that Slurm takes for lost may be at work still: so each works under a name of its
/// own, and the first to finish gives the point its result, by a rename.
constexpr const char* run_one_point = R"(
point() {
  local place=$1 part=$1.part-$SLURM_JOB_ID status=0
  shift
  if [ -e "$place.exit" ] || [ -e "$place.outcome" ]; then return; fi
  rm -rf "$part"
  "$@" --out="$part" >/dev/null 2>"$part.stderr" || status=$?
  if [ -e "$part" ] && ! mv -T "$part" "$place" 2>/dev/null; then rm -rf "$part"; fi
  if [ "$status" -eq 0 ]; then rm -f "$part.stderr"; else mv -T "$part.stderr" "$place.stderr"; fi
  echo "$status" >"$part.exit" && mv -T "$part.exit" "$place.exit"
}
)";

/// Slurm replaces %a and the like in names of files.
std::string file_pattern(const std::string& path) {
  std::string text;
  for (const char character : path) text += character == '%' ? "%%" : std::string(1, character);
  return text;
}

}  // namespace

std::string job_script(const JobScript& job, const SlurmRequest& request) {
  std::string text = "#!/bin/bash\n";
  const auto option = [&text](const std::string& words) { text += "#SBATCH " + words + "\n"; };
  option("--job-name=" + job.job_name);
  option(fmt::format("--array=1-{}{}", job.tasks, request.at_a_time == 0 ? "" : fmt::format("%{}", request.at_a_time)));
  option("--output=" + shell_word(file_pattern(job.scripts)) + "/task-%a.log");
  // What is to be submitted again, and how often, is the study's to say.
  option("--no-requeue");
  option("--ntasks=1");
  if (!request.partition.empty()) option("--partition=" + request.partition);
  text += run_one_point;
  return text + fmt::format("cd {} || exit 1\n. {}/task-\"$SLURM_ARRAY_TASK_ID\".sh\n", shell_word(job.folder),
                            shell_word(job.scripts));
}

std::string task_script(const std::vector<StudyPoint>& points) {
  std::string text;
  for (const StudyPoint& point : points) {
    text += "point " + shell_word(point.place);
    for (const std::string& word : point.command) text += " " + shell_word(word);
    text += "\n";
  }
  return text;
}

}  // namespace teslasim

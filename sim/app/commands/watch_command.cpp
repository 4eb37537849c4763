// SPDX-License-Identifier: Apache-2.0
// `teslasim watch`: a live view of a run that another process is at.
#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/run/follow/follow_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 3> watch_own_options{
    {{"once", 0, Arity::flag, "", "show how it is now, and do not wait for its end"},
     {"json", 0, Arity::flag, "", "print its status.json, a line per change"},
     {"runs-dir", 0, Arity::value, "DIR", "where numbered runs are (default: runs)"}}};

ProgressStyle style_of(const ParsedOptions& options) {
  if (options.has("json")) return ProgressStyle::json;
  const bool chosen = options.has("quiet") || options.text("progress", "auto") != "auto";
  if (chosen) return console_options(options).progress;
  return results_on_terminal() ? ProgressStyle::tty : ProgressStyle::plain;
}

}  // namespace

std::vector<Option> options_of_watch() {
  return {watch_own_options.begin(), watch_own_options.end()};
}

int watch_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(watch_own_options), "watch");
  if (answered_help(options, "watch", watch_own_options)) return 0;
  if (options.inputs().size() != 1) usage_error("CLI-INPUT", "watch takes one run", "teslasim watch latest");
  const RunFollower follower(find_begun_run(options.text("runs-dir", "runs"), options.inputs().front()));
  return follow_run(follower, style_of(options), options.has("once") ? FollowUntil::now : FollowUntil::end);
}

}  // namespace teslasim

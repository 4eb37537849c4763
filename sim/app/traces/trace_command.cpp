// SPDX-License-Identifier: Apache-2.0
// `teslasim trace record|info|cat|verify|cut|convert`: warp traces.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/run_options.h"
#include "sim/app/traces/trace_actions.h"
#include "sim/run/action_progress.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 7> own_table{{
    {"output", 'o', Arity::value, "FILE", "record, cut, convert: the file to write, which must not exist",
     Listing::common, FileUse::writes},
    {"mode", 0, Arity::value, "functional|timing", "record: from which model (default functional)"},
    {"launches", 0, Arity::value, "A-B,C...", "cat, cut: only these launches (from 0)"},
    {"blocks", 0, Arity::value, "A-B,C...", "record, cat, cut: only these blocks"},
    {"warps", 0, Arity::value, "A-B,C...", "cat, cut: only these warps of each block"},
    {"sms", 0, Arity::value, "A-B,C...", "record --mode timing, cat, cut: only blocks that ran on these SMs"},
    {"addresses", 0, Arity::value, "A-B,NAME...", "cat: only accesses there; cut: blocks with one; NAME is a buffer"},
}};

std::vector<Option> trace_options() {
  std::vector<Option> options(own_table.begin(), own_table.end());
  options.insert(options.end(), workload_options().begin(), workload_options().end());
  options.insert(options.end(), limit_options().begin(), limit_options().end());
  return options;
}

constexpr std::string_view selection = "launches blocks warps sms addresses";

struct Action {
  std::string_view name;
  int (*run)(const ParsedOptions&);
  std::string_view options;  ///< of its own that it takes; `record` says itself what is wrong
};

constexpr std::array<Action, 6> actions{{
    {"record", &trace_actions::record, ""},
    {"info", &trace_actions::info, ""},
    {"cat", &trace_actions::cat, selection},
    {"verify", &trace_actions::verify, ""},
    {"cut", &trace_actions::cut, "output launches blocks warps sms addresses"},
    {"convert", &trace_actions::convert, "output"},
}};

/// Options that another action takes would be without effect here.
void refuse_options_of_others(const Action& action, const ParsedOptions& options) {
  if (action.name == "record") return;
  for (const Option& option : trace_options()) {
    const bool taken =
        (" " + std::string(action.options) + " ").find(" " + std::string(option.name) + " ") != std::string::npos;
    if (taken || !options.has(option.name)) continue;
    usage_error("CLI-TRACE", fmt::format("--{} has no meaning for trace {}", option.name, action.name),
                "teslasim trace --help-all says which action takes it");
  }
}

}  // namespace

std::vector<Option> options_of_trace() {
  return trace_options();
}

int trace_command(const Arguments& arguments) {
  const std::vector<Option> own = trace_options();
  const ParsedOptions options = parse_options(arguments, with_common(own), "trace");
  if (answered_help(options, "trace", own)) return 0;
  const std::string word = options.inputs().empty() ? "" : options.inputs().front();
  std::vector<std::string> names;
  for (const Action& action : actions) {
    if (action.name != word) {
      names.emplace_back(action.name);
      continue;
    }
    refuse_options_of_others(action, options);
    try {
      return action.run(options);
    } catch (const Interrupted& interrupted) {
      constexpr int signal_exit = 128;
      return signal_exit + interrupted.signal;
    }
  }
  const std::string near = nearest_word(word, names);
  usage_error(
      "CLI-COMMAND", word.empty() ? "trace needs an action" : "there is no action 'trace " + word + "'",
      near.empty() ? "the actions are: record, info, cat, verify, cut, convert" : "did you mean '" + near + "'?");
}

}  // namespace teslasim

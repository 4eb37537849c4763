// SPDX-License-Identifier: Apache-2.0
// `teslasim debug`: a run that stops where one wants to look.
#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/debugger/debugged_run.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 2> debug_own_options{{
    {"commands", 0, Arity::value, "FILE", "read commands from FILE instead of standard input"},
    {"max-cycles", 0, Arity::value, "N", "stop after N SP cycles (status limit)"},
}};

}  // namespace

std::vector<Option> options_of_debug() {
  std::vector<Option> options(debug_own_options.begin(), debug_own_options.end());
  options.insert(options.begin(), workload_options().begin(), workload_options().end());
  return options;
}

int debug_command(const Arguments& arguments) {
  const std::vector<Option> all = options_of_debug();
  const ParsedOptions options = parse_options(arguments, with_common(all), "debug");
  if (answered_help(options, "debug", all)) return 0;
  RunSettings settings;
  settings.workload = workload_request(options, "debug");
  settings.configs = options.all("config");
  settings.sets = machine_sets(options);
  settings.max_cycles = options.number("max-cycles", never);
  return debug_run(std::move(settings), options.text("commands"), console_options(options));
}

}  // namespace teslasim

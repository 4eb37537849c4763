// SPDX-License-Identifier: Apache-2.0
// `teslasim occupancy`
#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/run_options.h"
#include "sim/run/console.h"
#include "sim/run/occupancy_text.h"
#include "sim/run/workload_run.h"

namespace teslasim {
std::vector<Option> options_of_occupancy() {
  return {workload_options().begin(), workload_options().end()};
}

int occupancy_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(workload_options()), "occupancy");
  if (answered_help(options, "occupancy", workload_options())) return 0;
  RunSettings settings;
  settings.workload = workload_request(options, "occupancy");
  settings.configs = options.all("config");
  settings.sets = machine_sets(options);
  const PreparedRun prepared = prepare(std::move(settings));
  for (const LaunchSpec& launch : prepared.workload.launches)
    print_result(occupancy_text(launch, prepared.machine.spec));
  return 0;
}

}  // namespace teslasim

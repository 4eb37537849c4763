// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/launch_facts.h"

#include <algorithm>
#include <utility>

#include "sim/base/clock_time.h"

namespace teslasim {
namespace {

/// Arguments as Ye 2009 counts them: those declared, or 32-bit words if the binary does not declare any.
std::uint64_t arguments_of(const Launch& launch) {
  constexpr std::size_t word = 4;
  const std::size_t declared = launch.kernel->parameters.size();
  return declared != 0 ? declared : (launch.parameters.size() + word - 1) / word;
}

}  // namespace

Occupancy occupancy_of(const MachineSpec& machine, const Launch& launch) {
  return compute_occupancy(machine, {launch.threads_per_block(), launch.kernel->registers, launch.shared_bytes});
}

Femtoseconds overhead_of(const LaunchOverheadSpec& overhead, const Launch& launch) {
  constexpr double ns_per_us = 1000;
  return femtoseconds_of_ns(ns_per_us *
                            (overhead.base_us + overhead.per_argument_us * static_cast<double>(arguments_of(launch))));
}

bool may_read_texels_it_writes(const Kernel& kernel) {
  const auto has = [&kernel](auto&& wanted) { return std::any_of(kernel.code.begin(), kernel.code.end(), wanted); };
  return has([](const Instruction& one) { return one.opcode == Opcode::tex; }) && has([](const Instruction& one) {
           return one.opcode == Opcode::store_global || one.opcode == Opcode::atom || one.opcode == Opcode::red;
         });
}

RunStatus status_of(RunEnd end) {
  switch (end) {
    case RunEnd::finished:
      return RunStatus::ok;
    case RunEnd::dead_end:
    case RunEnd::live_lock:
      return RunStatus::stuck;
    case RunEnd::limit:
      return RunStatus::limit;
    case RunEnd::interrupted:
      return RunStatus::interrupted;
  }
  return RunStatus::ok;
}

Diagnostic stuck_report(LastSign last, SpCycle last_issue, const std::vector<std::string>& pending, std::string cause) {
  Diagnostic diagnostic;
  diagnostic.code = "SIM-STUCK";
  const std::string since = std::to_string(last_issue.count());
  diagnostic.message = last == LastSign::dead_end
                           ? "nothing can happen any more since cycle " + since + ", but the kernel has not finished"
                           : "no warp issued for a long time (since cycle " + since + ")";
  constexpr std::size_t most = 24;
  for (std::size_t i = 0; i < std::min(pending.size(), most); ++i) diagnostic.details.push_back(pending[i]);
  if (pending.size() > most) {
    diagnostic.details.push_back("... and " + std::to_string(pending.size() - most) + " more lines");
  }
  diagnostic.cause = std::move(cause);
  diagnostic.help = "teslasim explain SIM-STUCK";
  return diagnostic;
}

}  // namespace teslasim

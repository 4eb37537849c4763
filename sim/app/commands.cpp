// SPDX-License-Identifier: Apache-2.0
// The table of commands. A new command is a row here and a file with its function.
#include <array>

#include "sim/app/command.h"
#include "sim/app/command_functions.h"

namespace teslasim {
namespace {

constexpr std::array<Command, 17> table{{
    {"run", "run INPUT [OPTIONS]", "simulate a kernel and say where the cycles went", run_command},
    {"occupancy", "occupancy INPUT [OPTIONS]", "what limits resident warps, and what the next step needs",
     occupancy_command},
    {"models", "models INPUT|RUN... [OPTIONS]",
     "analytical models: from a functional pre-run, a run, or --given inputs", models_command},
    {"calibrate", "calibrate [-c MACHINE] [--export FILE.toml]",
     "measure what the analytical models need on the simulated machine", calibrate_command},
    {"compare", "compare RUN... [OPTIONS]", "runs against runs, models, or measurements (--hw)", compare_command},
    {"report", "report RUN... [-o FILE]", "write report.html of finished runs", report_command},
    {"sweep", "sweep PLAN.toml [-j N]", "many runs on a local pool, resumable", sweep_command},
    {"dse", "dse PLAN.toml [-j N]", "machines of equal area: screened by a model, the best simulated", dse_command},
    {"configs", "configs list|show|diff|check|explain|schema [ARGUMENT...]", "machine descriptions", configs_command},
    {"validate", "validate [OPTIONS]", "published micro-benchmarks against the simulated machines", validate_command},
    {"asm", "asm FILE.asm [-o FILE.cubin]", "assemble; print the listing", asm_command},
    {"disasm", "disasm FILE.cubin", "disassemble a cubin", disasm_command},
    {"explain", "explain WORD", "a statistic, stall reason, error code, config key, opcode, model or topic",
     explain_command},
    {"trace", "trace record|info|cat|verify FILE [OPTIONS]", "warp traces: record a run, look into a trace",
     trace_command},
    {"rerun", "rerun RUN", "repeat a run from its directory and compare digests", rerun_command},
    {"new", "new DIR [KERNEL...]", "copy a worked example", new_command},
    {"doctor", "doctor", "versions, environment, self-test", doctor_command},
}};

}  // namespace

std::span<const Command> commands() {
  return table;
}

}  // namespace teslasim

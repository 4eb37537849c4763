// SPDX-License-Identifier: Apache-2.0
// The table of commands. A new command is a row here and a file with its function.
#include <array>

#include "sim/app/cli/command.h"
#include "sim/app/cli/command_functions.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::array<Command, 23> table{{
    {"run", "run INPUT [OPTIONS]", "simulate a kernel and say where the cycles went", run_command, options_of_run},
    {"debug", "debug INPUT [OPTIONS]", "step through a kernel: breakpoints, watchpoints, warps, registers, units",
     debug_command, options_of_debug},
    {"occupancy", "occupancy INPUT [OPTIONS]", "what limits resident warps, and what the next step needs",
     occupancy_command, options_of_occupancy},
    {"models", "models INPUT|RUN... [OPTIONS]",
     "analytical models: from a functional pre-run, a run, or --given inputs", models_command, options_of_models},
    {"calibrate", "calibrate [-c MACHINE] [--export FILE.toml]",
     "measure what the analytical models need on the simulated machine", calibrate_command, options_of_calibrate},
    {"compare", "compare RUN... [OPTIONS]", "runs against runs, models, or measurements (--hw)", compare_command,
     options_of_compare},
    {"report", "report RUN... [-o FILE]", "write report.html or run.sqlite of finished runs", report_command,
     options_of_report},
    {"watch", "watch RUN [--once] [--json]", "how far a run is that goes on elsewhere, until it ends", watch_command,
     options_of_watch},
    {"sweep", "sweep PLAN.toml [-j N]", "many runs, on a local pool or a cluster, resumable", sweep_command,
     options_of_sweep},
    {"dse", "dse PLAN.toml [-j N]", "machines of equal area: screened by a model, the best simulated", dse_command,
     options_of_dse},
    {"configs", "configs list|show|diff|check|explain|reference|schema [ARGUMENT...]", "machine descriptions",
     configs_command, options_of_configs},
    {"validate", "validate [OPTIONS]", "published micro-benchmarks against the simulated machines", validate_command,
     options_of_validate},
    {"cc", "cc FILE.cu [-o FILE.cubin] [OPTIONS]", "compile CUDA C or PTX, with the options of nvcc", cc_command,
     options_of_cc},
    {"cuda", "cuda [OPTIONS] -- ./PROGRAM [ARGUMENT...]", "run a CUDA program, made by teslasim-nvcc, on a machine",
     cuda_command, options_of_cuda},
    {"asm", "asm FILE.asm [-o FILE.cubin]", "assemble; print the listing", asm_command, options_of_asm},
    {"disasm", "disasm FILE.cubin", "disassemble a cubin", disasm_command, options_of_disasm},
    {"explain", "explain WORD",
     "a statistic, reason, error code, key, opcode, model, machine, file, experiment or topic", explain_command,
     options_of_explain},
    {"trace", "trace record|info|cat|verify|cut|convert FILE [OPTIONS]", "warp traces: record, inspect, cut, convert",
     trace_command, options_of_trace},
    {"rerun", "rerun RUN", "repeat a run from its directory and compare digests", rerun_command, options_of_rerun},
    {"new", "new DIR [KERNEL...|--lab N]", "copy worked examples or a lab", new_command, options_of_new},
    {"doctor", "doctor", "versions, environment, self-test", doctor_command, options_of_doctor},
    {"completion", "completion bash|zsh", "completion of the shell: source <(teslasim completion bash)",
     completion_command, options_of_completion},
    {"man", "man [COMMAND]", "manual page: teslasim man run | man -l -", man_command, options_of_man},
}};

}  // namespace

std::span<const Command> commands() {
  return table;
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    names.emplace_back(command.name);
  }
  const std::string near = nearest_word(name, names);
  usage_error("CLI-COMMAND", "unknown command '" + name + "'",
              near.empty() ? "teslasim --help lists the commands" : "did you mean 'teslasim " + near + "'?");
}

}  // namespace teslasim

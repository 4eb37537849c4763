// SPDX-License-Identifier: Apache-2.0
// The commands of the program: the function of each and the options that are its own.
#pragma once

#include "sim/app/cli/command.h"
#include "sim/app/cli/command_line.h"

namespace teslasim {

[[nodiscard]] int run_command(const Arguments& arguments);
[[nodiscard]] int debug_command(const Arguments& arguments);
[[nodiscard]] int trace_command(const Arguments& arguments);
[[nodiscard]] int rerun_command(const Arguments& arguments);
[[nodiscard]] int configs_command(const Arguments& arguments);
[[nodiscard]] int compare_command(const Arguments& arguments);
[[nodiscard]] int report_command(const Arguments& arguments);
[[nodiscard]] int watch_command(const Arguments& arguments);
[[nodiscard]] int sweep_command(const Arguments& arguments);
[[nodiscard]] int dse_command(const Arguments& arguments);
[[nodiscard]] int models_command(const Arguments& arguments);
[[nodiscard]] int calibrate_command(const Arguments& arguments);
[[nodiscard]] int occupancy_command(const Arguments& arguments);
[[nodiscard]] int cc_command(const Arguments& arguments);
[[nodiscard]] int cuda_command(const Arguments& arguments);
[[nodiscard]] int asm_command(const Arguments& arguments);
[[nodiscard]] int disasm_command(const Arguments& arguments);
[[nodiscard]] int validate_command(const Arguments& arguments);
[[nodiscard]] int explain_command(const Arguments& arguments);
[[nodiscard]] int doctor_command(const Arguments& arguments);
[[nodiscard]] int new_command(const Arguments& arguments);
[[nodiscard]] int completion_command(const Arguments& arguments);
[[nodiscard]] int man_command(const Arguments& arguments);

[[nodiscard]] std::vector<Option> options_of_run();
[[nodiscard]] std::vector<Option> options_of_debug();
[[nodiscard]] std::vector<Option> options_of_trace();
[[nodiscard]] std::vector<Option> options_of_rerun();
[[nodiscard]] std::vector<Option> options_of_configs();
[[nodiscard]] std::vector<Option> options_of_compare();
[[nodiscard]] std::vector<Option> options_of_report();
[[nodiscard]] std::vector<Option> options_of_watch();
[[nodiscard]] std::vector<Option> options_of_sweep();
[[nodiscard]] std::vector<Option> options_of_dse();
[[nodiscard]] std::vector<Option> options_of_models();
[[nodiscard]] std::vector<Option> options_of_calibrate();
[[nodiscard]] std::vector<Option> options_of_occupancy();
[[nodiscard]] std::vector<Option> options_of_cc();
[[nodiscard]] std::vector<Option> options_of_cuda();
[[nodiscard]] std::vector<Option> options_of_asm();
[[nodiscard]] std::vector<Option> options_of_disasm();
[[nodiscard]] std::vector<Option> options_of_validate();
[[nodiscard]] std::vector<Option> options_of_explain();
[[nodiscard]] std::vector<Option> options_of_doctor();
[[nodiscard]] std::vector<Option> options_of_new();
[[nodiscard]] std::vector<Option> options_of_completion();
[[nodiscard]] std::vector<Option> options_of_man();

}  // namespace teslasim

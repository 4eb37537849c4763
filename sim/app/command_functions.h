// SPDX-License-Identifier: Apache-2.0
// The commands of the program, one function each.
#pragma once

#include "sim/app/command.h"

namespace teslasim {

[[nodiscard]] int run_command(const Arguments& arguments);
[[nodiscard]] int trace_command(const Arguments& arguments);
[[nodiscard]] int rerun_command(const Arguments& arguments);
[[nodiscard]] int configs_command(const Arguments& arguments);
[[nodiscard]] int compare_command(const Arguments& arguments);
[[nodiscard]] int report_command(const Arguments& arguments);
[[nodiscard]] int sweep_command(const Arguments& arguments);
[[nodiscard]] int dse_command(const Arguments& arguments);
[[nodiscard]] int models_command(const Arguments& arguments);
[[nodiscard]] int calibrate_command(const Arguments& arguments);
[[nodiscard]] int occupancy_command(const Arguments& arguments);
[[nodiscard]] int asm_command(const Arguments& arguments);
[[nodiscard]] int disasm_command(const Arguments& arguments);
[[nodiscard]] int validate_command(const Arguments& arguments);
[[nodiscard]] int explain_command(const Arguments& arguments);
[[nodiscard]] int doctor_command(const Arguments& arguments);
[[nodiscard]] int new_command(const Arguments& arguments);

}  // namespace teslasim

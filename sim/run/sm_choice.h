// SPDX-License-Identifier: Apache-2.0
// SMs that the user chooses to have looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/gpu/machine/gpu_spec.h"
#include "sim/run/run_settings.h"

namespace teslasim {

/// "0-2,5" as numbers, in the order of the text. Throws InputError (usage) that names `option`.
[[nodiscard]] std::vector<unsigned> sm_list(std::string_view option, const std::string& text);
/// Throws InputError (usage) for an SM that the machine does not have.
void check_sm(unsigned sm, const MachineSpec& machine);
/// The SMs whose warps are kept one by one (RunSettings::warp_sms), ascending. Throws InputError (usage).
[[nodiscard]] std::vector<unsigned> warp_sms(const RunSettings& settings, const MachineSpec& machine);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// What a result holds of machine and code, whatever ran the launches.
#pragma once

#include <vector>

#include "isa/program.h"
#include "sim/gpu/machine/gpu_spec.h"
#include "sim/report/result/result.h"

namespace teslasim {

[[nodiscard]] std::vector<ListingLine> listing_of(const Kernel& kernel);
[[nodiscard]] MachineFacts facts_of(const MachineSpec& spec);

}  // namespace teslasim

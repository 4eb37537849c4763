// SPDX-License-Identifier: Apache-2.0
// stats.csv: every number of every launch in tidy form, one per line:
//   launch,kernel,scope,id,stat,value,unit
// scope: launch, sm, partition, or run (host numbers; launch is empty). id: number of the SM or partition, or empty.
// A statistic without a value has an empty value.
#pragma once

#include <string>

#include "sim/report/result/result.h"

namespace teslasim {

[[nodiscard]] std::string stats_csv(const Result& result);

}  // namespace teslasim

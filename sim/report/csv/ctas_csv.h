// SPDX-License-Identifier: Apache-2.0
// ctas.csv: when each block was on which SM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

/// A block that was kept. SP cycles.
struct BlockRow {
  std::uint64_t launch = 0, block = 0, sm = 0, slot = 0;
  SpCycle begin = 0;
  std::optional<SpCycle> end;  ///< the first cycle without it; nothing: it had not finished

  [[nodiscard]] bool operator==(const BlockRow&) const = default;
};

/// The first 2,048 blocks of each SM, by launch, SM and arrival.
[[nodiscard]] std::vector<BlockRow> block_rows(const Result& result);
/// ctas.csv: one line per row.
[[nodiscard]] std::string ctas_csv(const Result& result);
[[nodiscard]] std::vector<BlockRow> read_ctas_csv(const std::string& text);

}  // namespace teslasim

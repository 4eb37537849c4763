// SPDX-License-Identifier: Apache-2.0
// pc.csv: one line per instruction of each launch. Columns whose facts are not modelled are left empty: lat_min,
// lat_p50, lat_p95 and lat_max (latencies of single requests are not recorded).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

inline constexpr unsigned most_conflict_degree = 16;

/// What one instruction of a launch cost.
struct InstructionRow {
  std::uint64_t launch = 0;
  std::string kernel;
  ListingLine line;
  std::uint64_t warp_issues = 0, thread_issues = 0;
  std::vector<std::uint64_t> slots;  ///< one number per column of slot_columns()
  std::optional<std::uint32_t> blamed;
  std::uint64_t transactions_32 = 0, transactions_64 = 0, transactions_128 = 0, bytes = 0;
  std::array<std::uint64_t, most_conflict_degree + 1> conflicts{};  ///< by degree, from 1
  std::uint64_t divergent = 0;
  std::optional<std::array<std::uint64_t, 4>> latency;  ///< least, 50 %, 95 %, greatest; SP cycles
  std::uint64_t requests = 0, bytes_used = 0;

  [[nodiscard]] double active_lanes() const;
};

[[nodiscard]] std::vector<InstructionRow> instruction_rows(const Result& result);
/// pc.csv: one line per row.
[[nodiscard]] std::string pc_csv(const Result& result);
[[nodiscard]] std::vector<InstructionRow> read_pc_csv(const std::string& text);

}  // namespace teslasim

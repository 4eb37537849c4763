// SPDX-License-Identifier: Apache-2.0
// What a run was and what came out: the only thing that reports see. Plain values; filled by the application.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/block_sample.h"
#include "sim/base/config_loader.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/prediction.h"

namespace teslasim {

/// The facts of the machine that reports need for headings and for ratios to a peak.
struct MachineFacts {
  std::string name;    ///< "GeForce GTX 280"
  std::string preset;  ///< "gtx280@1.0.0"; empty for a file of the user's own
  std::string arch;    ///< "sm_13"
  unsigned sms = 1;
  double shader_mhz = 0.0;
  double peak_gbs_dram = 0.0;  ///< GB/s, 10^9 bytes
};

/// One instruction of a kernel as listings show it; position = Instruction::index.
struct ListingLine {
  std::uint32_t pc = 0;
  std::uint32_t bytes = 0;
  std::uint32_t source_line = 0;  ///< 0 = unknown
  std::string text;
  std::optional<std::uint32_t> target;  ///< of an instruction that names another: branches, calls, join, brk
};

/// The comparison of one buffer with what was expected.
struct OutputCheck {
  std::string buffer;
  bool ok = false;
  std::uint64_t compared = 0;
  std::uint64_t wrong = 0;
  std::string first_difference;  ///< one phrase, empty when ok
};

/// Launches of one kernel whose statistics stand as a sum. Memory and files do not grow with their number.
struct MergedLaunches {
  std::uint64_t count = 1;
  std::uint64_t last = 0;  ///< the last one's number in the run
  bool same_shape = true;  ///< all have the grid and the blocks of the first one
};

/// One launch, or the sum of several of one kernel.
struct LaunchResult {
  LaunchStatistics statistics;
  std::vector<ListingLine> listing;
  /// Filled for the launch after which the buffers are checked (the last one); absent for the others.
  std::optional<std::vector<OutputCheck>> outputs;
  /// What the analytical models say; empty when they were not asked.
  std::vector<Prediction> predictions;
  bool sampled = false;                    ///< some of the blocks ran, or some of the launches in time
  std::optional<BlockSample> sample{};     ///< set: the time of all blocks, of which some ran in time
  bool approximate = false;                ///< a replay of another program's trace
  std::optional<std::uint64_t> index{};    ///< number in the run of the (first) launch; nothing: its place in the list
  std::optional<MergedLaunches> merged{};  ///< set for a sum

  /// Blocks that were to run: of the grid, or those that were chosen of it; of a sum of samples, those that did.
  [[nodiscard]] std::uint64_t blocks() const;
  [[nodiscard]] std::uint64_t blocks_done() const {
    return statistics.ctas_done + (sample ? sample->function_blocks : 0);
  }
  [[nodiscard]] std::uint64_t percent_done() const { return blocks() == 0 ? 0 : 100 * blocks_done() / blocks(); }
  /// How long the whole launch takes: extrapolated where its blocks are sampled, else counted.
  [[nodiscard]] SpCycle cycles() const { return sample ? sample->cycles : statistics.shader_cycles; }
  [[nodiscard]] Femtoseconds time() const { return sample ? sample->time : statistics.duration; }
};

/// Numbers of the host. They differ between two runs of the same input and are not part of the digest.
struct HostNumbers {
  double seconds = 0.0;  ///< wall time inside the simulation
  double rss_mb = 0.0;   ///< peak resident memory, 10^6 bytes
};

struct Result {
  std::string name;           ///< stem of the input
  std::string run_directory;  ///< as printed; empty when nothing was written
  MachineFacts machine;
  std::vector<EffectiveValue> configuration;  ///< every value with its origin
  std::vector<LaunchResult> launches;         ///< together the whole run: launches of their own, and sums of the others
  std::uint64_t planned_launches = 0;         ///< more than launches.size() when the run stopped early
  HostNumbers host;
  RunStatus status = RunStatus::ok;
  std::uint64_t digest = 0;
  /// The same without the buffers: a replay, which computes nothing, has that of the execution.
  std::uint64_t counters_digest = 0;

  /// The number in the run of the (first) launch at a place in the list.
  [[nodiscard]] std::uint64_t number_of(std::size_t place) const { return launches[place].index.value_or(place); }
  /// Launches that ran: each one of a sum counts.
  [[nodiscard]] std::uint64_t launches_run() const;
  [[nodiscard]] bool timed() const { return !launches.empty() && launches.front().statistics.timed; }
  /// That ran, of sampled blocks by function too.
  [[nodiscard]] std::uint64_t warp_instructions() const;
  /// Checked buffers, over all launches.
  [[nodiscard]] std::uint64_t outputs_checked() const;
  [[nodiscard]] bool outputs_ok() const;
};

/// "ok", "interrupted", "stuck", "kernel_error", "limit".
[[nodiscard]] std::string_view name_of(RunStatus status);

}  // namespace teslasim

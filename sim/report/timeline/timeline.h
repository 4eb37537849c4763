// SPDX-License-Identifier: Apache-2.0
// A run as viewers of time and pipelines see it, and the files that they read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/pipeline_events.h"
#include "sim/report/result/result.h"

namespace teslasim {

/// A warp of the GPU, in the order in which files list them.
struct WarpKey {
  unsigned sm = 0, warp = 0;
  friend bool operator<(const WarpKey& a, const WarpKey& b) { return a.sm != b.sm ? a.sm < b.sm : a.warp < b.warp; }
};

struct TimelineLaunch {
  const LaunchResult* result = nullptr;
  const PipelineEvents* events = nullptr;
  SmCycle start = 0;  ///< SM cycles of the launches before
};

struct Timeline {
  std::string machine;
  double shader_mhz = 0.0;
  double memory_period_per_sm_period = 1.0;  ///< length of a memory cycle in SM cycles
  unsigned sms_per_tpc = 1;
  std::vector<TimelineLaunch> launches;
  std::uint64_t most_bytes = 200'000'000;
};

/// Takes the next piece of a file, text or bytes, not compressed; pieces are about 1 MB, so that no file is held whole.
using TimelineSink = std::function<void(std::string_view)>;

/// What is in a file that was written.
struct TimelineFile {
  std::uint64_t events = 0;
  std::uint64_t dropped = 0;  ///< events left out because the file or the recording was full
};

/// Perfetto's native format: track events (protobuf). 1 ns on screen is one SP cycle.
[[nodiscard]] TimelineFile perfetto_file(const Timeline& timeline, const TimelineSink& sink);
/// Konata's log, "Kanata 0004": one line of instructions per warp instruction, with its stages; cycles are SM cycles.
[[nodiscard]] TimelineFile konata_file(const Timeline& timeline, const TimelineSink& sink);
/// warp_states.csv: a line for each time in which a recorded warp was in one state; SP cycles of the launch.
[[nodiscard]] TimelineFile warp_states_file(const Timeline& timeline, const TimelineSink& sink);
/// The window as text, one line per warp instruction, one column per SM cycle; at most `most_cycles` columns.
[[nodiscard]] std::string ascii_pipeline(const Timeline& timeline, SmCycle most_cycles);

/// "0x00a8: mov.u32 $r3, s[$ofs2]" of an instruction; "" when there is none.
[[nodiscard]] std::string place_of(const LaunchResult& launch, std::uint32_t index);

}  // namespace teslasim

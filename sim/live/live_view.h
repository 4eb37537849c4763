// SPDX-License-Identifier: Apache-2.0
// A run as its live view shows it: one moment, complete. Counters are sums over the launches so far, the one under way
// included. For display only: what a warp is charged when it issues next is not in it yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/slot_reason.h"

namespace teslasim {

struct LiveProgress {
  std::uint64_t launch = 0, launches = 1;
  std::string kernel;
  std::uint64_t ctas_done = 0, ctas_total = 0;  ///< of the launch, like the two below
  std::uint64_t cycle = 0;                      ///< SP cycles
  std::uint64_t warp_instructions = 0;
  double seconds = 0.0;           ///< of the host, since the run began
  double warp_instr_per_s = 0.0;  ///< over the current launch
  double eta_seconds = -1.0;      ///< of the current launch; negative = unknown
  double rss_mb = 0.0;            ///< memory of the host, 10^6 bytes
};

struct LiveCache {
  std::string_view name;  ///< a literal
  std::uint64_t hits = 0, misses = 0;
};

/// What a run in time has besides.
struct LiveCounters {
  PerReason<> slots{};
  std::uint64_t read_bytes = 0, write_bytes = 0;  ///< of memory chips
  std::uint64_t transactions = 0;                 ///< that reached a partition
  double seconds = 0.0;                           ///< simulated
  std::vector<LiveCache> caches;
};

/// A file or folder that somebody asked for in the live view.
struct LiveProduct {
  enum class Kind : std::uint8_t { snapshot, timeline };
  enum class State : std::uint8_t { writing, written, failed };
  Kind kind = Kind::snapshot;
  State state = State::writing;
  unsigned number = 1;  ///< counts from 1, by kind
  std::uint64_t launch = 0, cycle = 0;
  std::string path;     ///< a folder of a run, or a file
  std::string problem;  ///< failed: why
};

struct LiveTimeline {
  unsigned sm = 0;
  std::uint64_t launch = 0, since = 0;  ///< SP cycle of that launch
};

struct LiveView {
  std::string name, machine;
  unsigned sms = 0;
  std::string directory;          ///< of the run; empty: none is written
  std::string phase = "running";  ///< running, stopping, writing, or how the run ended
  LiveProgress progress;
  std::optional<LiveCounters> counters;
  std::vector<LiveProduct> products;
  std::optional<LiveTimeline> recording;
  std::string no_snapshots, no_timelines;  ///< why there can be none; empty: there can
};

}  // namespace teslasim

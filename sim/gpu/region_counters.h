// SPDX-License-Identifier: Apache-2.0
// What the SMs of one region write during a launch and those of another must not: regions are simulated at once.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/inbox.h"
#include "sim/base/instruction_sum.h"
#include "sim/base/launch_statistics.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

/// Counters by instruction address, and the record of the instruction being issued. SMs of one region, which run one
/// after the other, share them: that keeps both in the host's cache.
class RegionCounters {
 public:
  static constexpr std::size_t usually_blamed = 8;
  /// `statistics` has its rows already and outlives the launch; the first region counts there.
  void begin(LaunchStatistics& statistics, std::size_t regions) {
    first_ = &statistics.pcs;
    others_.assign(regions - 1, statistics.pcs);
    for (std::vector<PcStatistics>& counted : others_) {
      for (PcStatistics& pc : counted) pc.blamed.reserve(usually_blamed);
    }
    performed_.resize(regions);
  }
  [[nodiscard]] std::vector<PcStatistics>& pcs(std::size_t region) {
    return region == 0 ? *first_ : others_[region - 1];
  }
  [[nodiscard]] WarpInst& performed(std::size_t region) { return performed_[region].record; }
  /// Adds what the others counted to the first.
  void finish() {
    for (const std::vector<PcStatistics>& counted : others_) add(*first_, counted);
    others_.clear();
  }

 private:
  struct alignas(host_line) Performed {
    WarpInst record;
  };
  std::vector<PcStatistics>* first_ = nullptr;
  std::vector<std::vector<PcStatistics>> others_;
  std::vector<Performed> performed_;
};

/// The earliest kernel error of a launch; of several at one time, that of the SM with the lowest number. Any thread may
/// tell; happens once or twice in a run.
class FirstFailure {
 public:
  void begin() {
    when_ = never;
    diagnostics_.clear();
  }
  /// `told` is called with the lock held.
  template <typename Told>
  void tell(SmIndex sm, Femtoseconds when, const InputError& error, Told&& told) {
    const std::scoped_lock lock(mutex_);
    if (std::pair(when, sm) < std::pair(when_, sm_)) {
      when_ = when;
      sm_ = sm;
      diagnostics_ = error.diagnostics();
    }
    told();
  }
  [[nodiscard]] bool happened() const { return when_ != never; }
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(diagnostics_); }

 private:
  std::mutex mutex_;
  Femtoseconds when_ = never;
  SmIndex sm_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace teslasim

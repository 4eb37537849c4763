// SPDX-License-Identifier: Apache-2.0
// All that a debugged launch is to be stopped for, under the numbers by which it is removed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/debugger/sm_events.h"
#include "sim/debugger/stops/breakpoint.h"
#include "sim/debugger/stops/stall_meter.h"
#include "sim/debugger/stops/watchpoint.h"
#include "sim/gpu/launch_stepper.h"

namespace teslasim {

/// Why a launch stops, and the warp that it is about.
struct StopReport {
  std::string text;  ///< lines
  SmIndex sm = 0;
  std::optional<WarpSlot> warp{};
};

class StopList final : public IssueListener {
 public:
  /// A launch begins.
  void begin(const HaltedLaunch& launch);
  /// Each returns what was added as one line of text.
  std::string add(DebugPlace place, std::vector<StopCondition> conditions, const Kernel& kernel);
  std::string add(bool shared, Address address, SmIndex sm, std::string text);
  std::string add(const StallLimit& limit, SmIndex sm);
  /// False: there is none of this number.
  bool remove(std::uint64_t number);
  /// One line each.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool empty() const { return breakpoints_.empty() && watchpoints_.empty() && stalls_.empty(); }
  /// Whether it is to be told of what issues.
  [[nodiscard]] bool watches() const;

  /// The launch halts: whether it is to stop here. What is found once is not found again.
  [[nodiscard]] std::optional<StopReport> check(const HaltedLaunch& launch, std::vector<SmEvents>& events);
  /// How far the launch may go on at once from where it halts.
  [[nodiscard]] SmCycle next_halt(const HaltedLaunch& launch);

  void issued(const Place& place, const WarpInst& record, SmCycle now) override;

 private:
  struct PlacedStop {
    Breakpoint place;
    bool fresh = true;                               ///< no warp has been looked at
    std::vector<std::vector<std::uint64_t>> seen{};  ///< positions + 1 of warps that were, by SM and slot
  };
  struct Watched {
    Watchpoint place;
    std::vector<std::uint32_t> before{};  ///< shared memory: the word, by warp slot
  };
  struct StallStop {
    unsigned number = 0;
    StallLimit limit;
    SmIndex sm = 0;
    StallMeter meter{};
    SmCycle begin = 0;  ///< of what the meter has
  };

  void look_at_sm(const HaltedLaunch& launch, const SmEvents& events, unsigned sm, bool changed,
                  std::optional<StopReport>& report);
  void add_arrival(const PlacedStop& stop, const HaltedLaunch& launch, unsigned sm, const WarpView& warp,
                   std::optional<StopReport>& report);
  void look_at_joins(const Place& place, SmCycle now);
  void keep_shared_words(const HaltedLaunch& launch);
  void measure(const HaltedLaunch& launch, SmCycle end);
  void check_stalls(const HaltedLaunch& launch, std::optional<StopReport>& report);
  void add_hit(const Watchpoint& watchpoint, const WordWrite& write, const Place& place, const WarpInst& record,
               SmCycle now);

  unsigned last_number_ = 0;
  std::vector<PlacedStop> breakpoints_;
  std::vector<Watched> watchpoints_;
  std::vector<StallStop> stalls_;
  const HaltedLaunch* launch_ = nullptr;  ///< under way
  std::optional<StopReport> hits_;        ///< of watchpoints, since the last check
  SmCycle measured_ = 0;                  ///< the meters have the cycles before it
  unsigned others_ = 0;                   ///< warps beside the first one of a report
};

}  // namespace teslasim

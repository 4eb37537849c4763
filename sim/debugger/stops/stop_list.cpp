// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/stops/stop_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "isa/disassembler.h"
#include "sim/debugger/stops/join_arrivals.h"
#include "sim/debugger/views/warp_text.h"

namespace teslasim {
namespace {

std::string place_of(const Instruction& instruction, const Kernel& kernel) {
  return fmt::format("{:#06x}  {}", instruction.pc, to_text(instruction, &kernel));
}

/// Warps of the SM, for those who want each block's.
std::vector<WarpView> warps_of(const HaltedLaunch& launch, unsigned sm) {
  std::vector<WarpView> warps;
  launch.sms[sm]->view_warps(warps);
  return warps;
}

}  // namespace

void StopList::begin(const HaltedLaunch& launch) {
  launch_ = &launch;
  hits_.reset();
  measured_ = 0;
  for (PlacedStop& stop : breakpoints_) {
    stop.place.resolve(*launch.launch->kernel);
    stop.fresh = true;
    stop.seen.clear();
  }
  for (StallStop& stall : stalls_) {
    stall.meter.begin();
    stall.begin = 0;
  }
  keep_shared_words(launch);
}

std::string StopList::add(DebugPlace place, std::vector<StopCondition> conditions, const Kernel& kernel) {
  Breakpoint breakpoint(++last_number_, std::move(place), std::move(conditions));
  breakpoint.resolve(kernel);
  breakpoints_.push_back({std::move(breakpoint)});
  return fmt::format("breakpoint {}: {}\n", last_number_, breakpoints_.back().place.text());
}

std::string StopList::add(bool shared, Address address, SmIndex sm, std::string text) {
  watchpoints_.push_back({Watchpoint(++last_number_, shared, address, sm, std::move(text))});
  if (launch_ != nullptr) keep_shared_words(*launch_);
  const Watchpoint& place = watchpoints_.back().place;
  return fmt::format("watchpoint {}: {} at {:#x}\n", last_number_, place.text(), address);
}

std::string StopList::add(const StallLimit& limit, SmIndex sm) {
  stalls_.push_back({++last_number_, limit, sm});
  stalls_.back().begin = launch_ == nullptr ? SmCycle{0} : launch_->now;
  if (launch_ != nullptr && stalls_.size() == 1) measured_ = launch_->now;
  return fmt::format("breakpoint {}: stall {} > {} % on SM {}\n", last_number_, limit.state, limit.percent, sm);
}

bool StopList::remove(std::uint64_t number) {
  const std::size_t removed =
      std::erase_if(breakpoints_, [number](const PlacedStop& one) { return one.place.number() == number; }) +
      std::erase_if(watchpoints_, [number](const Watched& one) { return one.place.number() == number; }) +
      std::erase_if(stalls_, [number](const StallStop& one) { return one.number == number; });
  return removed != 0;
}

std::string StopList::text() const {
  std::vector<std::pair<unsigned, std::string>> lines;
  for (const PlacedStop& stop : breakpoints_)
    lines.emplace_back(stop.place.number(), "breakpoint  " + stop.place.text());
  for (const Watched& watched : watchpoints_) {
    const Watchpoint& place = watched.place;
    lines.emplace_back(place.number(), fmt::format("watchpoint  {} at {:#x}{}", place.text(), place.address(),
                                                   place.shared() ? fmt::format(" of SM {}", place.sm()) : ""));
  }
  for (const StallStop& stall : stalls_) {
    lines.emplace_back(stall.number, fmt::format("breakpoint  stall {} > {} % on SM {}", stall.limit.state,
                                                 stall.limit.percent, stall.sm));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto& [number, line] : lines) text += fmt::format("{:>3}  {}\n", number, line);
  return text.empty() ? "there are no breakpoints and no watchpoints\n" : text;
}

void StopList::add_arrival(const PlacedStop& stop, const HaltedLaunch& launch, unsigned sm, const WarpView& warp,
                           std::optional<StopReport>& report) {
  if (report) {
    ++others_;
    return;
  }
  report =
      StopReport{fmt::format("breakpoint {}: SM {} warp {} (block {}, number {}) is at {}\n  cycle {}, lanes {:08x}\n",
                             stop.place.number(), sm, warp.slot, warp.block, warp.number,
                             place_of(*warp.next, *launch.launch->kernel), sp_cycles(launch.now).count(), warp.active),
                 sm, warp.slot};
}

void StopList::look_at_sm(const HaltedLaunch& launch, const SmEvents& events, unsigned sm, bool changed,
                          std::optional<StopReport>& report) {
  const bool fresh =
      std::any_of(breakpoints_.begin(), breakpoints_.end(), [](const PlacedStop& one) { return one.fresh; });
  if (!changed && !fresh) return;
  for (const WarpView& warp : warps_of(launch, sm)) {
    if (warp.next == nullptr || warp.begun) continue;
    const std::uint64_t position = events.position_of(warp.slot) + 1;
    const StandingWarp standing{sm, warp.block, warp.number, launched_lanes(*launch.launch, warp.number), warp.active};
    bool arrives = false;
    for (PlacedStop& stop : breakpoints_) {
      stop.seen.resize(launch.sms.size());
      stop.seen[sm].resize(launch.sms[sm]->warp_slots());
      if (std::exchange(stop.seen[sm][warp.slot], position) == position) continue;
      if (arrives || !stop.place.stops(warp.next->index, standing)) continue;
      arrives = true;
      add_arrival(stop, launch, sm, warp, report);
    }
  }
}

std::optional<StopReport> StopList::check(const HaltedLaunch& launch, std::vector<SmEvents>& events) {
  std::optional<StopReport> report = std::exchange(hits_, std::nullopt);
  std::optional<StopReport> arrivals;
  others_ = 0;
  for (unsigned sm = 0; sm < events.size(); ++sm) {
    const bool changed = events[sm].take_change();
    if (!breakpoints_.empty()) look_at_sm(launch, events[sm], sm, changed, arrivals);
  }
  for (PlacedStop& stop : breakpoints_) stop.fresh = false;
  if (others_ != 0) arrivals->text += fmt::format("  {} more warps come to a breakpoint in this cycle\n", others_);
  if (arrivals && report) report->text += arrivals->text;
  if (!report) report = std::move(arrivals);
  keep_shared_words(launch);
  measure(launch, launch.now);
  check_stalls(launch, report);
  return report;
}

bool StopList::watches() const {
  return !watchpoints_.empty() || std::any_of(breakpoints_.begin(), breakpoints_.end(),
                                              [](const PlacedStop& one) { return one.place.stops_at_joins(); });
}

/// Between the instruction that has issued and the next one the lanes of a path wait at a join for others.
void StopList::look_at_joins(const Place& place, SmCycle now) {
  const Kernel& kernel = *launch_->launch->kernel;
  const std::vector<JoinArrival> arrivals = join_arrivals(launch_->streams[place.sm]->control(place.warp), kernel);
  if (arrivals.empty()) return;
  const std::vector<WarpView> warps = warps_of(*launch_, place.sm);
  const auto warp =
      std::find_if(warps.begin(), warps.end(), [&place](const WarpView& one) { return one.slot == place.warp; });
  if (warp == warps.end()) return;
  for (const JoinArrival& arrival : arrivals) {
    const StandingWarp standing{place.sm, place.block, warp->number, launched_lanes(*launch_->launch, warp->number),
                                arrival.lanes};
    for (const PlacedStop& stop : breakpoints_) {
      if (!stop.place.stops_at_joins() || !stop.place.stops(arrival.index, standing)) continue;
      if (!hits_) hits_ = StopReport{"", place.sm, place.warp};
      hits_->text += fmt::format(
          "breakpoint {}: lanes {:08x} of SM {} warp {} (block {}, number {}) come to the join at {}\n  cycle {}\n",
          stop.place.number(), arrival.lanes, place.sm, place.warp, place.block, warp->number,
          place_of(kernel.code[arrival.index], kernel), sp_cycles(now).count());
    }
  }
}

/// What a store overwrites can no longer be read when it is told.
void StopList::keep_shared_words(const HaltedLaunch& launch) {
  for (Watched& watched : watchpoints_) {
    if (!watched.place.shared()) continue;
    const unsigned sm = watched.place.sm();
    watched.before.assign(launch.sms[sm]->warp_slots(), 0);
    for (const WarpView& warp : warps_of(launch, sm)) {
      const WarpValues values = launch.streams[sm]->values(warp.slot);
      if (values.known()) std::memcpy(&watched.before[warp.slot], values.shared + watched.place.address(), 4);
    }
  }
}

void StopList::measure(const HaltedLaunch& launch, SmCycle end) {
  if (measured_ >= end) return;
  for (StallStop& stall : stalls_) stall.meter.add(*launch.sms[stall.sm], warps_of(launch, stall.sm), measured_, end);
  measured_ = end;
}

void StopList::check_stalls(const HaltedLaunch& launch, std::optional<StopReport>& report) {
  if (launch.now % StallMeter::interval != 0) return;
  for (StallStop& stall : stalls_) {
    const StallMeter::Share share = stall.meter.share_of(stall.limit.state);
    const SmCycle begin = std::exchange(stall.begin, launch.now);
    stall.meter.begin();
    if (share.whole == 0 || !share.above(stall.limit.percent)) continue;
    const double percent = 100.0 * static_cast<double>(share.part) / static_cast<double>(share.whole);
    const std::string text =
        fmt::format("breakpoint {}: {} has {:.1f} % ({} of {}) of the warp cycles of SM {} in cycles {}-{}\n",
                    stall.number, stall.limit.state, percent, share.part, share.whole, stall.sm,
                    sp_cycles(begin).count(), sp_cycles(launch.now).count());
    if (!report) report = StopReport{"", stall.sm, std::nullopt};
    report->text += text;
  }
}

SmCycle StopList::next_halt(const HaltedLaunch& launch) {
  if (launch.next == never) return never;
  if (stalls_.empty()) return launch.next + 1;
  // Until something happens the states are those of now.
  const SmCycle edge = (launch.now / StallMeter::interval + 1) * StallMeter::interval;
  measure(launch, lesser(launch.next, edge));
  return lesser(launch.next + 1, edge);
}

void StopList::add_hit(const Watchpoint& watchpoint, const WordWrite& write, const Place& place, const WarpInst& record,
                       SmCycle now) {
  const auto lane = static_cast<unsigned>(std::bit_width(write.lanes)) - 1;
  const std::string what = write.operation.empty()
                               ? fmt::format("writes {:#010x}, old {:#010x}", write.new_value, write.old_value)
                               : fmt::format("does atomic {} with {:#010x}, old {:#010x}", write.operation,
                                             write.new_value, write.old_value);
  const std::string text =
      fmt::format("watchpoint {} {}: SM {} warp {} (block {}) lane {} {}\n  issued in cycle {}, lanes {:08x}, {}\n",
                  watchpoint.number(), watchpoint.text(), place.sm, place.warp, place.block, lane, what,
                  sp_cycles(now).count(), write.lanes, place_of(*record.instruction, *launch_->launch->kernel));
  if (!hits_) hits_ = StopReport{"", place.sm, place.warp};
  hits_->text += text;
}

void StopList::issued(const Place& place, const WarpInst& record, SmCycle now) {
  if (!breakpoints_.empty()) look_at_joins(place, now);
  for (const Watched& watched : watchpoints_) {
    const Watchpoint& watchpoint = watched.place;
    if (!watchpoint.shared()) {
      if (const auto write = watchpoint.write_of(record, *launch_->launch->memory))
        add_hit(watchpoint, *write, place, record, now);
      continue;
    }
    if (watchpoint.sm() != place.sm) continue;
    const WarpValues values = launch_->streams[place.sm]->values(place.warp);
    if (!values.known()) continue;
    if (const auto write =
            watchpoint.write_of(record, watched.before[place.warp], values.shared + watchpoint.address()))
      add_hit(watchpoint, *write, place, record, now);
  }
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/clock_domain.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

ClockDomain::ClockDomain(const sc_core::sc_module_name& name, Femtoseconds period, Sleeping sleeping)
    : TracedModule(name), period_(period), sleeping_(sleeping) {
  SIM_CHECK(period > 0, "a clock period must be positive");
  constexpr unsigned cycle_bits = 48;
  show("cycle", cycle_bits, [](std::uint64_t now) { return now; });
}

std::size_t ClockDomain::subscribe(Clocked& unit, std::string name) {
  units_.push_back(&unit);
  names_.push_back(std::move(name));
  wanted_.push_back(0);
  earliest_.resize(((wanted_.size() - 1) >> group_bits) + 1, 0);
  return units_.size() - 1;
}

void ClockDomain::fail_late(std::size_t id, Femtoseconds when) const {
  SIM_CHECK(false, names_[id] + " was woken for " + std::to_string(when.count()) + " fs, but its clock " +
                       this->name() + " has already run to " + std::to_string(frontier_.count()) +
                       " fs: a message came with too short a latency");
}

void ClockDomain::wake(std::size_t id, Femtoseconds when) {
  if (when < frontier_) [[unlikely]]
    fail_late(id, when);
  if (when >= wanted_[id]) return;
  wanted_[id] = when;
  earliest_[id >> group_bits] = lesser(earliest_[id >> group_bits], when);
  if (when + period_ <= next_wanted_) next_wanted_ = edge_at_or_after(when, period_);
}

void ClockDomain::begin_launch() {
  frontier_ = 0;
  next_wanted_ = units_.empty() ? never : 0;
  std::fill(wanted_.begin(), wanted_.end(), 0);
  std::fill(earliest_.begin(), earliest_.end(), 0);
}

void ClockDomain::pass(Femtoseconds time) {
  SIM_CHECK(next_wanted_ >= time, "a clock was made to skip an edge at which a unit wants to work");
  frontier_ = greater(frontier_, time);
}

Femtoseconds ClockDomain::next_edge() const {
  if (sleeping_ == Sleeping::on || units_.empty()) return next_wanted_;
  return edge_at_or_after(frontier_, period_);
}

template <class Run>
inline Femtoseconds ClockDomain::run_units(Femtoseconds horizon, const Run& run) {
  const Femtoseconds last = sleeping_ == Sleeping::off ? Femtoseconds{never} : horizon - 1;
  const Femtoseconds* const wanted = wanted_.data();
  for (std::size_t group = 0; group < earliest_.size(); ++group) {
    if (earliest_[group] > last) continue;
    const std::size_t end = std::min((group + 1) << group_bits, units_.size());
    earliest_[group] = never;  // a unit that wakes one which has run lowers it
    Femtoseconds earliest = never;
    for (std::size_t id = group << group_bits; id < end; ++id) {
      if (wanted[id] <= last) run(id);
      earliest = lesser(earliest, wanted[id]);
    }
    earliest_[group] = lesser(earliest_[group], earliest);
  }
  // After the last group: a unit may have woken one of an earlier group.
  Femtoseconds earliest = never;
  for (const Femtoseconds of_group : earliest_) earliest = lesser(earliest, of_group);
  return earliest;
}

void ClockDomain::run_edge(Femtoseconds edge) {
  frontier_ = edge + 1;
  const Femtoseconds earliest = run_units(frontier_, [this, edge](std::size_t id) {
    wanted_[id] = never;
    const Femtoseconds wanted = units_[id]->advance(edge, frontier_);
    wanted_[id] = lesser(wanted_[id], wanted);
  });
  const Femtoseconds following = edge + period_;
  next_wanted_ = earliest <= following ? following : edge_at_or_after(earliest, period_);
  if (listener_) listener_(edge);
}

void ClockDomain::run_unit_ahead(std::size_t id, Femtoseconds first_edge, Femtoseconds horizon) {
  Femtoseconds now = first_edge;
  if (sleeping_ == Sleeping::off) {
    for (; now < horizon; now += period_) {
      wanted_[id] = never;
      wanted_[id] = lesser(units_[id]->advance(now, now + 1), wanted_[id]);
    }
    return;
  }
  Femtoseconds wanted = wanted_[id];
  for (;;) {
    if (wanted > now) now = edge_at_or_after(wanted, period_);
    if (now >= horizon) break;
    wanted_[id] = never;
    wanted = units_[id]->advance(now, horizon);
    if (wanted >= horizon) break;
    now += period_;
  }
  wanted_[id] = lesser(wanted, wanted_[id]);
}

void ClockDomain::run_ahead(Femtoseconds horizon) {
  const Femtoseconds first_edge = edge_at_or_after(frontier_, period_);
  frontier_ = greater(frontier_, horizon);
  if (next_wanted_ >= horizon && sleeping_ == Sleeping::on) {
    if (listener_) listener_(first_edge);
    return;
  }
  const Femtoseconds earliest = run_units(horizon, [&](std::size_t id) { run_unit_ahead(id, first_edge, horizon); });
  next_wanted_ = edge_at_or_after(greater(earliest, frontier_), period_);
  if (listener_) listener_(first_edge);
}

void ClockDomain::describe_pending(std::vector<std::string>& lines) const {
  std::vector<std::string> held;
  for (std::size_t id = 0; id < units_.size(); ++id) {
    held.clear();
    units_[id]->describe_pending(held);
    for (const std::string& line : held) lines.push_back(names_[id] + ": " + line);
  }
}

}  // namespace teslasim

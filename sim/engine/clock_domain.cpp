// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/clock_domain.h"

#include <algorithm>
#include <bit>
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
  const std::size_t id = units_.size() - 1;
  if (id % group_units == 0) {
    groups_.emplace_back().fill(never);
    earliest_.push_back(0);
  }
  wanted(id) = 0;
  return id;
}

void ClockDomain::fail_late(std::size_t id, Femtoseconds when) const {
  SIM_CHECK(false, names_[id] + " was woken for " + std::to_string(when.count()) + " fs, but its clock " +
                       this->name() + " has already run to " + std::to_string(frontier_.count()) +
                       " fs: a message came with too short a latency");
}

void ClockDomain::wake(std::size_t id, Femtoseconds when) {
  if (when < frontier_) [[unlikely]]
    fail_late(id, when);
  if (when >= wanted(id)) return;
  wanted(id) = when;
  Femtoseconds& earliest = earliest_[id / group_units];
  earliest = lesser(earliest, when);
  if (when + period_ <= next_wanted_) next_wanted_ = edge_at_or_after(when, period_);
}

void ClockDomain::begin_launch() {
  frontier_ = 0;
  next_wanted_ = units_.empty() ? never : 0;
  for (std::size_t id = 0; id < units_.size(); ++id) wanted(id) = 0;
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
inline void ClockDomain::run_group(std::size_t number, const Span& span, const Run& run) {
  Group& group = groups_[number];
  // All comparisons first, without a branch for each: which units are due is as good as random.
  unsigned due = 0;
  for (unsigned i = group_units; i-- > 0;) due = due + due + (group[i] < span.horizon ? 1U : 0U);
  if (sleeping_ == Sleeping::off)
    due = (1U << std::min<std::size_t>(units_.size() - number * group_units, group_units)) - 1;
  Femtoseconds earliest = never;
  for (; due != 0; due &= due - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(due));
    run(*units_[number * group_units + i], group[i]);
    earliest = lesser(earliest, group[i]);
  }
  // When one of them works at the next edge too, the whole group is looked at there anyway.
  if (earliest > span.next_edge) {
    for (const Femtoseconds wanted : group) earliest = lesser(earliest, wanted);
  }
  earliest_[number] = earliest;
}

template <class Run>
inline Femtoseconds ClockDomain::run_units(const Span& span, const Run& run) {
  for (std::size_t group = 0; group < earliest_.size(); ++group) {
    if (earliest_[group] < span.horizon || sleeping_ == Sleeping::off) run_group(group, span, run);
  }
  // After the last group: a unit may have woken one of an earlier group.
  Femtoseconds earliest = never;
  for (const Femtoseconds of_group : earliest_) earliest = lesser(earliest, of_group);
  return earliest;
}

Femtoseconds ClockDomain::run_few(Femtoseconds edge) {
  Group& group = groups_.front();
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (group[i] > edge && sleeping_ == Sleeping::on) continue;
    group[i] = never;
    const Femtoseconds next = units_[i]->advance(edge, edge + 1);
    group[i] = lesser(next, group[i]);  // it may have been woken meanwhile
  }
  Femtoseconds earliest = never;
  for (std::size_t i = 0; i < units_.size(); ++i) earliest = lesser(earliest, group[i]);
  earliest_.front() = earliest;
  return earliest;
}

void ClockDomain::run_edge(Femtoseconds edge) {
  frontier_ = edge + 1;
  const Femtoseconds following = edge + period_;
  const auto at_edge = [edge](Clocked& unit, Femtoseconds& wanted) {
    wanted = never;
    const Femtoseconds next = unit.advance(edge, edge + 1);
    wanted = lesser(next, wanted);  // it may have been woken meanwhile
  };
  const bool few = units_.size() <= few_units && !units_.empty();
  const Femtoseconds earliest = few ? run_few(edge) : run_units({edge + 1, following}, at_edge);
  next_wanted_ = earliest <= following ? following : edge_at_or_after(earliest, period_);
  if (listener_) listener_(edge);
}

void ClockDomain::run_unit_ahead(Clocked& unit, Femtoseconds& wanted, Femtoseconds now, const Reach& reach) const {
  const Femtoseconds horizon = reach.horizon;
  if (sleeping_ == Sleeping::off) {
    for (; now < horizon; now += period_) {
      wanted = never;
      const Femtoseconds next = unit.advance(now, now + 1);
      wanted = lesser(next, wanted);
    }
    return;
  }
  Femtoseconds next = wanted;
  for (;;) {
    if (next > now) now = edge_at_or_after(next, period_);
    if (now >= horizon) break;
    wanted = never;
    next = unit.advance_ahead(now, reach);
    if (next >= horizon) break;
    now += period_;
  }
  wanted = lesser(next, wanted);
}

void ClockDomain::run_ahead(const Reach& reach) {
  const Femtoseconds horizon = reach.horizon;
  const Femtoseconds first_edge = edge_at_or_after(frontier_, period_);
  frontier_ = greater(frontier_, horizon);
  if (next_wanted_ >= horizon && sleeping_ == Sleeping::on) {
    if (listener_) listener_(first_edge);
    return;
  }
  const Femtoseconds earliest = run_units({horizon, horizon}, [&](Clocked& unit, Femtoseconds& wanted) {
    run_unit_ahead(unit, wanted, first_edge, reach);
  });
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

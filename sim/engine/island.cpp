// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/island.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {
/// How often the host side may look: often enough for Ctrl-C (some 100 ms of host time on a busy GPU), rare enough to
/// cost nothing.
constexpr unsigned edges_between_looks = 4096, windows_between_looks = 192;
/// With regions at once: enough that the meeting of the threads behind them costs little.
constexpr std::uint64_t quanta_in_one_go = 16;
/// Cycles of the look-ahead domain in a window, which no quantum leaves: enough that quanta cut short cost little.
constexpr std::uint64_t window_cycles = 256;
}  // namespace

Island::Island(const sc_core::sc_module_name& name, ClockDomain& ahead, std::vector<ClockDomain*> others,
               unsigned look_ahead)
    : sc_module(name), ahead_{&ahead}, others_(std::move(others)), quantum_(look_ahead * ahead.period()) {
  SIM_CHECK(std::find(others_.begin(), others_.end(), &ahead) == others_.end(),
            "the look-ahead domain is listed twice");
  SC_HAS_PROCESS(Island);
  SC_METHOD(activate);
  sensitive << wake_up_;
}

Island::Island(const sc_core::sc_module_name& name, const std::vector<Region*>& regions, unsigned look_ahead,
               unsigned threads)
    : sc_module(name), regions_(std::make_unique<ParallelRegions>(regions, threads)) {
  for (const Region* region : regions) {
    if (region->ahead() != nullptr) ahead_.push_back(region->ahead());
    others_.insert(others_.end(), region->others().begin(), region->others().end());
  }
  SIM_CHECK(!ahead_.empty() && look_ahead != 0, "regions need a domain that runs ahead");
  quantum_ = look_ahead * ahead_.front()->period();
  SC_HAS_PROCESS(Island);
  SC_METHOD(activate);
  sensitive << wake_up_;
}

void Island::begin_launch() {
  const Femtoseconds last = sc_core::sc_time_stamp().value();
  // A new launch starts after everything that the last one has run: its last activation reached one quantum.
  origin_ = launched_ ? last + greater(quantum_, ahead_.front()->period()) : last;
  launched_ = true;
  scheduled_ = 0;
  now_ = 0;
  stop_ = never;
  interrupted_ = false;
  window_ = 0;
  failure_ = nullptr;
  answers_owed_ = 0;
  for (ClockDomain* domain : ahead_) domain->begin_launch();
  for (ClockDomain* domain : others_) domain->begin_launch();
  if (regions_) regions_->begin_launch(at_once() ? Region::Delivery::next_quantum : Region::Delivery::at_once);
}

void Island::run_until(Femtoseconds limit) {
  limit_ = limit;
  interrupted_ = false;
  asleep_ = schedule();
  if (asleep_) sc_core::sc_start();
  asleep_ = false;
  // Processes outside may still have to react to what was said last: SystemC cannot shut down while one is due.
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (at_once()) regions_->deliver();
}

void Island::stop_after(Femtoseconds now) {
  stop_ = lesser(stop_, window_end(now));
}

Femtoseconds Island::window_end(Femtoseconds time) const {
  const Femtoseconds window = window_cycles * ahead_.front()->period();
  return (time / window + 1) * window;
}

Femtoseconds Island::next_wanted() const {
  if (at_once()) return regions_->next_wanted();
  Femtoseconds next = never;
  for (const ClockDomain* domain : ahead_) next = lesser(next, domain->next_wanted());
  for (const ClockDomain* domain : others_) next = lesser(next, domain->next_wanted());
  return next;
}

Femtoseconds Island::next_edge() const {
  if (next_wanted() == never) return never;
  if (at_once()) return regions_->next_edge();
  Femtoseconds next = never;
  for (const ClockDomain* domain : ahead_) next = lesser(next, domain->next_edge());
  for (const ClockDomain* domain : others_) next = lesser(next, domain->next_edge());
  return next;
}

/// Arms the next activation, if there is to be one.
bool Island::schedule() {
  if (failure_ || interrupted_) return false;
  const Femtoseconds next = next_edge();
  if (next >= end()) {
    if (answers_owed_ != 0 && wait_for_answer()) return true;
    // Nothing wants to work before the end, so time has passed up to there (unless all are idle for ever).
    if (next != never || end() != never) now_ = greater(now_, end());
    return false;
  }
  scheduled_ = quantum_ == 0 ? next : next / quantum_ * quantum_;
  wake_at(scheduled_);
  return true;
}

void Island::wake_at(Femtoseconds local) {
  const std::uint64_t time = (origin_ + local).count();
  const std::uint64_t current = sc_core::sc_time_stamp().value();
  // A quantum that was cut short by a limit goes on at its own time: nothing to wait for.
  wake_up_.notify(time > current ? sc_core::sc_time::from_value(time - current) : sc_core::SC_ZERO_TIME);
}

/// An answer may still wake a unit before the end. False: that time is over.
bool Island::wait_for_answer() {
  if (stop_ != never || (limit_ != never && present() >= limit_)) return false;
  scheduled_ = never;
  if (limit_ != never) wake_at(limit_);
  return true;
}

void Island::expect_answer() {
  SIM_CHECK(quantum_ == 0, "processes outside of the island are heard in exact mode only");
  ++answers_owed_;
}

void Island::answer_came() {
  --answers_owed_;
  woken_from_outside();
}

void Island::woken_from_outside() {
  if (!asleep_) return;  // an activation is under way and looks for the next edge itself
  asleep_ = schedule();
  if (!asleep_) sc_core::sc_pause();
}

void Island::activate() {
  if (!launched_) return;  // SystemC runs every process once when it initialises
  // Woken twice at one time, once as planned and once from outside: the second time has nothing to do yet.
  if (scheduled_ != never && present() < scheduled_) return wake_at(scheduled_);
  ++activations_;
  asleep_ = false;
  try {
    if (scheduled_ == never) {
      // Only the limit was reached.
    } else if (quantum_ == 0) {
      run_exact();
    } else {
      run_quantum();
    }
  } catch (...) {
    // SystemC would replace the exception by a report of its own: keep it for run_until.
    failure_ = std::current_exception();
  }
  asleep_ = schedule();
  if (!asleep_) sc_core::sc_pause();
}

void Island::run_quantum() {
  const Femtoseconds start = greater(now_, scheduled_), most = lesser(end(), window_end(start));
  if (const Femtoseconds window = window_end(start); window_ != window) {
    window_ = window;
    // No unit has run beyond the window before.
    now_ = start;
    if (look_after(windows_between_looks)) return;
  }
  now_ = lesser(scheduled_ + quantum_, most);
  if (at_once()) return run_regions(start, most);
  for (ClockDomain* domain : others_) domain->pass(start);
  // What looks at several units at a time sees none further ahead than the quantum.
  const Femtoseconds furthest = order_ == Order::of_time ? now_ : most;
  for (ClockDomain* domain : ahead_) domain->run_ahead({now_, furthest, start});
  run_others(now_);
}

/// The quantum from `start` to now_, and more of them up to `most`.
void Island::run_regions(Femtoseconds start, Femtoseconds most) {
  const Femtoseconds middle = now_;
  const std::uint64_t whole = std::min<std::uint64_t>(quanta_in_one_go, (most - scheduled_) / quantum_);
  if (regions_->others_idle_until(middle)) {
    now_ = lesser(middle + quantum_, most);
    regions_->run_quantum({start, middle, now_, most});
  } else if (whole > 1 && regions_->many_busy_until(middle)) {
    now_ = scheduled_ + whole * quantum_;
    regions_->run_quanta({start, middle, middle, most}, quantum_, static_cast<unsigned>(whole));
  } else {
    regions_->run_quantum({start, middle, middle, most});
  }
}

void Island::run_others(Femtoseconds horizon) {
  if (others_.size() == 2) return run_both(*others_[0], *others_[1], horizon);
  for (;;) {
    Femtoseconds edge = never;
    for (const ClockDomain* domain : others_) edge = lesser(edge, domain->next_edge());
    if (edge >= horizon || edge >= stop_) return;
    for (ClockDomain* domain : others_) {
      if (domain->next_edge() == edge) domain->run_edge(edge);
    }
  }
}

/// The same for two. What one sends at an edge lies later, so the other's next edge does not become this one.
void Island::run_both(ClockDomain& first, ClockDomain& second, Femtoseconds horizon) {
  for (;;) {
    const Femtoseconds of_first = first.next_edge(), of_second = second.next_edge();
    const Femtoseconds edge = lesser(of_first, of_second);
    if (edge >= horizon || edge >= stop_) return;
    if (of_first == edge) first.run_edge(edge);
    if (of_second == edge) second.run_edge(edge);
  }
}

void Island::run_exact() {
  const Femtoseconds edge = scheduled_;
  for (ClockDomain* domain : others_) domain->pass(edge);
  for (ClockDomain* domain : ahead_) {
    if (domain->next_edge() == edge) domain->run_ahead({edge + 1, edge + 1, edge});
  }
  for (ClockDomain* domain : others_) {
    if (domain->next_edge() == edge) domain->run_edge(edge);
  }
  now_ = edge + 1;
  look_after(edges_between_looks);
}

/// Every so many `steps` the watcher is asked. True: it wants to stop.
bool Island::look_after(unsigned steps) {
  if (++steps_ < steps) return false;
  steps_ = 0;
  if (watcher_ && watcher_(now_) == Wish::stop) interrupted_ = true;
  return interrupted_;
}

std::vector<std::string> Island::describe_pending() const {
  std::vector<std::string> lines;
  for (const ClockDomain* domain : ahead_) domain->describe_pending(lines);
  for (const ClockDomain* domain : others_) domain->describe_pending(lines);
  return lines;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The scheduler of simulated time: one SystemC process for a whole group of clock domains.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/clock_domain.h"
#include "sim/engine/parallel_regions.h"

namespace teslasim {

/// Runs the clock domains of one chip. Stands for no hardware: it is the only SC_METHOD of the model.
///
/// Each activation covers one quantum of N cycles of the look-ahead domain (the SMs). First every SM runs alone to the
/// end of the quantum, the horizon; then the edges of the other domains are run in the order of time up to the horizon;
/// then the island notifies itself for the first quantum in which any unit wants to work, so that sleeping is
/// arithmetic and costs no events. With N = 0 (exact mode, for waveforms) each edge is an activation at its own SystemC
/// time.
///
/// Why all N give the same results: units affect each other only by messages that carry a time stamp later than the
/// sender's now, and a receiver takes a message only at an edge that is not before the stamp. (1) What an SM sends
/// inside the quantum is in the inbox before the other domains run the quantum, and is taken by the stamp, not by
/// arrival. (2) What an SM receives inside the quantum is stamped at or after the horizon as long as the link's latency
/// is at least the quantum: no message can reach back into cycles that the SM has already run. ClockDomain::wake checks
/// this for every message. (3) Other domains run in the order of time, so that whatever is sent at an edge lies in the
/// future of all of them. Hence each unit sees, at each of its edges, the same messages in the same order for any N,
/// any order of the units within a domain, and sleeping or not. What bounds N is therefore the shortest latency of a
/// link into the look-ahead domain: see longest_look_ahead.
///
/// A unit that knows how long messages to it take, and what it waits for, may go on beyond the quantum, to the end of
/// the window (`stop_after`) at most (Reach): what it sends is stamped all the same, and nothing that it does not know
/// yet can come. So its state stays in the host's caches for hundreds of cycles.
///
/// A chip in several regions (Region) has domains of its own in each, and several threads run a quantum. The same holds
/// for every link between two regions then: its latency is at least the quantum, so all regions run it at once; while
/// little works, it is twice as long (ParallelRegions), while much does, several are run in one go (StaggeredQuanta).
/// In order, for what looks at several regions at a time, the same island runs as if all clocks were in one region.
class Island final : public sc_core::sc_module {
 public:
  enum class Wish : std::uint8_t { go_on, stop };
  /// Called every few thousand quanta while the host waits, when all units have run to the same time.
  using Watcher = std::function<Wish(Femtoseconds now)>;

  /// `look_ahead` = N, in cycles of `ahead`; 0 = exact. `ahead` must not be among `others`.
  Island(const sc_core::sc_module_name& name, ClockDomain& ahead, std::vector<ClockDomain*> others,
         unsigned look_ahead);
  /// The same for a chip in `regions`, by number, which run on `threads` threads; `look_ahead` is 1 at least. The
  /// domains that run ahead have one period.
  Island(const sc_core::sc_module_name& name, const std::vector<Region*>& regions, unsigned look_ahead,
         unsigned threads);

  /// The largest N for which `shortest_link`, the smallest latency of a message into the look-ahead domain, is enough.
  [[nodiscard]] static unsigned longest_look_ahead(Femtoseconds shortest_link, Femtoseconds period) {
    return static_cast<unsigned>(shortest_link / period);
  }

  /// Local time restarts at 0 and every unit is wanted at its first edge. Reset the units before running on.
  void begin_launch();
  /// From the next launch on: all edges in the order of time, on one thread; or the regions at once.
  enum class Order : std::uint8_t { of_time, regions_at_once };
  void set_order(Order order) { order_ = order; }
  /// Runs all edges before `limit`, or to the first of: nothing wanted, stop_after, the watcher's wish to stop.
  /// Rethrows what a unit threw. Can be called again to go on.
  void run_until(Femtoseconds limit);
  /// Called by a unit: nothing is run behind the window that `now` is in. Windows are of one length, and no quantum
  /// leaves one, so that all units stop at the same time for any N and any number of threads. Not to be called by two
  /// threads at once.
  void stop_after(Femtoseconds now);

  void set_watcher(Watcher watcher) { watcher_ = std::move(watcher); }
  /// Edges before this have been run, all others have not (the look-ahead domain may be further).
  [[nodiscard]] Femtoseconds now() const { return now_; }
  /// The next edge that any unit asked for, or `never`.
  [[nodiscard]] Femtoseconds next_wanted() const;
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  /// All has been run that `stop_after` leaves to run.
  [[nodiscard]] bool stopped() const { return stop_ != never && now_ >= stop_; }
  [[nodiscard]] std::uint64_t activations() const { return activations_; }
  [[nodiscard]] std::vector<std::string> describe_pending() const;

  // ---- for a unit that talks to SystemC processes outside of the island (exact mode only)
  /// Local time of SystemC's present.
  [[nodiscard]] Femtoseconds present() const {
    const std::uint64_t time = sc_core::sc_time_stamp().value();
    return time < origin_ ? 0 : time - origin_;  // an answer to the launch before comes first
  }
  /// An answer is owed by a process outside: until it comes, the run does not end when nothing is wanted.
  void expect_answer();
  /// One of these answers came. The unit must have been woken before.
  void answer_came();
  /// A process outside made a unit want something, and the unit was woken.
  void woken_from_outside();

 private:
  void activate();
  void run_quantum();
  void run_regions(Femtoseconds start, Femtoseconds most);
  [[nodiscard]] Femtoseconds window_end(Femtoseconds time) const;
  void run_exact();
  void run_others(Femtoseconds horizon);
  void run_both(ClockDomain& first, ClockDomain& second, Femtoseconds horizon);
  bool look_after(unsigned steps);
  bool wait_for_answer();
  void wake_at(Femtoseconds local);
  [[nodiscard]] bool at_once() const { return regions_ != nullptr && order_ == Order::regions_at_once; }
  [[nodiscard]] Femtoseconds next_edge() const;
  [[nodiscard]] Femtoseconds end() const { return limit_ < stop_ ? limit_ : stop_; }
  bool schedule();

  std::vector<ClockDomain*> ahead_;  ///< one per region that has one
  std::vector<ClockDomain*> others_;
  std::unique_ptr<ParallelRegions> regions_;  ///< null: one
  Order order_ = Order::regions_at_once;
  Femtoseconds quantum_ = 0;  ///< 0 in exact mode
  sc_core::sc_event wake_up_{"wake_up"};
  Watcher watcher_;
  std::exception_ptr failure_;
  bool launched_ = false;  ///< false: elaboration only
  bool asleep_ = false;    ///< SystemC runs, and the island waits for its next activation
  std::uint64_t answers_owed_ = 0;
  Femtoseconds origin_ = 0;     ///< SystemC time of local time 0
  Femtoseconds scheduled_ = 0;  ///< local time of the activation under way: start of the quantum, or the edge
  Femtoseconds now_ = 0;
  Femtoseconds limit_ = never;
  Femtoseconds stop_ = never;
  bool interrupted_ = false;
  std::uint64_t activations_ = 0;
  unsigned steps_ = 0;       ///< windows, or edges in exact mode, since the watcher was asked
  Femtoseconds window_ = 0;  ///< end of the one that the last quantum was in
};

}  // namespace teslasim

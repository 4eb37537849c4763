// SPDX-License-Identifier: Apache-2.0
// One clock of the chip and the units that it drives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/base/clock_time.h"
#include "sim/base/types.h"
#include "sim/engine/clocked.h"
#include "sim/engine/traced_module.h"

namespace teslasim {

/// What a module sees through its `clk` port, bound as an sc_clock would be.
class ClockInterface : public virtual sc_core::sc_interface {
 public:
  [[nodiscard]] virtual Femtoseconds period() const = 0;
  /// Registers a unit under the name that dead-end reports print; to be called in end_of_elaboration. Returns its id.
  virtual std::size_t subscribe(Clocked& unit, std::string name) = 0;
  /// The unit wants to work at the first edge that is not before `when`. `never` does nothing. A `when` before what the
  /// domain has already run throws InternalError: a message came with too short a latency.
  virtual void wake(std::size_t id, Femtoseconds when) = 0;
};

enum class Sleeping : std::uint8_t { on, off };

/// Stands for a clock generator and its tree. Edges are at exactly cycle x period after the launch origin: no rounding
/// error accumulates, and phases are the same in each launch. Holds one wanted time per unit and calls only the units
/// that want to work (sleeping on), or every unit at every edge (sleeping off: same results, for tests). Not modelled:
/// skew, jitter, gating, changes of frequency. All domains have an edge at time 0.
class ClockDomain final : public TracedModule, public ClockInterface {
 public:
  ClockDomain(const sc_core::sc_module_name& name, Femtoseconds period, Sleeping sleeping = Sleeping::on);

  [[nodiscard]] Femtoseconds period() const override { return period_; }
  std::size_t subscribe(Clocked& unit, std::string name) override;
  void wake(std::size_t id, Femtoseconds when) override;

  /// Calls `listener` after the units at each edge that runs on its own: every edge in exact mode with sleeping off.
  /// Empty: none.
  void at_each_edge(std::function<void(Femtoseconds edge)> listener) { listener_ = std::move(listener); }

  // ---- for the Island
  /// Local time 0 of a new launch: every unit is wanted at the first edge.
  void begin_launch();
  /// Everything before `time` has been run: from now on nothing may wake a unit of this domain for an earlier time.
  void pass(Femtoseconds time);
  /// The next edge at which something has to be run, or `never` (sleeping on).
  [[nodiscard]] Femtoseconds next_edge() const;
  /// The next edge that a unit really asked for, whatever the sleeping mode; `never` means that all are idle.
  [[nodiscard]] Femtoseconds next_wanted() const { return next_wanted_; }
  /// Runs the units at one edge, which must be next_edge().
  void run_edge(Femtoseconds edge);
  /// Runs all edges before `horizon`, when no other domain exchanges messages with this one meanwhile.
  void run_until(Femtoseconds horizon) {
    while (next_edge() < horizon) run_edge(next_edge());
  }
  /// Runs every unit through all of its edges before the horizon, and further if it can tell that no message comes, one
  /// unit after the other.
  void run_ahead(const Reach& reach);
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  /// Units are looked at in groups, so that a chip of which little works costs little. The times of a group lie in one
  /// line of the host's cache.
  static constexpr unsigned group_units = 8;
  static constexpr unsigned few_units = 4;
  using Group = std::array<Femtoseconds, group_units>;

  [[gnu::cold, gnu::noinline]] void fail_late(std::size_t id, Femtoseconds when) const;
  /// Runs the unit through its edges from the edge `now` on.
  void run_unit_ahead(Clocked& unit, Femtoseconds& wanted, Femtoseconds now, const Reach& reach) const;
  [[nodiscard]] Femtoseconds& wanted(std::size_t id) { return groups_[id / group_units][id % group_units]; }
  /// What is run: everything before `horizon`. The next edge is not before `next_edge`.
  struct Span {
    Femtoseconds horizon, next_edge;
  };
  /// Calls `run(unit, wanted)` for the units that want to work before the horizon (sleeping off: for all), in order.
  /// Returns the earliest wanted time of all units then; when it is not after the next edge, one of those up to there.
  /// The same at `edge` for a domain of few units, without the look-up in groups.
  Femtoseconds run_few(Femtoseconds edge);
  template <class Run>
  Femtoseconds run_units(const Span& span, const Run& run);
  template <class Run>
  void run_group(std::size_t number, const Span& span, const Run& run);

  Femtoseconds period_;
  Sleeping sleeping_;
  Femtoseconds frontier_ = 0;           ///< everything before this has been run
  Femtoseconds next_wanted_ = 0;        ///< the edge of the smallest wanted time
  std::vector<Group> groups_;           ///< wanted times of the units; `never` where the last group has none
  std::vector<Femtoseconds> earliest_;  ///< wanted time, by group
  std::vector<Clocked*> units_;
  std::vector<std::string> names_;
  std::function<void(Femtoseconds edge)> listener_;
};

}  // namespace teslasim

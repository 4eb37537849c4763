// SPDX-License-Identifier: Apache-2.0
// What one SM does while a launch is debugged: enough to find stops, and to show its units.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/instruction_effects.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/observer.h"

namespace teslasim {

/// Told of each first pass, before its store takes effect in device memory.
class IssueListener {
 public:
  virtual ~IssueListener() = default;
  struct Place {
    SmIndex sm = 0;
    WarpSlot warp = 0;
    BlockIndex block = 0;
  };
  virtual void issued(const Place& place, const WarpInst& record, SmCycle now) = 0;
};

class SmEvents final : public SmObserver {
 public:
  /// A first pass.
  struct Issue {
    WarpSlot warp = 0;
    BlockIndex block = 0;
    const Instruction* instruction = nullptr;
    LaneMask executed = 0;
    SmCycle when = 0;
    InstructionEffects effects{};
  };
  /// A unit that has a warp's instruction.
  struct Use {
    WarpSlot warp = 0;
    Occupation occupation;
  };
  /// An instruction whose results are not all written.
  struct Awaited {
    WarpSlot warp = 0;
    std::uint32_t instruction = 0;
    unsigned results = 0;
    SmCycle issued = 0;
  };

  explicit SmEvents(SmIndex sm) : sm_(sm) {}
  /// A launch begins; `stream` has the warps of the SM.
  void begin(const WarpStream* stream, unsigned warps);
  /// Null: nobody. It outlives the launch.
  void tell(IssueListener* listener) { listener_ = listener; }
  /// Whether `last_issue` has effects from now on: reading them takes time.
  void read_effects(bool wanted) { effects_wanted_ = wanted; }

  [[nodiscard]] std::uint64_t issues() const { return issues_; }
  [[nodiscard]] std::uint64_t issues_of(WarpSlot warp) const { return warps_.at(warp).issues; }
  /// Changes whenever the warp comes to another instruction, or to the same one again.
  [[nodiscard]] std::uint64_t position_of(WarpSlot warp) const { return warps_.at(warp).position; }
  [[nodiscard]] const std::optional<Issue>& last_issue() const { return last_issue_; }
  /// Whether warps came, went or issued since this was last asked for.
  [[nodiscard]] bool take_change();
  /// Of units that work in cycle `now` or later, in the order of units.
  [[nodiscard]] std::vector<Use> uses(SmCycle now) const;
  [[nodiscard]] const std::vector<Awaited>& awaited() const { return awaited_; }

  void slots(SlotReason, SmCycle, SmCycle) override {}
  void warp_state(WarpSlot, SlotReason, SmCycle, SmCycle, std::uint32_t) override {}
  void block_started(unsigned slot, BlockIndex block, WarpSlot first_warp, unsigned warps, SmCycle now) override;
  void block_finished(unsigned slot, SmCycle now) override;
  void barrier_opened(unsigned, SmCycle) override {}
  void fetched(WarpSlot, SmCycle) override {}
  void issued(WarpSlot warp, const WarpInst& record, SmCycle now) override;
  void sent(WarpSlot, unsigned, SmCycle) override {}
  void replayed(WarpSlot, SmCycle) override {}
  void occupied(WarpSlot warp, const Occupation& occupation) override;
  void written(WarpSlot warp, std::uint32_t instruction, SmCycle now) override;

 private:
  struct Warp {
    std::uint64_t issues = 0, position = 0;
    BlockIndex block = 0;
  };
  void await(WarpSlot warp, const WarpInst& record, SmCycle now);

  SmIndex sm_;
  const WarpStream* stream_ = nullptr;
  IssueListener* listener_ = nullptr;
  bool effects_wanted_ = false;
  bool changed_ = false;
  std::uint64_t issues_ = 0;
  std::vector<Warp> warps_;
  std::optional<Issue> last_issue_;
  std::vector<Use> uses_;
  std::vector<Awaited> awaited_;
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/pressure_spills.h"

#include <algorithm>
#include <utility>

#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {
namespace {

/// A place between two instructions of a block, counted through all blocks.
using Place = std::uint32_t;

class LiveRanges {
 public:
  struct Range {
    Place first, last;
  };

  explicit LiveRanges(const MachineFunction& function)
      : function_(function), ranges_(function.registers.size()), touched_(ranges_.size()), last_(ranges_.size()) {
    const std::vector<LiveSet> ends = live_at_ends(function);
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) visit(block, ends[block]);
  }

  [[nodiscard]] const std::vector<Range>& ranges(VirtualRegister one) const { return ranges_[one]; }
  /// Places where even a spilled value needs a register.
  [[nodiscard]] const std::vector<Place>& touched(VirtualRegister one) const { return touched_[one]; }
  [[nodiscard]] Place places() const { return places_; }

 private:
  [[nodiscard]] bool counts(VirtualRegister one) const { return function_.registers[one] == RegisterClass::general; }

  void visit(BlockIndex block, const LiveSet& live_out) {
    const std::vector<MachineInstruction>& code = function_.blocks[block].code;
    const Place first = places_;
    places_ += static_cast<Place>(code.size()) + 1;
    LiveSet live = live_out;
    live.for_each([&](VirtualRegister one) { last_[one] = places_ - 1; });
    for (std::size_t at = code.size(); at-- > 0;) {
      const MachineInstruction& one = code[at];
      const Place before = first + static_cast<Place>(at), behind = before + 1;
      for_each_write(one, [&](VirtualRegister written) {
        touch(written, behind);
        if (!live.contains(written)) last_[written] = behind;
        if (!one.keeps_result()) ranges_[written].push_back({behind, last_[written]});
      });
      const auto read = [&](VirtualRegister word) {
        touch(word, before);
        if (live.contains(word) && !(writes(one, word) && !one.keeps_result())) return;
        last_[word] = before;
      };
      for_each_read(one, read);
      if (one.keeps_result()) {
        for_each_write(one, [&](VirtualRegister word) { touch(word, before); });
      }
      step_back(live, one);
    }
    live.for_each([&](VirtualRegister one) { ranges_[one].push_back({first, last_[one]}); });
  }

  static bool writes(const MachineInstruction& one, VirtualRegister word) {
    bool found = false;
    for_each_write(one, [&](VirtualRegister written) { found = found || written == word; });
    return found;
  }
  void touch(VirtualRegister one, Place place) {
    std::vector<Place>& places = touched_[one];
    if (counts(one) && (places.empty() || places.back() != place)) places.push_back(place);
  }

  const MachineFunction& function_;
  std::vector<std::vector<Range>> ranges_;
  std::vector<std::vector<Place>> touched_;
  std::vector<Place> last_;  ///< of the range that is open, while a block is gone through
  Place places_ = 0;
};

class Choice {
 public:
  Choice(const MachineFunction& function, const SpillRewriter& rewriter, unsigned limit)
      : function_(function),
        rewriter_(rewriter),
        limit_(static_cast<int>(limit)),
        live_(function),
        costs_(spill_costs(function)),
        pressure_(live_.places()),
        chosen_(function.registers.size()) {
    for (VirtualRegister one = 0; one < function.registers.size(); ++one) {
      if (function.registers[one] == RegisterClass::general) change(one, 1, 0);
    }
  }

  std::vector<VirtualRegister> run() {
    std::vector<VirtualRegister> result;
    while (count_crowded() != 0) {
      const VirtualRegister best = best_one();
      if (best == no_register) break;
      change(best, -1, 1);
      chosen_[best] = true;
      result.push_back(best);
    }
    return result;
  }

 private:
  void change(VirtualRegister one, int of_ranges, int of_touched) {
    for (const LiveRanges::Range& range : live_.ranges(one)) {
      for (Place place = range.first; place <= range.last; ++place) pressure_[place] += of_ranges;
    }
    for (const Place place : live_.touched(one)) pressure_[place] += of_touched;
  }

  /// Counts places where too many are live, up to each place.
  unsigned count_crowded() {
    crowded_.assign(pressure_.size() + 1, 0);
    for (std::size_t place = 0; place < pressure_.size(); ++place)
      crowded_[place + 1] = crowded_[place] + (pressure_[place] > limit_ ? 1U : 0U);
    return crowded_.back();
  }

  [[nodiscard]] VirtualRegister best_one() const {
    VirtualRegister best = no_register;
    double most = 0;
    for (VirtualRegister one = 0; one < function_.registers.size(); ++one) {
      if (function_.registers[one] != RegisterClass::general || chosen_[one] || rewriter_.is_temporary(one)) continue;
      const double gain = static_cast<double>(freed(one)) / std::max(costs_[one], 0.5);
      if (gain <= most) continue;
      most = gain;
      best = one;
    }
    return best;
  }

  [[nodiscard]] int freed(VirtualRegister one) const {
    unsigned places = 0, kept = 0;
    for (const LiveRanges::Range& range : live_.ranges(one)) places += crowded_[range.last + 1] - crowded_[range.first];
    for (const Place place : live_.touched(one)) kept += crowded_[place + 1] - crowded_[place];
    return static_cast<int>(places) - static_cast<int>(kept);
  }

  const MachineFunction& function_;
  const SpillRewriter& rewriter_;
  int limit_;
  LiveRanges live_;
  std::vector<double> costs_;
  std::vector<int> pressure_;
  std::vector<bool> chosen_;
  std::vector<unsigned> crowded_{};
};

}  // namespace

std::vector<VirtualRegister> registers_over_limit(const MachineFunction& function, const SpillRewriter& rewriter,
                                                  unsigned limit) {
  return Choice(function, rewriter, limit).run();
}

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/spill_slots.h"

#include <algorithm>

#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {
namespace {

/// Which of some values are live while another one is written.
class Meetings {
 public:
  Meetings(const MachineFunction& function, const std::vector<VirtualRegister>& values)
      : function_(function), index_(function.registers.size(), values.size()), meet_(values.size()) {
    for (std::size_t k = 0; k < values.size(); ++k) index_[values[k]] = k;
    for (std::vector<bool>& row : meet_) row.resize(values.size());
    const std::vector<LiveSet> ends = live_at_ends(function);
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) visit(block, ends[block]);
  }
  [[nodiscard]] bool between(std::size_t left, std::size_t right) const { return meet_[left][right]; }

 private:
  void visit(BlockIndex block, LiveSet live) {
    const std::vector<MachineInstruction>& code = function_.blocks[block].code;
    for (auto at = code.rbegin(); at != code.rend(); ++at) {
      for_each_write(*at, [&](VirtualRegister written) { note(written, live); });
      step_back(live, *at);
    }
    // What the launch has put into a register is stored first.
    if (block == 0) note(function_.thread_index, live);
  }
  void note(VirtualRegister written, const LiveSet& live) {
    const std::size_t mine = index_[written];
    if (mine == meet_.size()) return;
    live.for_each([&](VirtualRegister other) {
      const std::size_t theirs = index_[other];
      if (theirs != meet_.size() && theirs != mine) meet_[mine][theirs] = meet_[theirs][mine] = true;
    });
  }

  const MachineFunction& function_;
  std::vector<std::size_t> index_;  ///< of each register among the values
  std::vector<std::vector<bool>> meet_;
};

}  // namespace

std::unordered_map<VirtualRegister, std::uint32_t> place_in_local_memory(MachineFunction& function,
                                                                         const std::vector<VirtualRegister>& values) {
  const Meetings meetings(function, values);
  std::vector<std::vector<std::size_t>> slots;
  std::unordered_map<VirtualRegister, std::uint32_t> result;
  for (std::size_t value = 0; value < values.size(); ++value) {
    const auto fits = [&](const std::vector<std::size_t>& slot) {
      return std::none_of(slot.begin(), slot.end(), [&](std::size_t other) { return meetings.between(value, other); });
    };
    auto slot = std::find_if(slots.begin(), slots.end(), fits);
    if (slot == slots.end()) slot = slots.insert(slots.end(), std::vector<std::size_t>{});
    slot->push_back(value);
    result[values[value]] = function.local_bytes + 4 * static_cast<std::uint32_t>(slot - slots.begin());
  }
  function.local_bytes += 4 * static_cast<std::uint32_t>(slots.size());
  return result;
}

}  // namespace teslasim::compiler

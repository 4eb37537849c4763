// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/machine_liveness.h"

#include <algorithm>

namespace teslasim::compiler {
namespace {

/// What a block does to a register, seen from its beginning.
enum class FirstAccess : std::uint8_t { none, reads, writes };

/// Finds the blocks at whose ends each register is live, one register after the other.
class LivenessWalk {
 public:
  explicit LivenessWalk(const MachineFunction& function)
      : function_(function),
        readers_(function.registers.size()),
        writers_(function.registers.size()),
        predecessors_(function.blocks.size()),
        first_(function.blocks.size()),
        live_for_(function.blocks.size(), no_register),
        ends_(function.blocks.size()) {
    for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
      for (const BlockIndex next : function.successors(block)) predecessors_[next].push_back(block);
      note_accesses(block);
    }
  }

  std::vector<LiveSet> run() {
    for (VirtualRegister one = 0; one < function_.registers.size(); ++one) walk(one);
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (const VirtualRegister returned = function_.blocks[block].end.returned; returned != no_register)
        ends_[block].insert(returned);
    }
    return std::move(ends_);
  }

 private:
  void note_accesses(BlockIndex block) {
    const auto read = [&](VirtualRegister one) {
      if (is_last(readers_[one], block) || is_last(writers_[one], block)) return;
      readers_[one].push_back(block);
    };
    for (const MachineInstruction& one : function_.blocks[block].code) {
      for_each_read(one, read);
      if (one.keeps_result()) {
        for_each_write(one, read);
        continue;
      }
      for_each_write(one, [&](VirtualRegister written) {
        if (!is_last(readers_[written], block) && !is_last(writers_[written], block))
          writers_[written].push_back(block);
      });
    }
    if (const VirtualRegister guard = function_.blocks[block].end.guard; guard != no_register) read(guard);
  }
  static bool is_last(const std::vector<BlockIndex>& blocks, BlockIndex block) {
    return !blocks.empty() && blocks.back() == block;
  }

  void walk(VirtualRegister one) {
    for (const BlockIndex block : writers_[one]) first_[block] = FirstAccess::writes;
    for (const BlockIndex block : readers_[one]) first_[block] = FirstAccess::reads;
    for (const BlockIndex block : readers_[one]) mark_before(block, one);
    while (!waiting_.empty()) {
      const BlockIndex block = waiting_.back();
      waiting_.pop_back();
      // What reads it is a beginning of its own.
      if (first_[block] == FirstAccess::none) mark_before(block, one);
    }
    for (const BlockIndex block : writers_[one]) first_[block] = FirstAccess::none;
    for (const BlockIndex block : readers_[one]) first_[block] = FirstAccess::none;
  }
  void mark_before(BlockIndex block, VirtualRegister one) {
    for (const BlockIndex from : predecessors_[block]) {
      if (live_for_[from] == one) continue;
      live_for_[from] = one;
      ends_[from].insert(one);
      waiting_.push_back(from);
    }
  }

  const MachineFunction& function_;
  /// For each register: blocks that read it before they write it, and those that write it first.
  std::vector<std::vector<BlockIndex>> readers_, writers_;
  std::vector<std::vector<BlockIndex>> predecessors_;
  std::vector<FirstAccess> first_;         ///< of the register at hand
  std::vector<VirtualRegister> live_for_;  ///< the last register that was found live at the end of a block
  std::vector<BlockIndex> waiting_{};
  std::vector<LiveSet> ends_;
};

}  // namespace

void LiveSet::insert(VirtualRegister one) {
  const auto place = std::lower_bound(registers_.begin(), registers_.end(), one);
  if (place == registers_.end() || *place != one) registers_.insert(place, one);
}

void LiveSet::remove(VirtualRegister one) {
  const auto place = std::lower_bound(registers_.begin(), registers_.end(), one);
  if (place != registers_.end() && *place == one) registers_.erase(place);
}

bool LiveSet::contains(VirtualRegister one) const {
  return std::binary_search(registers_.begin(), registers_.end(), one);
}

void step_back(LiveSet& live, const MachineInstruction& instruction) {
  if (!instruction.keeps_result()) {
    for_each_write(instruction, [&](VirtualRegister one) { live.remove(one); });
  } else {
    for_each_write(instruction, [&](VirtualRegister one) { live.insert(one); });
  }
  for_each_read(instruction, [&](VirtualRegister one) { live.insert(one); });
}

std::vector<LiveSet> live_at_ends(const MachineFunction& function) {
  return LivenessWalk(function).run();
}

}  // namespace teslasim::compiler

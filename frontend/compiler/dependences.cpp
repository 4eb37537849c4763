// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/dependences.h"

#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>
#include <utility>

#include "frontend/compiler/register_allocator.h"

namespace teslasim::compiler {

/// Goes through a block once and knows who touched each register last.
class DependenceFinder {
 public:
  DependenceFinder(const MachineFunction& function, BlockIndex block, const LiveSet& live_out, Dependences& result)
      : function_(function), code_(function.blocks[block].code), live_out_(live_out), result_(result) {
    // The branch at the end reads its flags behind everything.
    if (const VirtualRegister guard = function.blocks[block].end.guard; guard != no_register) live_out_.insert(guard);
  }

  void run() {
    find_last_accesses();
    for (InstructionIndex at = 0; at < code_.size(); ++at) {
      visit_registers(at);
      visit_memory(at);
    }
    keep_registers_together();
  }

 private:
  struct Touch {
    static constexpr InstructionIndex nobody = ~InstructionIndex{0};
    InstructionIndex writer = nobody;
    std::vector<InstructionIndex> readers{};
  };
  struct OrderedAccess {
    InstructionIndex at = Touch::nobody;
    MemoryAccess access{};
    std::size_t behind = 0;  ///< the first so many accesses all come before it
  };
  using Accesses = std::vector<OrderedAccess>;
  /// The chip's flag or address registers, while the block is gone through.
  struct Few {
    std::deque<VirtualRegister> free{};
  };
  /// Registers of the chip stand behind all virtual ones.
  static constexpr VirtualRegister first_flag = ~VirtualRegister{0} - 64, first_address = first_flag + 16;

  /// Where a flag or address register is touched for the last time; live ones never are.
  void find_last_accesses() {
    for (unsigned k = 0; k < most_flag_registers; ++k) flags_.free.push_back(first_flag + k);
    for (unsigned k = 0; k < most_address_registers; ++k) addresses_.free.push_back(first_address + k);
    for (InstructionIndex at = 0; at < code_.size(); ++at) {
      const auto note = [&](VirtualRegister one) {
        if (function_.registers[one] != RegisterClass::general) last_access_[one] = at;
      };
      for_each_read(code_[at], note);
      for_each_write(code_[at], note);
    }
    live_out_.for_each([&](VirtualRegister one) {
      if (last_access_.contains(one)) last_access_[one] = static_cast<InstructionIndex>(code_.size());
    });
    take_live_ones();
  }
  /// What comes into the block in one of the few registers has it from the start; what only passes through keeps it.
  void take_live_ones() {
    LiveSet live = live_out_;
    for (auto at = code_.rbegin(); at != code_.rend(); ++at) step_back(live, *at);
    live.for_each([&](VirtualRegister one) { (void)name_of(one); });
    live_out_.for_each([&](VirtualRegister one) {
      if (function_.registers[one] != RegisterClass::general && !last_access_.contains(one)) (void)name_of(one);
    });
  }

  Few& few_of(VirtualRegister one) { return function_.registers[one] == RegisterClass::flags ? flags_ : addresses_; }
  /// The name under which accesses are noted. Without a free one it keeps its own, which only the other rules order.
  VirtualRegister name_of(VirtualRegister one) {
    if (function_.registers[one] == RegisterClass::general) return one;
    const auto [found, added] = names_.try_emplace(one, one);
    std::deque<VirtualRegister>& free = few_of(one).free;
    if (added && !free.empty()) {
      found->second = free.front();
      free.pop_front();
    }
    return found->second;
  }
  void release(InstructionIndex at) {
    const auto look = [&](VirtualRegister one) {
      if (function_.registers[one] == RegisterClass::general || last_access_.at(one) != at) return;
      const auto found = names_.find(one);
      if (found == names_.end()) return;
      if (found->second != one) few_of(one).free.push_back(found->second);
      names_.erase(found);
    };
    for_each_read(code_[at], look);
    for_each_write(code_[at], look);
  }

  void visit_registers(InstructionIndex at) {
    const MachineInstruction& one = code_[at];
    for_each_read(one, [&](VirtualRegister read) { note_read(at, name_of(read), read); });
    if (one.keeps_result()) for_each_write(one, [&](VirtualRegister kept) { note_read(at, name_of(kept), kept); });
    for_each_write(one, [&](VirtualRegister written) { note_write(at, name_of(written)); });
    release(at);
  }

  void note_read(InstructionIndex at, VirtualRegister name, VirtualRegister read) {
    Touch& touch = touched_[name];
    if (touch.writer != Touch::nobody) {
      const Instruction& writer = code_[touch.writer].instruction;
      const bool flags = function_.registers[read] == RegisterClass::flags;
      result_.add(touch.writer, at, flags ? flags_latency(writer) : result_latency(writer));
    }
    if (touch.readers.empty() || touch.readers.back() != at) touch.readers.push_back(at);
  }
  void note_write(InstructionIndex at, VirtualRegister name) {
    Touch& touch = touched_[name];
    for (const InstructionIndex reader : touch.readers) {
      if (reader != at) result_.add(reader, at, 0);
    }
    if (touch.writer != Touch::nobody && touch.writer != at) result_.add(touch.writer, at, 0);
    touch.readers.clear();
    touch.writer = at;
  }

  void visit_memory(InstructionIndex at) {
    const MemoryAccess mine = memory_access(code_[at]);
    using Order = MemoryAccess::Order;
    const bool after_all = mine.order == Order::everything || mine.order == Order::last;
    if (after_all) {
      // What stands before an earlier wall has its place by that.
      for (InstructionIndex other = wall_ == Touch::nobody ? 0 : wall_; other < at; ++other) result_.add(other, at, 0);
    } else if (wall_ != Touch::nobody) {
      result_.add(wall_, at, 0);
    }
    if (mine.order != Order::free) order_access(at, mine, after_all);
    if (after_all) wall_ = at;
  }

  /// Accesses in different spaces are ordered by fences alone.
  void order_access(InstructionIndex at, const MemoryAccess& mine, bool after_all) {
    const bool fence = mine.order == MemoryAccess::Order::fence;
    for (Accesses& in_space : accesses_) {
      if (!fence && !after_all && &in_space != &accesses_[space_of(mine)]) continue;
      const std::size_t behind = after_all ? 0 : put_behind(in_space, at, mine);
      // Behind a fence only the fence has to be looked at.
      if (fence || after_all) in_space.clear();
      in_space.push_back({at, mine, fence || after_all ? 0 : behind});
    }
  }
  static std::size_t space_of(const MemoryAccess& access) {
    return access.space == Operand::Kind::shared ? 0 : access.space == Operand::Kind::local ? 1 : 2;
  }

  /// Puts an access behind those it conflicts with, from the latest upwards; where all that are left come before one of
  /// them anyhow, that is enough. Returns how many of the first accesses it is known to be behind.
  std::size_t put_behind(const Accesses& accesses, InstructionIndex at, const MemoryAccess& mine) {
    std::size_t covered = 0, behind = accesses.size();
    for (std::size_t place = accesses.size(); place-- > covered;) {
      const OrderedAccess& other = accesses[place];
      if (conflict(other.access, mine)) {
        result_.add(other.at, at, 0);
        covered = std::max(covered, other.behind);
      } else {
        behind = place;
      }
    }
    return behind;
  }

  /// A value that the end of the block moves to the register of another one, as loops do with what they count, is made
  /// behind the last reader of the other: otherwise they would need two registers and the move. Loads may come earlier.
  void keep_registers_together() {
    std::unordered_map<VirtualRegister, InstructionIndex> writers;
    std::unordered_map<VirtualRegister, std::vector<InstructionIndex>> readers;
    std::unordered_map<VirtualRegister, unsigned> writes;
    for (InstructionIndex at = 0; at < code_.size(); ++at) {
      for_each_write(code_[at], [&](VirtualRegister one) {
        writers[one] = at;
        ++writes[one];
      });
      for_each_read(code_[at], [&](VirtualRegister one) { readers[one].push_back(at); });
    }
    for (InstructionIndex at = 0; at < code_.size(); ++at) {
      if (!is_copy(code_[at])) continue;
      const VirtualRegister to = code_[at].result[0], from = code_[at].source[0][0];
      const auto made = writers.find(from);
      if (made == writers.end() || writes[to] != 1 || writes[from] != 1) continue;
      const InstructionIndex definition = made->second;
      if (is_far_load(code_[definition].instruction)) continue;
      const std::vector<InstructionIndex>& old = readers[to];
      if (std::any_of(old.begin(), old.end(), [&](InstructionIndex one) { return one > definition; })) continue;
      for (const InstructionIndex reader : old) {
        if (reader != definition) result_.add(reader, definition, 0);
      }
    }
  }

  const MachineFunction& function_;
  const std::vector<MachineInstruction>& code_;
  LiveSet live_out_;
  Dependences& result_;
  std::unordered_map<VirtualRegister, Touch> touched_{};
  std::unordered_map<VirtualRegister, InstructionIndex> last_access_{};
  std::unordered_map<VirtualRegister, VirtualRegister> names_{};
  Few flags_{}, addresses_{};
  InstructionIndex wall_ = Touch::nobody;
  std::array<Accesses, 3> accesses_{};  ///< of each space, behind its last fence
};

Dependences::Dependences(const MachineFunction& function, BlockIndex block, const LiveSet& live_out)
    : successors_(function.blocks[block].code.size()), predecessors_(successors_.size()), heights_(successors_.size()) {
  DependenceFinder(function, block, live_out, *this).run();
  find_heights(function.blocks[block]);
}

void Dependences::add(InstructionIndex from, InstructionIndex to, LatencyCycles latency) {
  // Instructions are visited one after the other, so the same edge comes twice in a row.
  if (!successors_[from].empty() && successors_[from].back().to == to) {
    LatencyCycles& known = successors_[from].back().latency;
    known = std::max(known, latency);
    return;
  }
  successors_[from].push_back({to, latency});
  predecessors_[to].push_back(from);
}

void Dependences::find_heights(const MachineBlock& block) {
  for (auto at = static_cast<InstructionIndex>(size()); at-- > 0;) {
    const MachineInstruction& one = block.code[at];
    LatencyCycles height = is_far_load(one.instruction) ? result_latency(one.instruction) : issue_interval;
    if (one.flag_result != no_register && one.flag_result == block.end.guard)
      height = std::max(height, flags_latency(one.instruction));
    for (const Dependence& next : successors_[at])
      height = std::max(height, std::max(next.latency, issue_interval) + heights_[next.to]);
    heights_[at] = height;
  }
}

}  // namespace teslasim::compiler

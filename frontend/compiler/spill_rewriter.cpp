// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/spill_rewriter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/compiler/spill_slots.h"

namespace teslasim::compiler {
namespace {

using Kind = Operand::Kind;

/// Instructions after which a register is thought to be wanted for something else.
constexpr std::size_t near = 3;

MachineInstruction local_access(Opcode opcode, VirtualRegister value, std::uint32_t offset, std::uint32_t line) {
  MachineInstruction one;
  Instruction& i = one.instruction;
  i.opcode = opcode;
  i.type = ValueType::b32;
  i.source_line = line;
  Operand place;
  place.kind = Kind::local;
  place.type = ValueType::b32;
  place.offset = static_cast<std::int32_t>(offset);
  if (opcode == Opcode::load_local) {
    i.destination[0].kind = Kind::gpr;
    i.source[0] = place;
    one.result = RegisterTuple(value);
  } else {
    i.store_target = place;
    i.source[0].kind = Kind::gpr;
    one.source[0] = RegisterTuple(value);
  }
  return one;
}

/// Can it stand anywhere and compute the same?
bool is_cheap(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  if (one.result.size() != 1 || one.flag_result != no_register || one.guard != no_register || one.result_again)
    return false;
  bool reads = false;
  for_each_read(one, [&](VirtualRegister) { reads = true; });
  if (reads || one.ordered || i.lock) return false;
  if (i.opcode == Opcode::load_constant) return true;
  if (i.opcode != Opcode::mov && i.opcode != Opcode::load_shared) return false;
  return i.source[0].kind == Kind::immediate || (i.source[0].kind == Kind::shared && one.launch_word);
}

/// Where a spilled value lives.
struct Home {
  bool made_again = false;
  MachineInstruction definition{};
  std::uint32_t offset = 0;
};

class Rewriting {
 public:
  Rewriting(MachineFunction& function, std::unordered_set<VirtualRegister>& temporaries)
      : function_(function), temporaries_(temporaries) {}

  void run(const std::vector<VirtualRegister>& spilled, VirtualRegister thread_index) {
    const auto cheap = cheap_definitions(function_);
    std::vector<VirtualRegister> stored;
    for (const VirtualRegister one : spilled) {
      const auto found = cheap.find(one);
      if (found == cheap.end()) {
        stored.push_back(one);
      } else {
        homes_[one] = {true, found->second, 0};
      }
    }
    for (const auto& [one, offset] : place_in_local_memory(function_, stored)) homes_[one] = {false, {}, offset};
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      code_.clear();
      recent_.clear();
      if (block == 0 && homes_.contains(thread_index)) {
        code_.push_back(local_access(Opcode::store_local, thread_index, homes_[thread_index].offset, 0));
        temporaries_.insert(thread_index);
      }
      std::vector<MachineInstruction>& code = function_.blocks[block].code;
      for (at_ = 0; at_ < code.size(); ++at_) rewrite(code[at_]);
      code = code_;
    }
  }

 private:
  struct Recent {
    VirtualRegister temporary = no_register;
    std::size_t at = 0;
  };

  void rewrite(MachineInstruction& one) {
    if (touched(one).empty()) return code_.push_back(one);
    if (one.result.size() == 1 && homes_.contains(one.result[0]) && homes_[one.result[0]].made_again) return;
    std::unordered_map<VirtualRegister, VirtualRegister> read;
    const auto reload = [&](VirtualRegister& word) {
      if (!homes_.contains(word)) return;
      const auto [found, added] = read.try_emplace(word, no_register);
      if (added) found->second = in_register(word, one);
      word = found->second;
    };
    std::vector<VirtualRegister> stored;
    for_each_write(std::as_const(one), [&](VirtualRegister word) {
      if (homes_.contains(word)) stored.push_back(word);
    });
    if (one.keeps_result()) for_each_write(one, reload);
    for_each_read(one, reload);
    for_each_write(one, [&](VirtualRegister& word) {
      if (homes_.contains(word)) word = note(word, fresh());
    });
    code_.push_back(one);
    for (const VirtualRegister word : stored) {
      const VirtualRegister temporary = one.keeps_result() ? read[word] : recent_[word].temporary;
      code_.push_back(local_access(Opcode::store_local, temporary, homes_[word].offset, one.instruction.source_line));
    }
  }

  [[nodiscard]] std::vector<VirtualRegister> touched(const MachineInstruction& one) const {
    std::vector<VirtualRegister> result;
    const auto look = [&](VirtualRegister word) {
      if (homes_.contains(word)) result.push_back(word);
    };
    for_each_read(one, look);
    for_each_write(one, look);
    return result;
  }

  VirtualRegister fresh() {
    const VirtualRegister result = function_.add_register(RegisterClass::general);
    temporaries_.insert(result);
    return result;
  }
  VirtualRegister note(VirtualRegister word, VirtualRegister temporary) {
    recent_[word] = {temporary, at_};
    return temporary;
  }

  VirtualRegister in_register(VirtualRegister word, const MachineInstruction& reader) {
    const Home& home = homes_[word];
    const auto recent = recent_.find(word);
    // Words of a row stand beside each other, so each reader wants registers of its own; so does what is written over.
    const bool own = reader.keeps_result() || std::any_of(reader.source.begin(), reader.source.end(),
                                                          [](const RegisterTuple& tuple) { return tuple.size() > 1; });
    if (!own && recent != recent_.end() && at_ - recent->second.at <= near) {
      recent->second.at = at_;
      return recent->second.temporary;
    }
    const VirtualRegister temporary = fresh();
    const std::uint32_t line = reader.instruction.source_line;
    if (home.made_again) {
      code_.push_back(home.definition);
      code_.back().result = RegisterTuple(temporary);
      code_.back().instruction.source_line = line;
    } else {
      code_.push_back(local_access(Opcode::load_local, temporary, home.offset, line));
    }
    if (own) {
      recent_.erase(word);
      return temporary;
    }
    return note(word, temporary);
  }

  MachineFunction& function_;
  std::unordered_set<VirtualRegister>& temporaries_;
  std::unordered_map<VirtualRegister, Home> homes_{};
  std::unordered_map<VirtualRegister, Recent> recent_{};
  std::vector<MachineInstruction> code_{};
  std::size_t at_ = 0;
};

}  // namespace

/// What routines have in registers stays there: callers and routines could not agree on words of local memory.
SpillRewriter::SpillRewriter(const MachineFunction& function) : thread_index_(function.thread_index) {
  for (const MachineRoutine& routine : function.routines) {
    temporaries_.insert(routine.operand.begin(), routine.operand.end());
    function.for_each_overwritten(routine.block, [&](VirtualRegister one) { temporaries_.insert(one); });
  }
}

void SpillRewriter::move_out(MachineFunction& function, const std::vector<VirtualRegister>& spilled) {
  Rewriting(function, temporaries_).run(spilled, thread_index_);
}

std::unordered_map<VirtualRegister, MachineInstruction> cheap_definitions(const MachineFunction& function) {
  std::vector<unsigned> definitions = function.definitions();
  // The launch defines it.
  ++definitions[function.thread_index];
  std::unordered_map<VirtualRegister, MachineInstruction> result;
  for (const MachineBlock& block : function.blocks) {
    for (const MachineInstruction& one : block.code) {
      if (is_cheap(one) && definitions[one.result[0]] == 1) result.emplace(one.result[0], one);
    }
  }
  return result;
}

std::vector<double> spill_costs(const MachineFunction& function) {
  const auto cheap = cheap_definitions(function);
  std::vector<double> costs(function.registers.size());
  for (const MachineBlock& block : function.blocks) {
    const double weight = std::pow(runs_of_a_loop, block.depth);
    for (const MachineInstruction& one : block.code) {
      for_each_read(
          one, [&](VirtualRegister read) { costs[read] += weight * (cheap.contains(read) ? 1 : local_access_cost); });
      for_each_write(one, [&](VirtualRegister written) {
        if (cheap.contains(written)) {
          costs[written] -= weight;
        } else {
          costs[written] += weight * local_access_cost * (one.keeps_result() ? 2 : 1);
        }
      });
    }
  }
  return costs;
}

}  // namespace teslasim::compiler

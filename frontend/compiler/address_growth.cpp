// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/address_growth.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "frontend/compiler/address_registers.h"
#include "isa/forms.h"

namespace teslasim::compiler {
namespace {

struct CodePlace {
  BlockIndex block = no_block;
  std::size_t position = 0;
};

/// Where a register is written and read.
struct RegisterUses {
  std::vector<CodePlace> writes{}, reads{};
};

/// What a pointer is shifted by for an address register, and the constant that is added to it there.
using AddressDistance = std::pair<std::uint32_t, std::uint32_t>;

/// One that is set before the loop, and moved on by `step` where a turn ends.
struct GrowingPointer {
  VirtualRegister now = no_register, next = no_register;
  std::uint32_t step = 0;
  CodePlace sum{}, copy{};
  std::vector<std::pair<AddressDistance, CodePlace>> settings{};  ///< of address registers
};

bool adds_constant_word(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  return i.opcode == Opcode::add && i.form == Form::immediate_form && i.source[1].kind == Operand::Kind::immediate &&
         (i.type == ValueType::u32 || i.type == ValueType::s32) && one.source[0].size() == 1 && !i.source[0].negate &&
         !i.saturate && one.guard == no_register && one.flag_result == no_register;
}

Operand& accessed(Instruction& instruction) {
  return instruction.store_target.kind != Operand::Kind::none ? instruction.store_target : instruction.source[0];
}

/// Of each register.
std::vector<RegisterUses> uses_of(const MachineFunction& function) {
  std::vector<RegisterUses> uses(function.registers.size());
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    const MachineBlock& one = function.blocks[block];
    for (std::size_t position = 0; position < one.code.size(); ++position) {
      const CodePlace place{block, position};
      for_each_read(one.code[position], [&](VirtualRegister read) { uses[read].reads.push_back(place); });
      for_each_write(one.code[position], [&](VirtualRegister written) { uses[written].writes.push_back(place); });
    }
    if (one.end.guard != no_register) uses[one.end.guard].reads.push_back({block, one.code.size()});
  }
  return uses;
}

/// One loop, entered from `before` and repeated from one latch.
class LoopAddresses {
 public:
  LoopAddresses(MachineFunction& function, const AddressRegisters& registers, const NaturalLoop& loop,
                const Loops& loops, const DominatorTree& dominators, std::vector<RegisterUses>& touched, bool far_loads)
      : function_(function),
        registers_(registers),
        loop_(loop),
        loops_(loops),
        dominators_(dominators),
        touched_(touched),
        far_loads_(far_loads) {}

  void run() {
    before_ = preheader(registers_.graph(), loop_);
    latch_ = only_latch();
    if (before_ == no_block || latch_ == no_block || registers_.is_large(loop_)) return;
    while (grow_one()) {
    }
  }

 private:
  [[nodiscard]] BlockIndex only_latch() const {
    BlockIndex found = no_block;
    for (const BlockIndex from : registers_.graph().predecessors(loop_.header)) {
      if (!loop_.contains[from]) continue;
      if (found != no_block) return no_block;
      found = from;
    }
    return found;
  }

  [[nodiscard]] MachineInstruction& at(const CodePlace& place) {
    return function_.blocks[place.block].code[place.position];
  }

  bool grow_one() {
    const std::vector<MachineInstruction>& latch = function_.blocks[latch_].code;
    for (std::size_t position = 0; position < latch.size(); ++position) {
      if (!is_copy(latch[position])) continue;
      std::optional<GrowingPointer> pointer = pointer_of({latch_, position});
      if (!pointer || !has_room(*pointer)) continue;
      apply(*pointer);
      touched_ = uses_of(function_);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<GrowingPointer> pointer_of(const CodePlace& copy) {
    GrowingPointer pointer;
    pointer.copy = copy;
    pointer.now = at(copy).result[0];
    pointer.next = at(copy).source[0][0];
    const RegisterUses &now = touched_[pointer.now], &next = touched_[pointer.next];
    if (now.writes.size() != 2 || next.writes.size() != 1 || next.reads.size() != 1) return std::nullopt;
    if (now.writes[0].block != before_ && now.writes[1].block != before_) return std::nullopt;
    pointer.sum = next.writes[0];
    const MachineInstruction& sum = at(pointer.sum);
    if (!loop_.contains[pointer.sum.block] || !adds_constant_word(sum) || sum.source[0][0] != pointer.now)
      return std::nullopt;
    pointer.step = sum.instruction.source[1].immediate;
    for (const CodePlace& read : now.reads) {
      if (read.block == pointer.sum.block && read.position == pointer.sum.position) continue;
      if (!add_setting(pointer, read)) return std::nullopt;
    }
    return pointer.settings.empty() ? std::nullopt : std::optional(pointer);
  }

  /// Of an address register that nobody else sets, in the loop.
  [[nodiscard]] bool add_setting(GrowingPointer& pointer, const CodePlace& place) {
    if (!loop_.contains[place.block] || place.position >= function_.blocks[place.block].code.size()) return false;
    const MachineInstruction& one = at(place);
    if (one.instruction.opcode != Opcode::shift_to_address || !sets_address(one) ||
        one.instruction.source[0].half != Operand::Half::full || touched_[one.result[0]].writes.size() != 1)
      return false;
    const std::uint32_t shift = one.instruction.source[1].immediate;
    pointer.settings.push_back({{shift, 0}, place});
    for (const CodePlace& read : touched_[one.result[0]].reads) {
      if (read.position >= function_.blocks[read.block].code.size() || !loop_.contains[read.block]) return false;
      const MachineInstruction& further = at(read);
      const bool adds = further.instruction.opcode == Opcode::add_address && sets_address(further);
      if (adds && touched_[further.result[0]].writes.size() == 1)
        pointer.settings.push_back({{shift, further.instruction.source[1].immediate}, read});
    }
    return true;
  }

  [[nodiscard]] std::vector<AddressDistance> distances(const GrowingPointer& pointer) const {
    std::vector<AddressDistance> found;
    for (const auto& [distance, place] : pointer.settings) found.push_back(distance);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  [[nodiscard]] bool has_room(const GrowingPointer& pointer) {
    AddressRegisters::Set replaced;
    for (const auto& [distance, place] : pointer.settings) replaced.insert(at(place).result[0]);
    return registers_.most_live(loop_, replaced) + distances(pointer).size() <= growing_addresses;
  }

  void apply(const GrowingPointer& pointer) {
    for (const AddressDistance& distance : distances(pointer)) {
      const VirtualRegister grown = function_.add_register(RegisterClass::address);
      set_before(pointer, distance, grown);
      const std::vector<CodePlace> readers = rename(pointer, distance, grown);
      if (readers.empty()) continue;
      const std::uint32_t step = pointer.step << distance.first;
      if (readers.size() != 1 || !step_at(readers.front(), grown, step)) add_behind(grown, step);
    }
    remove(pointer);
  }

  [[nodiscard]] static MachineInstruction address_setting(Opcode opcode, VirtualRegister result, VirtualRegister source,
                                                          std::uint32_t constant) {
    MachineInstruction one;
    Instruction& i = one.instruction;
    i.opcode = opcode;
    i.destination[0].kind = Operand::Kind::address;
    i.source[0].kind = opcode == Opcode::add_address ? Operand::Kind::address : Operand::Kind::gpr;
    i.source[1].kind = Operand::Kind::immediate;
    i.source[1].immediate = constant;
    one.source[0] = RegisterTuple(source);
    one.result = RegisterTuple(result);
    return one;
  }

  void set_before(const GrowingPointer& pointer, const AddressDistance& distance, VirtualRegister grown) {
    MachineBlock& before = function_.blocks[before_];
    append_code(before, address_setting(Opcode::shift_to_address, grown, pointer.now, distance.first));
    if (distance.second != 0) append_code(before, address_setting(Opcode::add_address, grown, grown, distance.second));
  }

  /// The new register takes the place of the old ones. Who reads it now, but for those who are about to go.
  [[nodiscard]] std::vector<CodePlace> rename(const GrowingPointer& pointer, const AddressDistance& distance,
                                              VirtualRegister grown) {
    std::vector<CodePlace> readers;
    for (const auto& [other, setting] : pointer.settings) {
      if (other != distance) continue;
      const VirtualRegister old = at(setting).result[0];
      for (const CodePlace& read : touched_[old].reads) {
        MachineInstruction& one = at(read);
        if (is_setting(pointer, read)) continue;
        for_each_read(one, [&](VirtualRegister& word) {
          if (word == old) word = grown;
        });
        readers.push_back(read);
      }
    }
    return readers;
  }

  [[nodiscard]] static bool is_setting(const GrowingPointer& pointer, const CodePlace& place) {
    return std::any_of(pointer.settings.begin(), pointer.settings.end(), [&](const auto& setting) {
      return setting.second.block == place.block && setting.second.position == place.position;
    });
  }

  /// The access moves its address on, if it happens once in each turn.
  [[nodiscard]] bool step_at(const CodePlace& place, VirtualRegister grown, std::uint32_t step) {
    MachineInstruction& one = at(place);
    const bool once = loops_.depth(place.block) == loops_.depth(loop_.header) &&
                      dominators_.dominates(place.block, latch_) && one.guard == no_register;
    if (!once || one.memory != grown) return false;
    Instruction stepped = one.instruction;
    Operand& operand = accessed(stepped);
    const std::int32_t offset = operand.offset;
    operand.post_increment = true;
    operand.offset = static_cast<std::int16_t>(step);
    if (!can_step(stepped) && far_loads_ && stepped.opcode == Opcode::mov) stepped.opcode = Opcode::load_shared;
    if (!can_step(stepped)) return false;
    one.instruction = stepped;
    one.steps_memory = true;
    if (offset != 0)
      append_code(function_.blocks[before_],
                  address_setting(Opcode::add_address, grown, grown, static_cast<std::uint32_t>(offset)));
    return true;
  }

  [[nodiscard]] static bool can_step(Instruction stepped) {
    accessed(stepped).address_register = 1;
    finish(stepped);
    return !encoding_problem(stepped).has_value();
  }

  void add_behind(VirtualRegister grown, std::uint32_t step) {
    append_code(function_.blocks[latch_], address_setting(Opcode::add_address, grown, grown, step & 0xffffU));
  }

  void remove(const GrowingPointer& pointer) {
    std::vector<CodePlace> places{pointer.sum, pointer.copy};
    for (const auto& [distance, place] : pointer.settings) places.push_back(place);
    std::sort(places.begin(), places.end(), [](const CodePlace& left, const CodePlace& right) {
      return std::tie(left.block, left.position) > std::tie(right.block, right.position);
    });
    for (const CodePlace& place : places) {
      std::vector<MachineInstruction>& code = function_.blocks[place.block].code;
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(place.position));
    }
  }

  MachineFunction& function_;
  const AddressRegisters& registers_;
  const NaturalLoop& loop_;
  const Loops& loops_;
  const DominatorTree& dominators_;
  std::vector<RegisterUses>& touched_;  ///< of all code, found anew after each change
  bool far_loads_;
  BlockIndex before_ = no_block, latch_ = no_block;
};

}  // namespace

void grow_addresses(MachineFunction& function, bool far_loads) {
  const AddressRegisters registers(function);
  const Loops loops(registers.graph());
  const DominatorTree tree = dominators(registers.graph());
  std::vector<RegisterUses> touched = uses_of(function);
  for (const NaturalLoop& loop : loops.all())
    LoopAddresses(function, registers, loop, loops, tree, touched, far_loads).run();
}

}  // namespace teslasim::compiler

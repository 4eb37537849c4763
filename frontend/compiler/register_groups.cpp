// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/register_groups.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// The row that each register has its place in, while tuples are separated.
class TupleRows {
 public:
  explicit TupleRows(std::size_t registers) : rows_(registers) {}

  /// All in one row in this order, with nothing between.
  [[nodiscard]] bool fits(const RegisterTuple& tuple) const {
    const RegisterSlot first = at(tuple[0]);
    if (first.group == no_group || first.slot != 0 || sizes_[first.group] != tuple.size()) return false;
    for (std::size_t word = 0; word < tuple.size(); ++word) {
      const RegisterSlot place = at(tuple[word]);
      if (place.group != first.group || place.slot != word) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_free(const RegisterTuple& tuple, VirtualRegister fixed) const {
    for (std::size_t word = 0; word < tuple.size(); ++word) {
      if (tuple[word] == fixed || at(tuple[word]).group != no_group) return false;
      for (std::size_t other = 0; other < word; ++other) {
        if (tuple[other] == tuple[word]) return false;
      }
    }
    return true;
  }
  void add(const RegisterTuple& tuple) {
    const auto row = static_cast<GroupIndex>(sizes_.size());
    sizes_.push_back(tuple.size());
    for (std::size_t word = 0; word < tuple.size(); ++word) {
      if (rows_.size() <= tuple[word]) rows_.resize(tuple[word] + 1);
      rows_[tuple[word]] = {row, static_cast<std::uint32_t>(word)};
    }
  }

 private:
  [[nodiscard]] RegisterSlot at(VirtualRegister one) const { return one < rows_.size() ? rows_[one] : RegisterSlot{}; }
  std::vector<RegisterSlot> rows_;
  std::vector<std::size_t> sizes_{};
};

MachineInstruction copy_at(std::uint32_t line, VirtualRegister result, VirtualRegister source) {
  MachineInstruction move = copy_of(result, source);
  move.instruction.source_line = line;
  return move;
}

bool is_row(const RegisterTuple& tuple, const MachineInstruction& one) {
  return tuple.size() > 1 || (one.result_again && !tuple.empty());
}

class TupleSeparation {
 public:
  explicit TupleSeparation(MachineFunction& function) : function_(function), rows_(function.registers.size()) {}

  void run() {
    for (MachineBlock& block : function_.blocks) {
      for (MachineInstruction& one : block.code) visit_result(one);
    }
    for (MachineBlock& block : function_.blocks) {
      std::vector<MachineInstruction> code;
      for (MachineInstruction& one : block.code) {
        after_.clear();
        for (RegisterTuple& tuple : one.source) {
          if (is_row(tuple, one) && !one.result_again) visit_source(tuple, one, code);
        }
        finish_result(one);
        code.push_back(one);
        for (MachineInstruction& move : after_) code.push_back(move);
      }
      block.code = std::move(code);
    }
  }

 private:
  void visit_result(const MachineInstruction& one) {
    if (!is_row(one.result, one) || one.result_again) return;
    if (rows_.is_free(one.result, function_.thread_index)) rows_.add(one.result);
  }

  /// Registers with several definitions, or those of textures, whose row is shared with the arguments.
  void finish_result(MachineInstruction& one) {
    if (!is_row(one.result, one) || (!one.result_again && rows_.fits(one.result))) return;
    for (VirtualRegister& word : one.result) {
      const VirtualRegister fresh = function_.add_register(RegisterClass::general);
      after_.push_back(copy_at(one.instruction.source_line, word, fresh));
      word = fresh;
    }
    if (!one.result_again) rows_.add(one.result);
  }

  void visit_source(RegisterTuple& tuple, const MachineInstruction& one, std::vector<MachineInstruction>& code) {
    if (rows_.fits(tuple)) return;
    if (rows_.is_free(tuple, function_.thread_index)) return rows_.add(tuple);
    for (VirtualRegister& word : tuple) {
      const VirtualRegister fresh = function_.add_register(RegisterClass::general);
      code.push_back(copy_at(one.instruction.source_line, fresh, word));
      word = fresh;
    }
    rows_.add(tuple);
  }

  MachineFunction& function_;
  TupleRows rows_;
  std::vector<MachineInstruction> after_{};
};

/// Merges groups along moves.
class Grouping {
 public:
  Grouping(const MachineFunction& function, const Interference& interference)
      : function_(function), interference_(interference) {}

  RegisterGroups run() {
    result_.places.resize(function_.registers.size());
    const std::vector<unsigned> reaches = register_reaches(function_);
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInstruction& one : block.code) add_tuples(one);
    }
    for (VirtualRegister one = 0; one < function_.registers.size(); ++one) {
      if (result_.places[one].group == no_group) add_row(RegisterTuple(one), 1);
      group(one).reach = std::min(group(one).reach, reaches[one]);
    }
    group(function_.thread_index).fixed = true;
    // Moves in inner loops first.
    std::vector<std::pair<unsigned, std::pair<VirtualRegister, VirtualRegister>>> moves;
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInstruction& one : block.code) {
        if (is_copy(one)) moves.push_back({block.depth, {one.result[0], one.source[0][0]}});
      }
    }
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [depth, registers] : moves) merge(registers.first, registers.second);
    return std::move(result_);
  }

 private:
  RegisterGroup& group(VirtualRegister one) { return result_.groups[result_.places[one].group]; }

  void add_row(const RegisterTuple& tuple, unsigned alignment) {
    const auto index = static_cast<GroupIndex>(result_.groups.size());
    RegisterGroup row;
    row.alignment = alignment;
    for (std::size_t word = 0; word < tuple.size(); ++word) {
      result_.places[tuple[word]] = {index, static_cast<std::uint32_t>(word)};
      row.slots.push_back({tuple[word]});
    }
    result_.groups.push_back(std::move(row));
  }

  void add_tuples(const MachineInstruction& one) {
    if (one.result_again && is_texture(one)) return add_texture(one);
    const auto add = [&](const RegisterTuple& tuple) {
      if (tuple.size() > 1 && result_.places[tuple[0]].group == no_group)
        add_row(tuple, static_cast<unsigned>(tuple.size()));
    };
    add(one.result);
    for (const RegisterTuple& tuple : one.source) add(tuple);
  }

  static bool is_texture(const MachineInstruction& one) { return one.instruction.opcode == Opcode::tex; }

  /// Arguments and results begin at the same register.
  void add_texture(const MachineInstruction& one) {
    const auto index = static_cast<GroupIndex>(result_.groups.size());
    RegisterGroup row;
    row.slots.resize(std::max(one.result.size(), one.source[0].size()));
    for (const RegisterTuple* tuple : {&one.result, &one.source[0]}) {
      for (std::size_t word = 0; word < tuple->size(); ++word) {
        row.slots[word].push_back((*tuple)[word]);
        result_.places[(*tuple)[word]] = {index, static_cast<std::uint32_t>(word)};
      }
    }
    result_.groups.push_back(std::move(row));
  }

  /// Does any register of `few` live at once with one of those in the other slot? Of each, the shorter list is gone
  /// through: its neighbours or the slot.
  [[nodiscard]] bool meet(const std::vector<VirtualRegister>& few, RegisterSlot other) const {
    const std::vector<VirtualRegister>& many = result_.groups[other.group].slots[other.slot];
    return std::any_of(few.begin(), few.end(), [&](VirtualRegister one) {
      const std::vector<VirtualRegister>& neighbours = interference_.of(one);
      if (many.size() <= neighbours.size())
        return std::any_of(many.begin(), many.end(), [&](VirtualRegister b) { return interference_.between(one, b); });
      return std::any_of(neighbours.begin(), neighbours.end(), [&](VirtualRegister b) {
        const RegisterSlot place = result_.places[b];
        return place.group == other.group && place.slot == other.slot;
      });
    });
  }
  [[nodiscard]] bool slots_meet(RegisterSlot a, RegisterSlot b) const {
    const std::vector<VirtualRegister>&left = result_.groups[a.group].slots[a.slot],
          &right = result_.groups[b.group].slots[b.slot];
    return left.size() <= right.size() ? meet(left, b) : meet(right, a);
  }

  void merge(VirtualRegister left, VirtualRegister right) {
    RegisterSlot a = result_.places[left], b = result_.places[right];
    if (a.group == b.group || function_.registers[left] != function_.registers[right]) return;
    if (result_.groups[a.group].slots.size() < result_.groups[b.group].slots.size()) std::swap(a, b);
    RegisterGroup &wide = result_.groups[a.group], &narrow = result_.groups[b.group];
    const bool single = narrow.slots.size() == 1;
    if (!single && (a.slot != b.slot || wide.slots.size() != narrow.slots.size())) return;
    if (wide.slots.size() > 1 && (narrow.fixed || wide.fixed)) return;
    for (std::size_t slot = 0; slot < narrow.slots.size(); ++slot) {
      const auto row = static_cast<std::uint32_t>(slot);
      if (slots_meet({b.group, row}, {a.group, single ? a.slot : row})) return;
    }
    for (std::size_t slot = 0; slot < narrow.slots.size(); ++slot) {
      const auto target = static_cast<std::uint32_t>(single ? a.slot : slot);
      for (const VirtualRegister one : narrow.slots[slot]) {
        wide.slots[target].push_back(one);
        result_.places[one] = {a.group, target};
      }
      narrow.slots[slot].clear();
    }
    wide.fixed = wide.fixed || narrow.fixed;
    wide.reach = std::min(wide.reach, narrow.reach);
    wide.alignment = std::max(wide.alignment, narrow.alignment);
    narrow.slots.clear();
  }

  const MachineFunction& function_;
  const Interference& interference_;
  RegisterGroups result_{};
};

}  // namespace

void separate_tuples(MachineFunction& function) {
  TupleSeparation(function).run();
}

RegisterGroups group_registers(const MachineFunction& function, const Interference& interference) {
  return Grouping(function, interference).run();
}

}  // namespace teslasim::compiler

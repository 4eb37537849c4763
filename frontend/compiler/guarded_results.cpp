// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/guarded_results.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace teslasim::compiler {
namespace {

bool is_guarded_move(const MachineInstruction& one) {
  if (!one.keeps_result() || one.flag_result != no_register) return false;
  MachineInstruction unguarded = one;
  unguarded.guard = no_register;
  return is_copy(unguarded);
}

bool reads_memory(const MachineInstruction& one) {
  const auto is_memory = [](const Operand& operand) {
    return operand.kind == Operand::Kind::shared || operand.kind == Operand::Kind::global ||
           operand.kind == Operand::Kind::local;
  };
  return std::any_of(one.instruction.source.begin(), one.instruction.source.end(), is_memory);
}

/// Barriers, fences, volatile accesses and everything that stores.
bool orders_memory(const MachineInstruction& one) {
  const Instruction& i = one.instruction;
  return one.ordered || i.form == Form::control_form || i.store_target.kind != Operand::Kind::none ||
         i.opcode == Opcode::atom || i.lock;
}

class GuardedResults {
 public:
  explicit GuardedResults(MachineFunction& function)
      : function_(function), reads_(function.registers.size()), writes_(function.registers.size()) {}

  void run() {
    for (const MachineBlock& block : function_.blocks) {
      for (const MachineInstruction& one : block.code) {
        for_each_read(one, [this](VirtualRegister read) { ++reads_[read]; });
        for_each_write(one, [this](VirtualRegister written) { ++writes_[written]; });
      }
    }
    for (MachineBlock& block : function_.blocks) {
      for (std::size_t at = 0; at < block.code.size(); ++at) {
        if (!is_guarded_move(block.code[at])) continue;
        const auto from = definition(block.code, at);
        if (!from) continue;
        replace(block.code, *from, at);
        --at;
      }
    }
  }

 private:
  /// Where the moved value is computed, when that can wait until the move.
  [[nodiscard]] std::optional<std::size_t> definition(const std::vector<MachineInstruction>& code,
                                                      std::size_t move) const {
    const VirtualRegister value = code[move].source[0][0];
    if (reads_[value] != 1 || writes_[value] != 1) return std::nullopt;
    for (std::size_t at = move; at-- > 0;) {
      if (code[at].result.size() == 1 && code[at].result[0] == value)
        return may_wait(code, at, move) ? std::optional(at) : std::nullopt;
    }
    return std::nullopt;
  }

  [[nodiscard]] static bool may_wait(const std::vector<MachineInstruction>& code, std::size_t from, std::size_t move) {
    const MachineInstruction& one = code[from];
    const MachineInstruction& copy = code[move];
    const bool same_guard =
        one.fresh_result && one.guard == copy.guard && one.instruction.condition == copy.instruction.condition;
    const bool plain = one.instruction.form == Form::long_form && one.flag_result == no_register && !one.result_again &&
                       one.instruction.opcode != Opcode::atom && !one.instruction.lock &&
                       one.instruction.destination[0].half == Operand::Half::full;
    if (!plain || (one.guard != no_register && !same_guard)) return false;
    for (std::size_t at = from + 1; at < move; ++at) {
      if (reads_memory(one) && orders_memory(code[at])) return false;
      bool changes = false;
      for_each_write(code[at], [&](VirtualRegister written) {
        for_each_read(one, [&](VirtualRegister read) { changes = changes || read == written; });
      });
      if (changes) return false;
    }
    return true;
  }

  static void replace(std::vector<MachineInstruction>& code, std::size_t from, std::size_t move) {
    MachineInstruction one = code[from];
    one.result = code[move].result;
    one.guard = code[move].guard;
    one.instruction.condition = code[move].instruction.condition;
    one.fresh_result = false;
    code[move] = one;
    code.erase(code.begin() + static_cast<std::ptrdiff_t>(from));
  }

  MachineFunction& function_;
  std::vector<unsigned> reads_, writes_;
};

}  // namespace

void compute_under_guards(MachineFunction& function) {
  GuardedResults(function).run();
}

}  // namespace teslasim::compiler

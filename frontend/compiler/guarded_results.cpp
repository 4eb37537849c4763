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

/// Nothing in between changes what it reads.
bool may_wait_until(const std::vector<MachineInstruction>& code, std::size_t from, std::size_t until) {
  const MachineInstruction& one = code[from];
  for (std::size_t at = from + 1; at < until; ++at) {
    if (reads_memory(one) && orders_memory(code[at])) return false;
    bool changes = false;
    for_each_write(code[at], [&](VirtualRegister written) {
      for_each_read(one, [&](VirtualRegister read) { changes = changes || read == written; });
    });
    if (changes) return false;
  }
  return true;
}

class GuardedResults {
 public:
  explicit GuardedResults(MachineFunction& function)
      : function_(function), reads_(function.uses()), writes_(function.definitions()) {}

  void run() {
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
    return plain && (one.guard == no_register || same_guard) && may_wait_until(code, from, move);
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

/// Instructions between the flags of a guard and those under it, which alone read what they compute.
class GuardedSources {
 public:
  explicit GuardedSources(MachineFunction& function)
      : function_(function), reads_(function.uses()), writes_(function.definitions()) {}

  void run() {
    for (MachineBlock& block : function_.blocks) {
      for (std::size_t at = block.code.size(); at-- > 0;) put_under_guard(block.code, at);
    }
  }

 private:
  void put_under_guard(std::vector<MachineInstruction>& code, std::size_t at) const {
    if (!can_be_guarded(code[at]) || writes_[code[at].result[0]] != 1) return;
    const std::optional<std::size_t> reader = first_reader_under_guard(code, at);
    if (!reader) return;
    const VirtualRegister guard = code[*reader].guard;
    const auto flags = std::find_if(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(*reader),
                                    [guard](const MachineInstruction& one) { return one.flag_result == guard; });
    if (writes_[guard] != 1 || flags == code.begin() + static_cast<std::ptrdiff_t>(*reader)) return;
    const bool waits = flags - code.begin() > static_cast<std::ptrdiff_t>(at);
    if (waits && !may_wait_until(code, at, *reader)) return;
    code[at].guard = guard;
    code[at].instruction.condition = code[*reader].instruction.condition;
    code[at].fresh_result = true;
    if (waits)
      std::rotate(code.begin() + static_cast<std::ptrdiff_t>(at), code.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  code.begin() + static_cast<std::ptrdiff_t>(*reader));
  }

  [[nodiscard]] static bool can_be_guarded(const MachineInstruction& one) {
    const Instruction& i = one.instruction;
    return i.form == Form::long_form && one.result.size() == 1 && one.guard == no_register &&
           one.flag_result == no_register && !one.result_again && !one.steps_memory && !orders_memory(one) &&
           i.opcode != Opcode::tex && i.opcode != Opcode::call && i.opcode != Opcode::vote &&
           !(is_copy(one) && i.destination[0].kind == Operand::Kind::gpr);
  }

  /// Of those that read the result, if all stand behind it in its block under the same guard.
  [[nodiscard]] std::optional<std::size_t> first_reader_under_guard(const std::vector<MachineInstruction>& code,
                                                                    std::size_t from) const {
    const VirtualRegister value = code[from].result[0];
    std::optional<std::size_t> found;
    unsigned left = reads_[value];
    for (std::size_t at = from + 1; at < code.size() && left != 0; ++at) {
      const MachineInstruction& one = code[at];
      const unsigned before = left;
      for_each_read(one, [&](VirtualRegister read) { left -= read == value ? 1 : 0; });
      if (left == before) continue;
      if (one.guard == no_register || one.guard == value || !one.instruction.predicated()) return std::nullopt;
      if (found && !has_same_guard(code[*found], one)) return std::nullopt;
      if (!found) found = at;
    }
    return left == 0 ? found : std::nullopt;
  }
  [[nodiscard]] static bool has_same_guard(const MachineInstruction& left, const MachineInstruction& right) {
    return left.guard == right.guard && left.instruction.condition == right.instruction.condition;
  }

  MachineFunction& function_;
  std::vector<unsigned> reads_, writes_;
};

}  // namespace

void compute_under_guards(MachineFunction& function) {
  GuardedResults(function).run();
}

void guard_sources(MachineFunction& function) {
  GuardedSources(function).run();
}

}  // namespace teslasim::compiler

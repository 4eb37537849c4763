// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/compiler/block_ends.h"
#include "frontend/compiler/block_order.h"
#include "frontend/compiler/numbered_code.h"
#include "isa/forms.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

class Emitter {
 public:
  Emitter(const MachineFunction& function, const RegisterAllocation& allocation, const EmitOptions& options)
      : function_(function),
        allocation_(allocation),
        options_(options),
        order_(block_order(function)),
        starts_(function.blocks.size()) {
    std::erase_if(order_, [this](BlockIndex block) { return block != 0 && is_passed(block); });
  }

  void run(Kernel& kernel) {
    for (std::size_t at = 0; at < order_.size(); ++at) write_block(at);
    if (options_.short_forms) shorten();
    place(kernel);
    kernel.registers = std::max(1U, allocation_.general_registers);
    for (const Written& one : code_) {
      if (one.instruction.opcode == Opcode::bar)
        kernel.barriers = std::max(kernel.barriers, std::uint32_t{one.instruction.barrier().number} + 1);
    }
    finish_kernel(kernel);
  }

 private:
  struct Written {
    Instruction instruction{};
    BlockIndex target = no_block;
    bool starts_block = false;
  };

  /// A block that does nothing but jump on, once its moves have become superfluous: those who come go where it leads.
  [[nodiscard]] bool is_passed(BlockIndex block) const {
    const MachineBlock& one = function_.blocks[block];
    return one.end.kind == MachineEnd::Kind::jump && one.end.target[0] != block && !one.joins &&
           std::all_of(one.code.begin(), one.code.end(),
                       [this](const auto& move) { return is_superfluous(move, allocation_); });
  }
  [[nodiscard]] MachineEnd resolved(MachineEnd end) const {
    for (BlockIndex& target : end.target) {
      for (std::size_t steps = 0; target != no_block && is_passed(target) && steps < function_.blocks.size(); ++steps)
        target = function_.blocks[target].end.target[0];
    }
    return end;
  }
  [[nodiscard]] std::uint8_t number(VirtualRegister one) const { return allocation_.number[one]; }

  void write_block(std::size_t at) {
    const BlockIndex block = order_[at];
    const MachineBlock& one = function_.blocks[block];
    starts_[block] = code_.size();
    if (is_exit(block) && at != 0) return;  // those who come end where they are
    const std::size_t first = code_.size();
    bool joins = one.joins;
    for (const MachineInstruction& instruction : one.code) {
      if (is_superfluous(instruction, allocation_)) continue;
      Written written{numbered(instruction, allocation_), instruction.target, false};
      if (joins && !can_join(written.instruction)) write_join();
      if (joins && can_join(written.instruction)) written.instruction.join = true;
      joins = false;
      code_.push_back(written);
    }
    const BlockIndex next = at + 1 < order_.size() ? order_[at + 1] : no_block;
    if (joins) write_join();
    write_end(resolved(one.end), next, first);
    if (code_.size() > first) code_[first].starts_block = true;
  }

  void write_join() {
    Written nop;
    nop.instruction.opcode = Opcode::nop;
    nop.instruction.join = true;
    code_.push_back(nop);
  }

  void write_end(const MachineEnd& end, BlockIndex next, std::size_t first) {
    if (end.kind == MachineEnd::Kind::exit) return write_exit(end, first);
    if (end.kind == MachineEnd::Kind::back) return write_return(no_register, condition_always, end.line);
    if (end.kind == MachineEnd::Kind::jump) {
      if (is_exit(end.target[0])) return write_exit(end, first);
      if (end.target[0] != next) write_branch(end.target[0], no_register, condition_always, end.line);
      return;
    }
    const bool ends_first = is_exit(end.target[0]), ends_second = is_exit(end.target[1]);
    if (end.uniform && ends_first != ends_second && end.target[ends_first ? 1 : 0] != next) {
      // All go on together, most often once more through a loop, or end together.
      write_branch(end.target[ends_first ? 1 : 0], end.guard, ends_first ? opposite(end.condition) : end.condition,
                   end.line);
      write_return(no_register, condition_always, end.line);
    } else if (ends_first) {
      write_return(end.guard, end.condition, end.line);
      if (end.target[1] != next) write_branch(end.target[1], no_register, condition_always, end.line);
    } else if (ends_second) {
      write_return(end.guard, opposite(end.condition), end.line);
      if (end.target[0] != next) write_branch(end.target[0], no_register, condition_always, end.line);
    } else if (end.first != either_way) {
      // Threads that jump go on before those that do not.
      write_branch(end.target[end.first], end.guard, end.first == 0 ? end.condition : opposite(end.condition),
                   end.line);
      if (end.target[1 - end.first] != next)
        write_branch(end.target[1 - end.first], no_register, condition_always, end.line);
    } else if (end.target[0] == next) {
      write_branch(end.target[1], end.guard, opposite(end.condition), end.line);
    } else {
      write_branch(end.target[0], end.guard, end.condition, end.line);
      if (end.target[1] != next) write_branch(end.target[1], no_register, condition_always, end.line);
    }
  }

  /// A block in which threads only end.
  [[nodiscard]] bool is_exit(BlockIndex block) const {
    const MachineBlock& one = function_.blocks[block];
    return one.end.kind == MachineEnd::Kind::exit && !one.joins && one.code.empty();
  }

  /// Conditions that are each other's opposite add up to 15.
  static std::uint8_t opposite(std::uint8_t condition) {
    return static_cast<std::uint8_t>(condition_always - condition);
  }

  /// The last instruction ends the threads itself where it can.
  void write_exit(const MachineEnd& end, std::size_t first) {
    if (code_.size() > first) {
      Instruction& last = code_.back().instruction;
      if (can_exit(last)) {
        last.exit = true;
        return;
      }
    }
    write_return(no_register, condition_always, end.line);
  }

  void write_return(VirtualRegister guard, std::uint8_t condition, std::uint32_t line) {
    Written one;
    one.instruction.opcode = Opcode::ret;
    one.instruction.form = Form::control_form;
    one.instruction.source_line = line;
    set_guard(one.instruction, guard, condition);
    code_.push_back(one);
  }

  void write_branch(BlockIndex target, VirtualRegister guard, std::uint8_t condition, std::uint32_t line) {
    Written one;
    one.instruction.opcode = Opcode::bra;
    one.instruction.form = Form::control_form;
    one.instruction.source_line = line;
    set_guard(one.instruction, guard, condition);
    one.target = target;
    code_.push_back(one);
  }

  void set_guard(Instruction& instruction, VirtualRegister guard, std::uint8_t condition) const {
    if (guard == no_register) return;
    instruction.guard_flags = number(guard);
    instruction.condition = condition;
  }

  /// Short instructions come in pairs, and what is branched to begins at a multiple of 8.
  void shorten() {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (!fits_short(code_[at].instruction) || at + 1 >= code_.size()) continue;
      if (code_[at + 1].starts_block || !fits_short(code_[at + 1].instruction)) continue;
      make_short(code_[at].instruction);
      make_short(code_[at + 1].instruction);
      ++at;
    }
  }

  void place(Kernel& kernel) {
    std::vector<std::uint32_t> addresses;
    std::uint32_t address = 0;
    for (const Written& one : code_) {
      addresses.push_back(address);
      address += one.instruction.bytes;
    }
    for (std::size_t at = 0; at < code_.size(); ++at) {
      Instruction& i = code_[at].instruction;
      i.pc = addresses[at];
      const BlockIndex target = code_[at].target;
      if (target != no_block) {
        const std::uint32_t to = addresses.at(starts_[target]);
        i.branch().target = to;
        kernel.labels.emplace(to, fmt::format("L{}", target));
      }
      finish(i);
      const auto problem = encoding_problem(i);
      if (problem)
        throw InternalError(
            fmt::format("made an instruction that does not exist: {} ({})", info(i.opcode).name, problem->message));
      if (required_sm(i) > options_.sm)
        throw InternalError(
            fmt::format("made an instruction that sm_{} does not have: {}", options_.sm, info(i.opcode).name));
      kernel.code.push_back(i);
    }
  }

  const MachineFunction& function_;
  const RegisterAllocation& allocation_;
  const EmitOptions& options_;
  std::vector<BlockIndex> order_;
  std::vector<std::size_t> starts_;
  std::vector<Written> code_{};
};

}  // namespace

void emit(const MachineFunction& function, const RegisterAllocation& allocation, const EmitOptions& options,
          Kernel& kernel) {
  Emitter(function, allocation, options).run(kernel);
}

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/selector.h"

#include <utility>

#include "frontend/compiler/loops.h"
#include "frontend/compiler/select_arithmetic.h"
#include "frontend/compiler/select_memory.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Kind = Operand::Kind;

class Selector {
 public:
  Selector(const IrFunction& function, MachineFunction& machine, const CompileOptions& options)
      : function_(function),
        machine_(machine),
        builder_(function, machine),
        operands_(function, builder_, options.sm >= 11),
        context_{function, builder_, operands_, options, function.uses()} {}

  void run() {
    machine_.blocks.resize(function_.blocks.size());
    tails_.resize(function_.blocks.size());
    const Loops loops(function_.graph());
    const std::vector<BlockIndex> order = reverse_postorder(function_.graph());
    for (const BlockIndex block : order) {
      machine_.blocks[block].depth = loops.depth(block);
      machine_.blocks[block].joins = function_.blocks[block].joins;
      builder_.begin_block(block);
      for (const NodeIndex index : function_.blocks[block].nodes) select(index);
      tails_[block] = builder_.block();
      end(block);
    }
  }

  void run_routine(const MachineRoutine& routine) {
    builder_.begin_block(routine.block);
    for (const NodeIndex index : function_.blocks[0].nodes) {
      const IrNode& node = function_.nodes[index];
      if (node.operation == Op::routine_operand) {
        builder_.set_register(node.results[0], routine.operand.at(node.number));
      } else if (node.operation == Op::routine_result) {
        builder_.copy(routine.operand[0], operands_.in_register(node.arguments[0]));
      } else {
        select(index);
      }
    }
  }

 private:
  void select(NodeIndex index) {
    const IrNode& node = function_.nodes[index];
    builder_.set_line(node.line);
    if (node.operation == Op::phi || node.operation == Op::thread_index || operands_.is_deferred(index)) return;
    switch (node.operation) {
      case Op::load:
      case Op::store:
      case Op::atomic:
      case Op::locked_atomic:
      case Op::texture:
        return select_memory(context_, node);
      case Op::barrier:
      case Op::memory_barrier:
      case Op::trap:
      case Op::breakpoint:
      case Op::performance_event:
        return select_system(context_, node);
      default:
        return select_arithmetic(context_, node);
    }
  }

  /// Phis of the next block, flags, announced joins, branch.
  void end(BlockIndex block) {
    const IrBlock& one = function_.blocks[block];
    MachineEnd result;
    result.line = one.end.line;
    result.target = one.end.target;
    result.uniform = one.end.uniform;
    result.first = one.end.first;
    if (one.end.kind == IrEnd::Kind::branch) {
      result.kind = MachineEnd::Kind::branch;
      const auto [flags, negated] = context_.flags_of(one.end.condition);
      result.guard = flags;
      result.condition = negated ? condition_false : condition_true;
      for (const BlockIndex target : one.end.target) {
        if (has_phis(target)) move_to_phis(block, target);
      }
    } else if (one.end.kind == IrEnd::Kind::jump) {
      result.kind = MachineEnd::Kind::jump;
      move_to_phis(block, one.end.target[0]);
    }
    for (const BlockIndex target : one.announces) {
      MachineInstruction join;
      join.instruction.opcode = Opcode::joinat;
      join.instruction.form = Form::control_form;
      join.target = target;
      builder_.append(join);
    }
    machine_.blocks[builder_.block()].end = result;
  }

  [[nodiscard]] bool has_phis(BlockIndex block) const {
    const std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
    return !nodes.empty() && function_.nodes[nodes.front()].operation == Op::phi;
  }

  /// All phis are assigned at once: values go through registers of their own, which the allocator merges where it can.
  void move_to_phis(BlockIndex from, BlockIndex to) {
    const IrBlock& target = function_.blocks[to];
    std::size_t position = 0;
    while (target.predecessors[position] != from) ++position;
    std::vector<std::pair<VirtualRegister, IrArgument>> moves;
    for (const NodeIndex index : target.nodes) {
      const IrNode& phi = function_.nodes[index];
      if (phi.operation != Op::phi) break;
      const IrArgument& argument = phi.arguments[position];
      if (argument != value_argument(phi.results[0]))
        moves.emplace_back(builder_.register_of(phi.results[0]), argument);
    }
    // Sources that are phis of the same block would be overwritten: they are saved first.
    std::vector<VirtualRegister> sources;
    for (const auto& [result, argument] : moves) {
      const bool constant = argument.is_constant();
      VirtualRegister source = constant ? no_register : operands_.in_register(argument);
      if (!constant && is_phi_of(argument, to)) source = copy_to_new(source);
      sources.push_back(source);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (sources[i] == no_register) {
        builder_.materialise_into(moves[i].first, moves[i].second.constant);
      } else {
        builder_.copy(moves[i].first, sources[i]);
      }
    }
  }

  [[nodiscard]] bool is_phi_of(const IrArgument& argument, BlockIndex block) const {
    const NodeIndex definition = function_.values[argument.value].node;
    if (function_.nodes[definition].operation != Op::phi) return false;
    for (const NodeIndex index : function_.blocks[block].nodes) {
      if (index == definition) return true;
      if (function_.nodes[index].operation != Op::phi) break;
    }
    return false;
  }

  VirtualRegister copy_to_new(VirtualRegister source) {
    const VirtualRegister result = builder_.new_register();
    builder_.copy(result, source);
    return result;
  }

  const IrFunction& function_;
  MachineFunction& machine_;
  MachineBuilder builder_;
  OperandSelector operands_;
  SelectionContext context_;
  std::vector<BlockIndex> tails_{};
};

}  // namespace

MachineFunction select_instructions(const IrFunction& function, const CompileOptions& options) {
  MachineFunction machine;
  machine.thread_index = machine.add_register(RegisterClass::general);
  Selector(function, machine, options).run();
  return machine;
}

void select_routine(const IrFunction& function, const MachineRoutine& routine, MachineFunction& kernel,
                    const CompileOptions& options) {
  SIM_CHECK(function.blocks[0].end.kind == IrEnd::Kind::exit, "a routine is straight code");
  Selector(function, kernel, options).run_routine(routine);
}

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/translate_function.h"

#include <memory>
#include <unordered_map>
#include <utility>

#include "frontend/compiler/function_blocks.h"
#include "frontend/compiler/translation.h"
#include "frontend/compiler/used_variables.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxFunction;
using ptx::PtxInstruction;
using ptx::PtxOpcode;
using ptx::PtxOperand;
using ptx::PtxSymbol;

/// Levels of calls; calls that go round are refused before.
constexpr unsigned most_levels = 64;
/// Inlining may multiply code; this is more than any kernel of the chip's instruction memory.
constexpr std::size_t most_nodes = 1'000'000;

class FunctionTranslator final : public RuntimeCalls {
 public:
  FunctionTranslator(const TranslationInput& input, const KernelLayout& layout, IrFunction& function,
                     std::vector<ptx::PtxMistake>& mistakes, std::vector<ptx::PtxMistake>& warnings)
      : input_(input),
        ir_(function),
        ssa_(function),
        values_(ir_, ssa_, input.layout, layout, input.options.sm < 13),
        mistakes_(mistakes),
        warnings_(warnings) {}

  void run(const PtxFunction& entry) {
    const BlockIndex first = ir_.function().add_block();
    ssa_.seal(first);
    ir_.set_block(first);
    body(input_.module, entry, no_block);
    ssa_.seal_all();
  }

  void run_routine(const std::string& name, unsigned operands) {
    const BlockIndex first = ir_.function().add_block();
    ssa_.seal(first);
    ir_.set_block(first);
    std::vector<IrArgument> arguments;
    for (unsigned number = 0; number < operands; ++number) {
      IrNode operand;
      operand.operation = IrOperation::routine_operand;
      operand.number = number;
      arguments.push_back(ir_.add_node(std::move(operand)));
    }
    IrNode result;
    result.operation = IrOperation::routine_result;
    result.arguments = call(name, arguments);
    ir_.append(std::move(result), 0);
    ssa_.seal_all();
  }

  std::vector<IrArgument> call(const std::string& name, const std::vector<IrArgument>& arguments) override {
    for (const ptx::PtxModule& module : input_.runtime) {
      for (const PtxFunction& function : module.functions) {
        if (function.name == name) return inline_call(module, function, arguments);
      }
    }
    throw InternalError("the runtime library has no '" + name + "'");
  }

 private:
  const ScopeNames& names_of(const ptx::PtxModule& module, const PtxFunction& function) {
    std::unique_ptr<ScopeNames>& names = names_[&function];
    if (!names) names = std::make_unique<ScopeNames>(module, function);
    return *names;
  }

  static PtxSymbol symbol_of(const ptx::PtxVariable& variable) {
    PtxSymbol symbol;
    symbol.variable = &variable;
    return symbol;
  }

  static unsigned words_of(const ptx::PtxVariable& variable) {
    const auto bytes = bytes_of(variable);
    return static_cast<unsigned>((bytes.value_or(4) + 3) / 4);
  }

  /// Words in the order of the parameters, words of the results back.
  std::vector<IrArgument> inline_call(const ptx::PtxModule& module, const PtxFunction& function,
                                      const std::vector<IrArgument>& arguments) {
    const unsigned instance = ++instances_;
    const ptx::PtxNames* names_before = names_before_call_;
    const unsigned instance_before = current_instance_;
    std::size_t at = 0;
    for (const ptx::PtxVariable& parameter : function.parameters) {
      for (unsigned word = 0; word < words_of(parameter); ++word)
        values_.write_word(symbol_of(parameter), instance, 0, word,
                           at < arguments.size() ? arguments[at++] : IrArgument{});
    }
    const BlockIndex after = ir_.function().add_block();
    current_instance_ = instance;
    if (++level_ <= most_levels && ir_.function().nodes.size() < most_nodes) {
      body(module, function, after);
    } else {
      ir_.function().jump(ir_.block(), after);
    }
    --level_;
    current_instance_ = instance_before;
    ssa_.seal(after);
    ir_.set_block(after);
    std::vector<IrArgument> results;
    for (const ptx::PtxVariable& result : function.results) {
      for (unsigned word = 0; word < words_of(result); ++word)
        results.push_back(values_.read_word(symbol_of(result), instance, 0, word));
    }
    ended_ = false;
    names_before_call_ = names_before;
    if (names_before != nullptr) values_.enter(*names_before, instance_before);
    return results;
  }

  /// `after`: where ret goes; no_block: threads end.
  void body(const ptx::PtxModule& module, const PtxFunction& function, BlockIndex after) {
    const FunctionBlocks ptx = blocks_of(function);
    const ScopeNames& names = names_of(module, function);
    std::vector<BlockIndex> heads;
    for (std::size_t i = 0; i < ptx.blocks.size(); ++i) heads.push_back(ir_.function().add_block());
    ir_.function().jump(ir_.block(), heads[0]);
    std::vector<bool> done(ptx.blocks.size());
    for (const BlockIndex block : reverse_postorder(ptx.graph)) {
      bool complete = true;
      for (const BlockIndex from : ptx.graph.predecessors(block)) complete = complete && done[from];
      if (complete) ssa_.seal(heads[block]);
      ir_.set_block(heads[block]);
      ended_ = false;
      for (const BlockInstruction& one : ptx.blocks[block].instructions) {
        instruction(names, ptx, heads, block, one, after);
      }
      if (!ended_) fall(ptx, heads, block, after);
      done[block] = true;
    }
    for (const BlockIndex head : heads) {
      if (!ir_.function().blocks[head].predecessors.empty()) ssa_.seal(head);
    }
  }

  void fall(const FunctionBlocks& ptx, const std::vector<BlockIndex>& heads, BlockIndex block, BlockIndex after) {
    if (block + 1 < ptx.blocks.size()) return ir_.function().jump(ir_.block(), heads[block + 1]);
    leave(after);
  }

  void leave(BlockIndex after) {
    if (after != no_block) ir_.function().jump(ir_.block(), after);
    ended_ = true;
  }

  void instruction(const ScopeNames& names, const FunctionBlocks& ptx, const std::vector<BlockIndex>& heads,
                   BlockIndex block, const BlockInstruction& one, BlockIndex after) {
    names_before_call_ = &names.of(one.scope);
    values_.enter(*names_before_call_, current_instance_);
    if (level_ == 0) {
      const bool ours = one.line != nullptr && (input_.main_file == 0 || one.line->file == input_.main_file);
      const std::uint32_t ptx_line = one.instruction->place.line;
      // What comes from a header belongs to the line that uses it, as do instructions without a line (0).
      if (ours && one.line->line != 0) source_line_ = one.line->line;
      ir_.set_lines(input_.options.ptx_lines ? ptx_line : source_line_, ptx_line);
    }
    const ptx::PtxFormMatch match = match_form(*one.instruction);
    SIM_CHECK(match.form.has_value(), "the module was not checked");
    const PtxOpcode opcode = match.form->opcode();
    if (opcode == PtxOpcode::branch) return branch(*one.instruction, ptx, heads, block);
    if (opcode == PtxOpcode::return_ || opcode == PtxOpcode::exit || opcode == PtxOpcode::trap)
      return end(*one.instruction, opcode, heads, block, after);
    if (one.instruction->guard.empty()) return plain(*one.instruction, *match.form);
    guarded(*one.instruction, *match.form);
  }

  IrArgument guard_of(const PtxInstruction& instruction) {
    PtxOperand operand;
    operand.name = instruction.guard;
    operand.negated = instruction.guard_negated;
    return values_.read_predicate(operand);
  }

  void branch(const PtxInstruction& instruction, const FunctionBlocks& ptx, const std::vector<BlockIndex>& heads,
              BlockIndex block) {
    const BlockIndex target = heads[ptx.graph.successors(block).front()];
    ended_ = true;
    ir_.function().blocks[ir_.block()].end.line = ir_.line();
    if (instruction.guard.empty()) return ir_.function().jump(ir_.block(), target);
    if (block + 1 >= heads.size()) {
      const BlockIndex last = ir_.function().add_block();
      ir_.function().branch(ir_.block(), guard_of(instruction), target, last);
      return ssa_.seal(last);
    }
    ir_.function().branch(ir_.block(), guard_of(instruction), target, heads[block + 1]);
  }

  void end(const PtxInstruction& instruction, PtxOpcode opcode, const std::vector<BlockIndex>& heads, BlockIndex block,
           BlockIndex after) {
    ended_ = true;
    ir_.function().blocks[ir_.block()].end.line = ir_.line();
    const bool returns = opcode == PtxOpcode::return_;
    BlockIndex target = returns ? after : no_block;
    if (instruction.guard.empty() && opcode != PtxOpcode::trap) return leave(target);
    const IrArgument guard = instruction.guard.empty() ? constant_argument(~0U) : guard_of(instruction);
    const BlockIndex from = ir_.block();
    if (target == no_block) {
      target = ir_.function().add_block();
      if (opcode == PtxOpcode::trap) {
        IrNode node;
        node.operation = IrOperation::trap;
        ir_.set_block(target);
        ir_.append(std::move(node), 0);
        ir_.set_block(from);
      }
    }
    if (instruction.guard.empty()) {
      ir_.function().jump(from, target);
    } else {
      const BlockIndex next = block + 1 < heads.size() ? heads[block + 1] : ir_.function().add_block();
      ir_.function().branch(from, guard, target, next);
      if (block + 1 >= heads.size()) ssa_.seal(next);
    }
    if (target != after) ssa_.seal(target);
  }

  /// An instruction that only some threads execute stands in a block of its own; what can be predicated is, later.
  void guarded(const PtxInstruction& instruction, const ptx::PtxForm& form) {
    const BlockIndex inside = ir_.function().add_block(), next = ir_.function().add_block();
    ir_.function().branch(ir_.block(), guard_of(instruction), inside, next);
    ssa_.seal(inside);
    ir_.set_block(inside);
    plain(instruction, form);
    ir_.function().jump(ir_.block(), next);
    ssa_.seal(next);
    ir_.set_block(next);
  }

  void plain(const PtxInstruction& instruction, const ptx::PtxForm& form) {
    if (form.opcode() == PtxOpcode::call) return call_function(instruction);
    const Translation t{ir_, values_, *this, input_.options, mistakes_, warnings_, instruction, form};
    if (form.types[0] == ptx::PtxType::f64 || form.types[1] == ptx::PtxType::f64) {
      if (!check_double(t)) return;
    }
    dispatch(t);
  }

  bool check_double(const Translation& t) {
    if (input_.options.sm >= 13) return true;
    if (!input_.options.demote_doubles) {
      t.unsupported("f64 needs sm_13", help_for_level(13) + "; or write floats: 0.5f");
      return false;
    }
    t.warn("CUDA-DOUBLE", "f64 becomes f32: chips below sm_13 have no double precision", "write floats: 0.5f, sqrtf");
    return true;
  }

  static void dispatch(const Translation& t) {
    using enum PtxOpcode;
    switch (t.form.opcode()) {
      case set:
      case set_predicate:
      case select:
      case select_by_sign:
        return translate_comparison(t);
      case move:
      case convert_address:
        return translate_move(t);
      case convert:
        return translate_conversion(t);
      case load:
      case load_uniform:
      case store:
        return translate_memory(t);
      case atomic:
      case reduction:
        return translate_atomic(t);
      case texture:
        return translate_texture(t);
      case barrier:
      case vote:
      case memory_barrier:
      case breakpoint:
      case performance_event:
      case prefetch:
        return translate_system(t);
      default:
        return dispatch_arithmetic(t);
    }
  }

  static void dispatch_arithmetic(const Translation& t) {
    using enum PtxOpcode;
    switch (t.form.opcode()) {
      case bit_and:
      case bit_or:
      case bit_xor:
      case bit_not:
      case logical_not:
      case shift_left:
      case shift_right:
      case count_ones:
      case count_leading_zeros:
      case find_leading_bit:
      case bit_reverse:
      case bit_field_extract:
      case bit_field_insert:
      case permute:
        return translate_bits(t);
      default:
        if (t.type() == ptx::PtxType::f64) return translate_double(t);
        return is_float(t.type()) ? translate_float(t) : translate_integer(t);
    }
  }

  void call_function(const PtxInstruction& instruction) {
    std::size_t at = 0;
    const std::vector<PtxOperand>& operands = instruction.operands;
    const PtxOperand* results = operands[at].kind == PtxOperand::Kind::list ? &operands[at++] : nullptr;
    const PtxSymbol callee = values_.symbol(operands[at++].name);
    const PtxOperand* arguments = at < operands.size() ? &operands[at] : nullptr;
    if (!callee.function->body) return complain_missing(callee.function->name, operands[at - 1].place);
    std::vector<IrArgument> words;
    for (std::size_t i = 0; arguments != nullptr && i < arguments->elements.size(); ++i)
      read_argument(arguments->elements[i], words_of(callee.function->parameters[i]), words);
    const unsigned instance = current_instance_;
    const std::vector<IrArgument> values = inline_call(input_.module, *callee.function, words);
    std::size_t word_at = 0;
    for (std::size_t i = 0; results != nullptr && i < results->elements.size(); ++i) {
      const PtxSymbol target = values_.symbol(results->elements[i].name);
      for (unsigned word = 0; word < words_of(callee.function->results[i]); ++word)
        values_.write_word(target, instance, 0, word, values[word_at++]);
    }
  }

  /// What C++ calls for `new` and `delete` has names of linkers.
  void complain_missing(const std::string& name, const ptx::PtxPlace& place) {
    const bool heap =
        name.starts_with("_Zna") || name.starts_with("_Znw") || name.starts_with("_Zda") || name.starts_with("_Zdl");
    if (heap) {
      mistakes_.push_back({place, "PTX-UNSUPPORTED", "new and delete need compute capability 2.0",
                           "allocate device memory on the host, and give the kernel its address"});
      return;
    }
    mistakes_.push_back(
        {place, "PTX-EXTERN", "'" + name + "' is not defined in this file", "there is no linker: define it here"});
  }

  void read_argument(const PtxOperand& operand, unsigned count, std::vector<IrArgument>& words) {
    if (operand.kind == PtxOperand::Kind::constant) {
      const IrPair value = values_.read_pair(operand);
      words.push_back(value.low);
      if (count > 1) words.push_back(value.high);
      return;
    }
    const PtxSymbol symbol = values_.symbol(operand.name);
    for (unsigned word = 0; word < count; ++word)
      words.push_back(values_.read_word(symbol, current_instance_, 0, word));
  }

  const TranslationInput& input_;
  IrBuilder ir_;
  SsaBuilder ssa_;
  PtxValues values_;
  std::vector<ptx::PtxMistake>&mistakes_, &warnings_;
  std::unordered_map<const PtxFunction*, std::unique_ptr<ScopeNames>> names_{};
  const ptx::PtxNames* names_before_call_ = nullptr;
  unsigned instances_ = 0, current_instance_ = 0, level_ = 0;
  bool ended_ = false;
  std::uint32_t source_line_ = 0;
};

}  // namespace

TranslatedKernel translate(const TranslationInput& input, const PtxFunction& entry, Kernel& kernel,
                           std::vector<ptx::PtxMistake>& mistakes, std::vector<ptx::PtxMistake>& warnings) {
  TranslatedKernel result;
  result.function.name = entry.name;
  const std::size_t before = mistakes.size();
  const std::vector<PtxVariablePointer> used = used_variables(input.module, entry, mistakes);
  result.layout = lay_out(entry, used, kernel, mistakes);
  if (mistakes.size() != before) return result;
  FunctionTranslator(input, result.layout, result.function, mistakes, warnings).run(entry);
  return result;
}

IrFunction translate_routine(const TranslationInput& input, const std::string& name, unsigned operands) {
  IrFunction function;
  function.name = name;
  std::vector<ptx::PtxMistake> mistakes, warnings;
  FunctionTranslator(input, {}, function, mistakes, warnings).run_routine(name, operands);
  SIM_CHECK(mistakes.empty() && warnings.empty(), "the runtime library has a mistake");
  return function;
}

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/function_blocks.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "frontend/ptx/ptx_operations.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxOpcode;

std::optional<PtxOpcode> opcode_of(const ptx::PtxInstruction& instruction) {
  const ptx::PtxFormMatch match = match_form(instruction);
  return match.form ? std::optional(match.form->opcode()) : std::nullopt;
}

bool ends_threads(PtxOpcode opcode) {
  return opcode == PtxOpcode::return_ || opcode == PtxOpcode::exit || opcode == PtxOpcode::trap;
}

/// Two walks over the body: blocks and labels, then edges.
class BlockBuilder {
 public:
  FunctionBlocks run(const ptx::PtxScope& body) {
    result_.blocks.emplace_back();
    endings_.emplace_back();
    add(body);
    result_.graph = FlowGraph(result_.blocks.size());
    for (BlockIndex block = 0; block < result_.blocks.size(); ++block) connect(block);
    return std::move(result_);
  }

 private:
  /// How a block ends: falls into the next unless said otherwise.
  struct Ending {
    bool falls = true;
    bool branches = false;
  };

  void add(const ptx::PtxScope& scope) {
    for (const ptx::PtxStatement& statement : scope.statements) {
      if (const auto* label = std::get_if<ptx::PtxLabel>(&statement)) {
        if (!result_.blocks.back().instructions.empty()) begin_block();
        labels_[&scope][label->name] = static_cast<BlockIndex>(result_.blocks.size() - 1);
      } else if (const auto* line = std::get_if<ptx::PtxLineMark>(&statement)) {
        line_ = line;
      } else if (const auto* instruction = std::get_if<ptx::PtxInstruction>(&statement)) {
        add(*instruction, scope);
      } else if (const auto* inner = std::get_if<ptx::PtxScope>(&statement)) {
        parents_[inner] = &scope;
        add(*inner);
      }
    }
  }

  void add(const ptx::PtxInstruction& instruction, const ptx::PtxScope& scope) {
    result_.blocks.back().instructions.push_back({&instruction, &scope, line_});
    const auto opcode = opcode_of(instruction);
    SIM_CHECK(opcode.has_value(), "the module was not checked");
    const bool branches = *opcode == PtxOpcode::branch;
    if (!branches && !ends_threads(*opcode)) return;
    endings_.back() = {!instruction.guard.empty(), branches};
    begin_block();
  }

  void begin_block() {
    result_.blocks.emplace_back();
    endings_.emplace_back();
  }

  void connect(BlockIndex block) {
    const Ending& ending = endings_[block];
    if (ending.branches) result_.graph.connect(block, target_of(result_.blocks[block].instructions.back()));
    if (ending.falls && block + 1 < result_.blocks.size()) result_.graph.connect(block, block + 1);
  }

  [[nodiscard]] BlockIndex target_of(const BlockInstruction& branch) const {
    const std::string& name = branch.instruction->operands.at(0).name;
    for (const ptx::PtxScope* scope = branch.scope; scope != nullptr; scope = parent_of(scope)) {
      const auto labels = labels_.find(scope);
      if (labels == labels_.end()) continue;
      if (const auto found = labels->second.find(name); found != labels->second.end()) return found->second;
    }
    throw InternalError("branch to a label that is not declared: the module was not checked");
  }

  [[nodiscard]] const ptx::PtxScope* parent_of(const ptx::PtxScope* scope) const {
    const auto found = parents_.find(scope);
    return found == parents_.end() ? nullptr : found->second;
  }

  FunctionBlocks result_{};
  std::vector<Ending> endings_{};
  const ptx::PtxLineMark* line_ = nullptr;
  std::unordered_map<const ptx::PtxScope*, std::unordered_map<std::string, BlockIndex>> labels_{};
  std::unordered_map<const ptx::PtxScope*, const ptx::PtxScope*> parents_{};
};

}  // namespace

FunctionBlocks blocks_of(const ptx::PtxFunction& function) {
  SIM_CHECK(function.body.has_value(), "a function without a body has no blocks");
  return BlockBuilder().run(*function.body);
}

}  // namespace teslasim::compiler

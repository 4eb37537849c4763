// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/used_variables.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/compiler/ptx_values.h"

namespace teslasim::compiler {
namespace {

class Search {
 public:
  Search(const ptx::PtxModule& module, std::vector<ptx::PtxMistake>& mistakes) : module_(module), mistakes_(mistakes) {}

  void visit(const ptx::PtxFunction& function) {
    if (!function.body || !visited_.insert(&function).second) return;
    stack_.push_back(&function);
    const ScopeNames names(module_, function);
    visit(*function.body, names);
    stack_.pop_back();
  }

  std::vector<PtxVariablePointer> found{};

 private:
  void visit(const ptx::PtxScope& scope, const ScopeNames& names) {
    for (const ptx::PtxStatement& statement : scope.statements) {
      if (const auto* inner = std::get_if<ptx::PtxScope>(&statement)) visit(*inner, names);
      if (const auto* instruction = std::get_if<ptx::PtxInstruction>(&statement)) {
        for (const ptx::PtxOperand& operand : instruction->operands) visit(operand, names.of(&scope));
      }
    }
  }

  void visit(const ptx::PtxOperand& operand, const ptx::PtxNames& names) {
    for (const ptx::PtxOperand& element : operand.elements) visit(element, names);
    if (operand.name.empty()) return;
    const auto symbol = names.find(operand.name);
    if (!symbol) return;
    if (symbol->kind == ptx::PtxSymbol::Kind::function) return call(*symbol->function, operand.place);
    if (symbol->kind != ptx::PtxSymbol::Kind::variable) return;
    const ptx::PtxSpace space = symbol->variable->space;
    if (space != ptx::PtxSpace::shared && space != ptx::PtxSpace::local) return;
    if (seen_.insert(symbol->variable).second) found.push_back(symbol->variable);
  }

  void call(const ptx::PtxFunction& function, const ptx::PtxPlace& place) {
    if (std::find(stack_.begin(), stack_.end(), &function) == stack_.end()) return visit(function);
    mistakes_.push_back({place, "PTX-UNSUPPORTED", "'" + function.name + "' calls itself",
                         "chips of compute capability 1.x have no stack: write a loop"});
  }

  const ptx::PtxModule& module_;
  std::vector<ptx::PtxMistake>& mistakes_;
  std::unordered_set<const ptx::PtxFunction*> visited_{};
  std::unordered_set<PtxVariablePointer> seen_{};
  std::vector<const ptx::PtxFunction*> stack_{};
};

}  // namespace

std::vector<PtxVariablePointer> used_variables(const ptx::PtxModule& module, const ptx::PtxFunction& entry,
                                               std::vector<ptx::PtxMistake>& mistakes) {
  Search search(module, mistakes);
  search.visit(entry);
  return std::move(search.found);
}

}  // namespace teslasim::compiler

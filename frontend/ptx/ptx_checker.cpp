// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_checker.h"

#include <limits>
#include <string>
#include <utility>

#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_operand_checker.h"
#include "frontend/ptx/ptx_operations.h"
#include "frontend/ptx/ptx_symbols.h"

namespace teslasim::ptx {
namespace {

/// Elements that an initialiser may have; nothing for an array without a size.
std::optional<std::uint64_t> elements_of(const PtxVariable& variable) {
  std::uint64_t count = variable.vector;
  for (const std::optional<std::uint64_t>& extent : variable.extents) {
    if (!extent) return std::nullopt;
    if (*extent != 0 && count > std::numeric_limits<std::uint64_t>::max() / *extent) return std::nullopt;
    count *= *extent;
  }
  return count;
}

class Checker {
 public:
  explicit Checker(const PtxModule& module) : module_(module) {}

  std::vector<PtxMistake> run() {
    // Those with a body first: calls are checked against them.
    for (const PtxFunction& function : module_.functions) {
      if (function.body) declare(function);
    }
    for (const PtxFunction& function : module_.functions) {
      if (!function.body) declare(function);
    }
    for (const PtxVariable& variable : module_.variables) declare(variable);
    // An initialiser may name a variable that follows.
    for (const PtxVariable& variable : module_.variables) check_initial(variable);
    for (const PtxFunction& function : module_.functions) check(function);
    return std::move(mistakes_);
  }

 private:
  [[nodiscard]] bool full() const { return mistakes_.size() >= most_ptx_mistakes; }
  void complain(const PtxPlace& place, std::string code, std::string message, std::string help = "") {
    if (!full()) mistakes_.push_back({place, std::move(code), std::move(message), std::move(help)});
  }
  void complain_twice(const std::string& name, const PtxPlace& place, const PtxSymbol& first) {
    complain(place, "PTX-NAME", "'" + name + "' is declared twice",
             "it stands in line " + std::to_string(first.place.line) + " already");
  }

  void declare(const PtxVariable& variable) {
    PtxSymbol symbol;
    symbol.place = variable.place;
    symbol.variable = &variable;
    const auto before = names_.declare(variable.name, symbol);
    const bool declared_only =
        before && before->kind == PtxSymbol::Kind::variable && before->variable->linkage == PtxLinkage::external;
    if (before && !declared_only) complain_twice(variable.name, variable.place, *before);
  }

  /// A function may be declared any number of times, and have one body.
  void declare(const PtxFunction& function) {
    PtxSymbol symbol;
    symbol.kind = PtxSymbol::Kind::function;
    symbol.place = function.place;
    symbol.function = &function;
    const auto before = names_.declare(function.name, symbol);
    if (function.body && before && before->function->body) complain_twice(function.name, function.place, *before);
  }

  void declare(const PtxLabel& label) {
    PtxSymbol symbol;
    symbol.kind = PtxSymbol::Kind::label;
    symbol.place = label.place;
    if (const auto before = names_.declare(label.name, symbol)) complain_twice(label.name, label.place, *before);
  }

  void check_initial(const PtxVariable& variable) {
    const auto most = elements_of(variable);
    if (most && variable.initial.size() > *most)
      complain(variable.place, "PTX-OPERAND",
               "'" + variable.name + "' has " + std::to_string(*most) + " elements and " +
                   std::to_string(variable.initial.size()) + " initial values");
    const bool integer =
        kind_of(variable.type) == PtxTypeKind::integer || kind_of(variable.type) == PtxTypeKind::untyped;
    for (const PtxInitial& value : variable.initial) {
      if (!value.symbol.empty()) {
        (void)operands_.find(value.symbol, value.place);
      } else if (integer && value.constant.kind == PtxConstant::Kind::integer &&
                 !fits_into(value.constant.bits, bits_of(variable.type))) {
        complain(value.place, "PTX-TYPE", "the number does not fit into ." + std::string(word_of(variable.type)));
      }
    }
  }

  /// What lives as long as the module is declared in it (PTX ISA 1.4, section on state spaces).
  void check_space(const PtxVariable& variable) {
    const bool of_module = variable.space == PtxSpace::global || variable.space == PtxSpace::constant ||
                           variable.space == PtxSpace::tex || !variable.opaque.empty();
    if (of_module)
      complain(variable.place, "PTX-DIRECTIVE", "'" + variable.name + "' must be declared outside of functions",
               "global, constant and texture variables belong to the module");
  }

  void check(const PtxFunction& function) {
    operands_.begin_function();
    names_.enter();
    for (const PtxVariable& result : function.results) declare(result);
    for (const PtxVariable& parameter : function.parameters) declare(parameter);
    if (function.body) check(*function.body);
    names_.leave();
  }

  /// The parameters of a function stand around its body. Levels are bounded by the reader.
  void check(const PtxScope& scope) {
    names_.enter();
    // Labels are known before their place, everything else behind it.
    for (const PtxStatement& statement : scope.statements) {
      if (const auto* label = std::get_if<PtxLabel>(&statement)) declare(*label);
    }
    for (const PtxStatement& statement : scope.statements) {
      if (full()) break;
      if (const auto* variable = std::get_if<PtxVariable>(&statement)) {
        declare(*variable);
        check_initial(*variable);
        check_space(*variable);
      } else if (const auto* instruction = std::get_if<PtxInstruction>(&statement)) {
        check(*instruction);
      } else if (const auto* inner = std::get_if<PtxScope>(&statement)) {
        check(*inner);
      }
    }
    names_.leave();
  }

  void check(const PtxInstruction& instruction) {
    operands_.check_guard(instruction);
    PtxFormMatch match = match_form(instruction);
    if (match.form) return operands_.check(instruction, *match.form);
    if (!full()) mistakes_.push_back(std::move(match.mistake));
  }

  const PtxModule& module_;
  std::vector<PtxMistake> mistakes_{};
  PtxNames names_{};
  PtxOperandChecker operands_{names_, mistakes_};
};

}  // namespace

std::vector<PtxMistake> check_ptx(const PtxModule& module) {
  return Checker(module).run();
}

}  // namespace teslasim::ptx

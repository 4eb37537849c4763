// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/symbols.h"

namespace teslasim::text {

void Symbols::enter_kernel() {
  kernel_.emplace();
}
void Symbols::leave_kernel() {
  kernel_.reset();
}

void Symbols::define(std::string_view name, Symbol symbol) {
  innermost().values[std::string(name)] = symbol;
}

void Symbols::define_counter(std::string_view name, std::int64_t value) {
  repeats_.back().values[std::string(name)] = Symbol{Symbol::Kind::constant, value, false};
}

void Symbols::define_alias(std::string_view name, std::string_view meaning) {
  innermost().aliases[std::string(name)] = std::string(meaning);
}

std::optional<Symbol> Symbols::find(std::string_view name) const {
  for (auto scope = repeats_.rbegin(); scope != repeats_.rend(); ++scope) {
    const auto found = scope->values.find(name);
    if (found != scope->values.end()) return found->second;
  }
  if (kernel_) {
    const auto found = kernel_->values.find(name);
    if (found != kernel_->values.end()) return found->second;
  }
  const auto found = file_.values.find(name);
  if (found == file_.values.end()) return std::nullopt;
  return found->second;
}

std::string_view Symbols::alias(std::string_view name) const {
  if (kernel_) {
    const auto found = kernel_->aliases.find(name);
    if (found != kernel_->aliases.end()) return found->second;
  }
  const auto found = file_.aliases.find(name);
  return found == file_.aliases.end() ? std::string_view{} : std::string_view(found->second);
}

std::vector<std::string> Symbols::names() const {
  std::vector<std::string> all;
  const auto collect = [&all](const Scope& scope) {
    for (const auto& [name, symbol] : scope.values) all.push_back(name);
    for (const auto& [name, meaning] : scope.aliases) all.push_back(name);
  };
  collect(file_);
  if (kernel_) collect(*kernel_);
  for (const Scope& scope : repeats_) collect(scope);
  return all;
}

}  // namespace teslasim::text

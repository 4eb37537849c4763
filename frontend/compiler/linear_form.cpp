// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/linear_form.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// Longer sums are terms of others.
constexpr std::size_t most_terms = 12;

LinearForm combined(const LinearForm& left, const LinearForm& right, std::uint32_t right_factor) {
  LinearForm all = left;
  for (LinearTerm term : right) {
    term.factor *= right_factor;
    all.push_back(term);
  }
  std::sort(all.begin(), all.end(), [](const auto& one, const auto& other) { return one.values < other.values; });
  LinearForm form;
  for (const LinearTerm& term : all) {
    if (!form.empty() && form.back().values == term.values) {
      form.back().factor += term.factor;
    } else {
      form.push_back(term);
    }
  }
  std::erase_if(form, [](const LinearTerm& term) { return term.factor == 0; });
  return form;
}

LinearForm scaled(const LinearForm& form, std::uint32_t factor) {
  return combined({}, form, factor);
}

/// Nothing: of more values than a term has.
std::optional<LinearTerm> product(const LinearTerm& left, const LinearTerm& right) {
  LinearTerm result = left;
  result.factor *= right.factor;
  for (const ValueIndex value : right.values) {
    if (value == no_value) break;
    if (result.values.back() != no_value) return std::nullopt;
    result.values.back() = value;
    std::sort(result.values.begin(), result.values.end());
  }
  return result;
}

/// Empty: 0, or a product of too many values.
LinearForm product(const LinearForm& left, const LinearForm& right) {
  LinearForm sum;
  for (const LinearTerm& one : left) {
    for (const LinearTerm& other : right) {
      const std::optional<LinearTerm> term = product(one, other);
      if (!term) return {};
      sum = combined(sum, {*term}, 1);
    }
  }
  return sum;
}

LinearForm alone(ValueIndex value) {
  LinearTerm term;
  term.values[0] = value;
  term.factor = 1;
  return {term};
}

}  // namespace

LinearForm difference(const LinearForm& left, const LinearForm& right) {
  return combined(left, right, ~std::uint32_t{0});
}

const LinearForm& LinearForms::of(ValueIndex value) {
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = alone(value);  // of what leads back to it, as around a loop
  LinearForm form = of(function_.definition(value));
  if (form.empty() || form.size() > most_terms) form = alone(value);
  return known_[value] = std::move(form);
}

LinearForm LinearForms::of(const IrArgument& argument) {
  if (!argument.is_constant()) return of(argument.value);
  if (argument.constant == 0) return {};
  LinearTerm term;
  term.factor = argument.constant;
  return {term};
}

/// Empty: no sum.
LinearForm LinearForms::of(const IrNode& node) {
  const auto& arguments = node.arguments;
  const bool plain = std::all_of(arguments.begin(), arguments.end(), [](const auto& one) { return one.is_plain(); });
  if (!plain || node.saturate) return {};
  switch (node.operation) {
    case Op::add:
      return combined(of(arguments[0]), of(arguments[1]), 1);
    case Op::subtract:
      return difference(of(arguments[0]), of(arguments[1]));
    case Op::shift_left:
      if (!arguments[1].is_constant() || arguments[1].constant >= 32) return {};
      return scaled(of(arguments[0]), std::uint32_t{1} << arguments[1].constant);
    case Op::multiply:
      return product(of(arguments[0]), of(arguments[1]));
    default:
      return {};
  }
}

}  // namespace teslasim::compiler

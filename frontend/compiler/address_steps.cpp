// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/address_steps.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/linear_form.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// A value times a power of two, or a constant.
struct StepWord {
  ValueIndex value = no_value;
  std::uint32_t constant = 0;
  unsigned shift = 0;

  [[nodiscard]] auto key() const { return std::tuple(value, constant, shift); }
  friend bool operator<(const StepWord& left, const StepWord& right) { return left.key() < right.key(); }
};

/// `address` is `from` plus the word, or minus it.
struct AddressStep {
  ValueIndex address = no_value, from = no_value;
  StepWord word{};
  bool down = false;
  std::size_t saved = 0;  ///< operations that nobody needs then, less the new one
};

std::optional<AddressStep> step_over(const LinearTerm& term) {
  AddressStep step;
  if (term.is_constant()) {
    step.word.constant = term.factor;
    return step;
  }
  if (!term.is_one_value()) return std::nullopt;
  step.down = !std::has_single_bit(term.factor);
  const std::uint32_t factor = step.down ? 0 - term.factor : term.factor;
  if (!std::has_single_bit(factor)) return std::nullopt;
  step.word.value = term.values[0];
  step.word.shift = static_cast<unsigned>(std::countr_zero(factor));
  return step;
}

class BlockAddresses {
 public:
  BlockAddresses(IrFunction& function, BlockIndex block, LinearForms& forms, const std::vector<std::uint32_t>& uses)
      : function_(function), block_(block), forms_(forms), uses_(uses) {}

  bool run() {
    find_addresses();
    for (std::size_t i = 0; i < addresses_.size(); ++i) find_step(i);
    bool changed = false;
    for (const AddressStep& step : steps_) {
      const std::size_t cost = step.word.shift == 0 ? 0 : 1;  // a word is shifted once
      if (saved_[step.word] > cost) changed = apply(step) || changed;
    }
    return changed;
  }

 private:
  [[nodiscard]] std::vector<NodeIndex>& nodes() const { return function_.blocks[block_].nodes; }

  /// In the order of accesses, without constants that some of them add.
  void find_addresses() {
    for (const NodeIndex index : nodes()) {
      const IrNode& node = function_.nodes[index];
      const bool is_access = node.operation == Op::load || node.operation == Op::store;
      if (!is_access || node.space != IrSpace::global) continue;
      IrArgument address = node.arguments[0];
      if (address.is_constant() || !address.is_plain()) continue;
      const IrNode& sum = function_.definition(address.value);
      const bool adds_constant = sum.operation == Op::add && sum.arguments[1].is_constant();
      if (adds_constant && sum.arguments[0].is_plain()) address = sum.arguments[0];
      if (std::find(addresses_.begin(), addresses_.end(), address.value) == addresses_.end())
        addresses_.push_back(address.value);
    }
  }

  /// From an address before it, the nearest first, or from one behind that costs nothing.
  void find_step(std::size_t place) {
    const ValueIndex address = addresses_[place];
    const std::size_t cost = own_operations(address);
    if (cost < 2 || !stands_here(address)) return;
    std::optional<AddressStep> best;
    const auto consider = [&](ValueIndex from) {
      std::optional<AddressStep> step = step_between(from, address);
      if (!step || (best && (saved_.contains(best->word) || !saved_.contains(step->word)))) return;
      best = step;
    };
    constexpr std::size_t furthest = 8;
    for (std::size_t i = 1; i <= std::min(place, furthest); ++i) consider(addresses_[place - i]);
    const std::size_t last = std::min(addresses_.size(), place + furthest);
    for (std::size_t i = place + 1; i < last; ++i) {
      if (own_operations(addresses_[i]) < 2) consider(addresses_[i]);
    }
    if (!best) return;
    best->saved = cost - 1;
    saved_[best->word] += best->saved;
    steps_.push_back(*best);
  }

  [[nodiscard]] std::optional<AddressStep> step_between(ValueIndex from, ValueIndex address) {
    const LinearForm between = difference(forms_.of(address), forms_.of(from));
    if (between.size() != 1) return std::nullopt;
    std::optional<AddressStep> step = step_over(between.front());
    if (!step) return std::nullopt;
    step->address = address;
    step->from = from;
    return step;
  }

  [[nodiscard]] bool stands_here(ValueIndex value) const { return place_of(value) != nodes().end(); }
  [[nodiscard]] std::vector<NodeIndex>::iterator place_of(ValueIndex value) const {
    return std::find(nodes().begin(), nodes().end(), function_.values[value].node);
  }

  /// Operations that only this value needs, itself among them; products take four. Of long sums, the first levels.
  [[nodiscard]] std::size_t own_operations(ValueIndex value, unsigned levels = 8) const {
    const IrNode& node = function_.definition(value);
    if (levels == 0 || !is_sum(node)) return 0;
    constexpr std::size_t of_product = 4;
    std::size_t count = node.operation == Op::multiply ? of_product : 1;
    for (const IrArgument& argument : node.arguments) {
      if (!argument.is_constant() && uses_[argument.value] == 1) count += own_operations(argument.value, levels - 1);
    }
    return count;
  }

  [[nodiscard]] static bool is_sum(const IrNode& node) {
    return node.operation == Op::add || node.operation == Op::subtract || node.operation == Op::shift_left ||
           node.operation == Op::multiply;
  }

  bool apply(const AddressStep& step) {
    if (!bring_before(step.address, step.from)) return false;
    IrArgument word = constant_argument(step.word.constant);
    if (step.word.value != no_value) {
      if (!bring_before(step.address, step.word.value)) return false;
      word = value_argument(step.word.value);
    }
    if (step.word.shift != 0) word = shifted(word, step.word.shift, step.address);
    IrNode& node = function_.definition(step.address);
    node.operation = step.down ? Op::subtract : Op::add;
    node.arguments = {value_argument(step.from), word};
    return true;
  }

  /// `value`, and what it is made of in this block, stands before `other`. False: it cannot.
  bool bring_before(ValueIndex other, ValueIndex value) {
    const auto place = place_of(other);
    std::unordered_set<NodeIndex> moved;
    if (!collect(value, other, place, moved)) return false;
    if (moved.empty()) return true;
    std::vector<NodeIndex> order(nodes().begin(), place), behind;
    for (auto at = place; at != nodes().end(); ++at) (moved.contains(*at) ? order : behind).push_back(*at);
    order.insert(order.end(), behind.begin(), behind.end());
    nodes() = std::move(order);
    return true;
  }

  /// The sums behind `place` that `value` is made of.
  bool collect(ValueIndex value, ValueIndex other, std::vector<NodeIndex>::iterator place,
               std::unordered_set<NodeIndex>& found) const {
    const NodeIndex index = function_.values[value].node;
    if (std::find(place, nodes().end(), index) == nodes().end() || found.contains(index)) return true;
    const IrNode& node = function_.nodes[index];
    constexpr std::size_t most_moved = 32;
    if (value == other || !is_sum(node) || found.size() >= most_moved) return false;
    found.insert(index);
    return std::all_of(node.arguments.begin(), node.arguments.end(), [&](const IrArgument& argument) {
      return argument.is_constant() || collect(argument.value, other, place, found);
    });
  }

  /// In front of the address; common subexpressions become one later.
  IrArgument shifted(const IrArgument& word, unsigned shift, ValueIndex address) {
    IrNode node;
    node.operation = Op::shift_left;
    node.line = function_.definition(address).line;
    node.ptx_line = function_.definition(address).ptx_line;
    node.arguments = {word, constant_argument(shift)};
    const NodeIndex made = function_.create(std::move(node), 1);
    nodes().insert(place_of(address), made);
    return value_argument(function_.nodes[made].results[0]);
  }

  IrFunction& function_;
  BlockIndex block_;
  LinearForms& forms_;
  const std::vector<std::uint32_t>& uses_;
  std::vector<ValueIndex> addresses_{};
  std::vector<AddressStep> steps_{};
  std::map<StepWord, std::size_t> saved_{};
};

}  // namespace

bool step_addresses(IrFunction& function) {
  LinearForms forms(function);
  const std::vector<std::uint32_t> uses = function.uses();
  bool changed = false;
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    for (const NodeIndex index : function.blocks[block].nodes) {
      if (!function.nodes[index].results.empty()) (void)forms.of(function.nodes[index].results[0]);
    }
    changed = BlockAddresses(function, block, forms, uses).run() || changed;
  }
  return changed;
}

}  // namespace teslasim::compiler

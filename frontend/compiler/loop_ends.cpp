// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_ends.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "frontend/compiler/address_growth.h"
#include "frontend/compiler/fold_constants.h"
#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// The test at the end of each turn: goes on while the counter's next value is not `limit`, or ends where it is.
struct LoopTest {
  NodeIndex comparison = no_node, counter = no_node;
  std::uint32_t step = 0;
  IrArgument limit{};
};

/// A phi of the header that is an address, and how many times as fast as the counter it grows.
struct GrowingAddress {
  NodeIndex phi = no_node;
  std::uint32_t ratio = 0;
};

bool tells_equality(Relations relations) {
  const bool less = includes(relations, Relations::less);
  return less == includes(relations, Relations::greater) && less != includes(relations, Relations::equal);
}

class LoopEnd {
 public:
  LoopEnd(IrFunction& function, const NaturalLoop& loop, const NodePlaces& places, const DominatorTree& dominators)
      : function_(function),
        ir_(function),
        loop_(loop),
        places_(places),
        frame_(function, loop, places),
        dominators_(dominators) {}

  bool run() {
    if (!frame_.is_complete() || function_.successors(frame_.before()) != 1) return false;
    uses_ = function_.uses();
    find_near_phis();
    const std::optional<LoopTest> test = find_test();
    if (!test || is_short(*test)) return false;
    const std::optional<GrowingAddress> address = find_address(*test);
    if (!address) return false;
    apply(*test, *address);
    return true;
  }

 private:
  /// Nobody but the test reads the counter.
  [[nodiscard]] std::optional<LoopTest> find_test() const {
    const IrEnd& end = function_.blocks[frame_.latch()].end;
    if (end.kind != IrEnd::Kind::branch || end.condition.is_constant() || !end.condition.is_plain())
      return std::nullopt;
    const NodeIndex index = function_.values[end.condition.value].node;
    const IrNode& comparison = function_.nodes[index];
    if (comparison.operation != Op::compare || !tells_equality(comparison.compare)) return std::nullopt;
    if (uses_[end.condition.value] != 1) return std::nullopt;
    for (const NodeIndex phi : function_.blocks[loop_.header].nodes) {
      if (function_.nodes[phi].operation != Op::phi) break;
      const std::optional<IrArgument> step = frame_.step_of(phi);
      if (!step || !step->is_constant() || step->constant == 0 || uses_[function_.nodes[phi].results[0]] != 1) continue;
      const IrArgument& next = frame_.next_of(phi);
      for (std::size_t i = 0; i < 2; ++i) {
        const IrArgument& limit = comparison.arguments[1 - i];
        if (comparison.arguments[i] == next && uses_[next.value] == 2 && frame_.stays(limit))
          return LoopTest{index, phi, step->constant, limit};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_short(const LoopTest& test) const {
    const IrArgument& start = frame_.start_of(test.counter);
    constexpr std::uint32_t few = 3;
    return test.limit.is_constant() && start.is_constant() && (test.limit.constant - start.constant) / test.step <= few;
  }

  /// Phis that only accesses of s[], l[] and c[] read: they grow in address registers, which cannot be compared.
  void find_near_phis() {
    for (const NodeIndex phi : function_.blocks[loop_.header].nodes) {
      if (function_.nodes[phi].operation != Op::phi) break;
      const std::optional<IrArgument> step = frame_.step_of(phi);
      const IrArgument& next = frame_.next_of(phi);
      const bool grows = step && step->is_constant() && uses_[next.value] == 1;
      if (grows && is_near(function_.nodes[phi].results[0], next.value)) near_.push_back(phi);
    }
    if (near_.size() > growing_addresses) near_.clear();
  }

  /// Only accesses read it, or its sums with constants, but for what it becomes in the next turn.
  [[nodiscard]] bool is_near(ValueIndex value, ValueIndex next) const {
    std::uint32_t found = next == no_value ? 0 : 1;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block]) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const IrNode& node = function_.nodes[index];
        if (node.arguments.empty() || node.arguments[0] != value_argument(value)) continue;
        const bool access = node.operation == Op::load || node.operation == Op::store;
        if (access ? node.space != IrSpace::global : next != no_value && is_way(node, next)) ++found;
      }
    }
    return found == uses_[value];
  }

  /// To the address of accesses, by a constant.
  [[nodiscard]] bool is_way(const IrNode& node, ValueIndex next) const {
    const bool linear = node.operation == Op::add || node.operation == Op::shift_left;
    return linear && node.arguments[1].is_constant() && node.results[0] != next && is_near(node.results[0], no_value);
  }

  /// Where memory is read or written in every turn.
  [[nodiscard]] std::optional<GrowingAddress> find_address(const LoopTest& test) const {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block] || !dominators_.dominates(block, frame_.latch())) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const std::optional<GrowingAddress> found = address_of(function_.nodes[index], test);
        if (found) return found;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<GrowingAddress> address_of(const IrNode& access, const LoopTest& test) const {
    const bool is_access = access.operation == Op::load || access.operation == Op::store;
    if (!is_access || access.guarded) return std::nullopt;
    IrArgument address = access.arguments[0];
    if (address.is_constant() || !address.is_plain()) return std::nullopt;
    const IrNode& sum = function_.definition(address.value);
    const bool adds_constant = sum.operation == Op::add && sum.arguments[1].is_constant();
    if (access.space != IrSpace::global && adds_constant && sum.arguments[0].is_plain()) address = sum.arguments[0];
    const NodeIndex phi = function_.values[address.value].node;
    if (function_.nodes[phi].operation != Op::phi || places_[phi] != loop_.header) return std::nullopt;
    if (std::find(near_.begin(), near_.end(), phi) != near_.end()) return std::nullopt;
    const std::optional<IrArgument> step = frame_.step_of(phi);
    if (!step || !step->is_constant()) return std::nullopt;
    // In 64 bits: -2^31 / -1 is no number of 32.
    const std::int64_t fast = static_cast<std::int32_t>(step->constant), slow = static_cast<std::int32_t>(test.step);
    if (fast % slow != 0) return std::nullopt;
    const auto ratio = static_cast<std::uint32_t>(fast / slow);
    if (!std::has_single_bit(ratio) && !std::has_single_bit(0 - ratio)) return std::nullopt;
    return GrowingAddress{phi, ratio};
  }

  void apply(const LoopTest& test, const GrowingAddress& address) {
    IrNode& comparison = function_.nodes[test.comparison];
    ir_.set_lines(comparison.line, comparison.ptx_line);
    ir_.set_block(frame_.before());
    const IrArgument turns = emit(Op::subtract, test.limit, frame_.start_of(test.counter));
    const bool shrinks = !std::has_single_bit(address.ratio);
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(address.ratio));
    const IrArgument way = emit(Op::shift_left, turns, constant_argument(shift));
    const IrArgument last = emit(shrinks ? Op::subtract : Op::add, frame_.start_of(address.phi), way);
    comparison.arguments = {frame_.next_of(address.phi), last};
    move_to_latch(test.comparison);
  }

  /// Sums and shifts of nothing are left out.
  IrArgument emit(Op operation, const IrArgument& left, const IrArgument& right) {
    if (right == constant_argument(0)) return left;
    IrNode node;
    node.operation = operation;
    node.arguments = {left, right};
    const std::optional<std::uint32_t> known = folded(node);
    return known ? constant_argument(*known) : ir_.emit(operation, {left, right});
  }

  /// The address of the next turn may be computed behind the counter's.
  void move_to_latch(NodeIndex comparison) {
    for (IrBlock& block : function_.blocks) std::erase(block.nodes, comparison);
    function_.blocks[frame_.latch()].nodes.push_back(comparison);
  }

  IrFunction& function_;
  IrBuilder ir_;
  const NaturalLoop& loop_;
  const NodePlaces& places_;
  LoopFrame frame_;
  const DominatorTree& dominators_;
  std::vector<std::uint32_t> uses_{};
  std::vector<NodeIndex> near_{};
};

}  // namespace

bool replace_loop_ends(IrFunction& function) {
  const FlowGraph graph = function.graph();
  const Loops loops(graph);
  const DominatorTree tree = dominators(graph);
  const NodePlaces places(function);
  bool changed = false;
  for (const NaturalLoop& loop : loops.all()) changed = LoopEnd(function, loop, places, tree).run() || changed;
  return changed;
}

}  // namespace teslasim::compiler

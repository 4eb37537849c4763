// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/loop_products.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/address_growth.h"
#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/loop_chains.h"
#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

/// One loop, entered from `before` and repeated from `latch`.
class LoopReduction {
 public:
  LoopReduction(IrFunction& function, const NaturalLoop& loop, NodePlaces& places, const DominatorTree& dominators,
                std::size_t most)
      : function_(function),
        ir_(function),
        loop_(loop),
        places_(places),
        frame_(function, loop, places),
        chains_(function, loop, places, frame_),
        dominators_(dominators),
        most_(most) {}

  bool run() {
    if (!frame_.is_complete()) return false;
    bool changed = merge_counters();
    registers_ = places_.carried(loop_);
    uses_ = function_.uses();
    for (const ValueIndex product : products()) changed = reduce(product, 1) || changed;
    for (const ValueIndex address : addresses()) changed = reduce_far(address) || changed;
    for (const ValueIndex address : near_addresses()) changed = reduce_near(address) || changed;
    return changed;
  }

 private:
  /// What grows evenly through at least `least` operations is added to instead.
  bool reduce(ValueIndex value, std::size_t least) {
    if (taken_.contains(function_.values[value].node)) return false;
    std::optional<GrowthChain> chain = chains_.to(value);
    if (!chain || chain->links.size() < least) return false;
    extend(*chain);
    const std::size_t needed = chain->step.is_constant() && !has_product(*chain) ? 1 : 2;
    const std::size_t freed = frees_counter(*chain) ? 1 : 0;
    if (registers_ + needed > most_ + freed) return false;
    apply(*chain);
    registers_ += needed - freed;
    count_uses();
    return true;
  }

  /// Of what is not dead: nobody reads the ends of chains that were replaced.
  void count_uses() {
    uses_ = function_.uses();
    std::vector<NodeIndex> waiting;
    for (const NodeIndex link : taken_) {
      if (uses_[function_.nodes[link].results[0]] == 0) waiting.push_back(link);
    }
    while (!waiting.empty()) {
      const IrNode& node = function_.nodes[waiting.back()];
      waiting.pop_back();
      for (const IrArgument& argument : node.arguments) {
        if (argument.is_constant() || --uses_[argument.value] != 0) continue;
        const NodeIndex maker = function_.values[argument.value].node;
        if (taken_.contains(maker)) waiting.push_back(maker);
      }
    }
  }

  /// Nobody reads it but the chain and what it is added to.
  [[nodiscard]] bool frees_counter(const GrowthChain& chain) const {
    const ValueIndex counter = function_.nodes[chain.counter].results[0];
    const IrArgument& next = frame_.next_of(chain.counter);
    return uses_[counter] == step_and_address && uses_[next.value] == 1 &&
           uses_[function_.nodes[chain.links.front().node].results[0]] == 1;
  }

  /// Two operations are enough where the counter only serves addresses: it may not be needed any more.
  bool reduce_far(ValueIndex address) {
    const std::optional<GrowthChain> chain = chains_.to(address);
    if (!chain) return false;
    const bool only_addresses = uses_[function_.nodes[chain->counter].results[0]] == step_and_address;
    return reduce(address, only_addresses ? 2 : 3);
  }

  /// Where an instruction is saved: in address registers an access moves its address on for nothing, several of them by
  /// one instruction, which setting the register takes too. When those run out, general registers grow besides.
  bool reduce_near(ValueIndex address) {
    const std::optional<GrowthChain> chain = chains_.to(address);
    if (!chain || chain->links.empty()) return false;
    const std::optional<std::uint32_t> step = chains_.constant_step(*chain);
    const bool fits = step && near_ < growing_addresses;
    const std::size_t least = !fits ? 2 : accesses_through(address) == 1 && is_operand_step(*step) ? 0 : 1;
    if (own_instructions(*chain) < least || !reduce(address, fits ? 1 : 2)) return false;
    ++near_;
    return true;
  }

  /// Of shared, local and constant memory, in the loop, with or without constants that they add.
  [[nodiscard]] std::size_t accesses_through(ValueIndex address) const {
    std::size_t found = 0;
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block]) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        if (near_base(function_.nodes[index]) == address) ++found;
      }
    }
    return found;
  }

  /// Operands in s[] move their address on by up to 16 words.
  [[nodiscard]] static bool is_operand_step(std::uint32_t step) {
    const auto bytes = static_cast<std::int32_t>(step);
    return bytes >= -64 && bytes <= 60;
  }

  /// That nobody but the address needs. What sets an address register shifts for nothing.
  [[nodiscard]] std::size_t own_instructions(const GrowthChain& chain) const {
    std::size_t count = 0;
    for (const GrowthLink& link : chain.links) {
      const IrNode& node = function_.nodes[link.node];
      const bool last = &link == &chain.links.back();
      if (!last && uses_[node.results[0]] != 1)
        count = 0;
      else if (!last || node.operation != Op::shift_left)
        ++count;
    }
    return count;
  }

  [[nodiscard]] bool has_product(const GrowthChain& chain) const {
    return std::any_of(chain.links.begin(), chain.links.end(),
                       [this](const GrowthLink& link) { return function_.nodes[link.node].operation == Op::multiply; });
  }

  /// Two that start and grow alike are one: LLVM counts the turns of a loop that it has unrolled anew.
  bool merge_counters() {
    bool changed = false;
    const std::vector<NodeIndex> header = function_.blocks[loop_.header].nodes;
    for (std::size_t first = 0; first < header.size(); ++first) {
      for (std::size_t second = first + 1; second < header.size(); ++second) {
        if (!grow_alike(header[first], header[second])) continue;
        replace(function_.nodes[header[second]].results[0], function_.nodes[header[first]].results[0]);
        changed = true;
      }
    }
    return changed;
  }

  [[nodiscard]] bool grow_alike(NodeIndex first, NodeIndex second) const {
    const IrNode &one = function_.nodes[first], &other = function_.nodes[second];
    if (one.operation != Op::phi || other.operation != Op::phi) return false;
    const std::optional<IrArgument> step = frame_.step_of(first);
    return step && step == frame_.step_of(second) && frame_.start_of(first) == frame_.start_of(second);
  }

  /// Every use of one value becomes a use of the other.
  void replace(ValueIndex value, ValueIndex other) {
    function_.for_each_argument([&](IrArgument& argument) {
      if (argument.value == value) argument.value = other;
    });
  }

  /// Calls `function` with each node that runs in every turn.
  template <typename Function>
  void for_each_node(const Function& function) const {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block] || !dominators_.dominates(block, frame_.latch())) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) function(function_.nodes[index]);
    }
  }

  /// Products by words that are known only when the kernel runs.
  [[nodiscard]] std::vector<ValueIndex> products() const {
    std::vector<ValueIndex> found;
    for_each_node([&](const IrNode& node) {
      const auto is_word = [&](const IrArgument& argument) {
        return !argument.is_constant() && frame_.stays(argument);
      };
      if (node.operation == Op::multiply && std::any_of(node.arguments.begin(), node.arguments.end(), is_word))
        found.push_back(node.results[0]);
    });
    return found;
  }

  /// Where global memory is read and written: its accesses add nothing to an address.
  [[nodiscard]] std::vector<ValueIndex> addresses() const {
    std::vector<ValueIndex> found;
    for_each_node([&](const IrNode& node) {
      const bool access = node.operation == Op::load || node.operation == Op::store;
      if (access && node.space == IrSpace::global && chains_.grows(node.arguments[0]))
        found.push_back(node.arguments[0].value);
    });
    return found;
  }

  /// Where shared, local and constant memory are addressed, without constants that accesses add.
  [[nodiscard]] std::vector<ValueIndex> near_addresses() const {
    std::vector<ValueIndex> found;
    for_each_node([&](const IrNode& node) {
      const ValueIndex address = near_base(node);
      if (address != no_value && std::find(found.begin(), found.end(), address) == found.end())
        found.push_back(address);
    });
    return found;
  }
  /// no_value: no such access, or its address stays.
  [[nodiscard]] ValueIndex near_base(const IrNode& node) const {
    const bool access = node.operation == Op::load || node.operation == Op::store;
    const bool near = node.space == IrSpace::shared || node.space == IrSpace::local || node.space == IrSpace::constant;
    if (!access || !near || !chains_.grows(node.arguments[0])) return no_value;
    const IrNode& sum = function_.definition(node.arguments[0].value);
    const bool adds = sum.operation == Op::add && sum.arguments[1].is_constant() && chains_.grows(sum.arguments[0]);
    return adds ? sum.arguments[0].value : node.arguments[0].value;
  }

  /// Onwards while nobody else reads what grows.
  void extend(GrowthChain& chain) const {
    if (chain.links.empty()) return;
    while (true) {
      const ValueIndex value = function_.nodes[chain.links.back().node].results[0];
      if (uses_[value] != 1) return;
      const std::optional<GrowthLink> next = only_reader(value);
      if (!next) return;
      chain.links.push_back(*next);
    }
  }

  [[nodiscard]] std::optional<GrowthLink> only_reader(ValueIndex value) const {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      if (!loop_.contains[block]) continue;
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const std::vector<IrArgument>& arguments = function_.nodes[index].arguments;
        const auto reads = [value](const IrArgument& argument) { return argument.value == value; };
        if (std::any_of(arguments.begin(), arguments.end(), reads)) return chains_.link_of(index);
      }
    }
    return std::nullopt;
  }

  /// The value at the end of the chain, started before the loop and added to behind each turn.
  void apply(const GrowthChain& chain) {
    const IrNode last = function_.nodes[chain.links.back().node];
    ir_.set_lines(last.line, last.ptx_line);
    ir_.set_block(frame_.before());
    IrArgument value = frame_.start_of(chain.counter), step = chain.step;
    for (const GrowthLink& link : chain.links) {
      advance(link, value, step);
      taken_.insert(link.node);
    }
    note(frame_.before());

    IrNode phi;
    phi.operation = Op::phi;
    phi.line = last.line;
    phi.ptx_line = last.ptx_line;
    phi.arguments.assign(function_.blocks[loop_.header].predecessors.size(), value);
    const NodeIndex grown = function_.create(std::move(phi), 1);
    std::vector<NodeIndex>& header = function_.blocks[loop_.header].nodes;
    header.insert(header.begin(), grown);
    const IrArgument now = value_argument(function_.nodes[grown].results[0]);

    ir_.set_block(frame_.latch());
    const IrArgument next = ir_.add(now, step);
    const std::vector<BlockIndex>& from = function_.blocks[loop_.header].predecessors;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] == frame_.latch()) function_.nodes[grown].arguments[i] = next;
    }
    note(loop_.header);
    note(frame_.latch());

    replace(last.results[0], now.value);
  }

  /// From a value and its step to those of the node behind.
  void advance(const GrowthLink& link, IrArgument& value, IrArgument& step) {
    const IrNode node = function_.nodes[link.node];
    std::vector<IrArgument> arguments = node.arguments;
    arguments[link.grows] = value;
    value = ir_.emit(node.operation, {arguments[0], arguments[1]}, node.type);
    if (node.operation == Op::multiply || node.operation == Op::shift_left) {
      arguments[link.grows] = step;
      step = ir_.emit(node.operation, {arguments[0], arguments[1]}, node.type);
    } else if (node.operation == Op::subtract && link.grows == 1) {
      step = ir_.subtract(constant_argument(0), step);
    }
  }

  void note(BlockIndex block) {
    for (const NodeIndex node : function_.blocks[block].nodes) places_.move(node, block);
  }

  static constexpr std::uint32_t step_and_address = 2;  ///< uses of a counter

  IrFunction& function_;
  IrBuilder ir_;
  const NaturalLoop& loop_;
  NodePlaces& places_;
  LoopFrame frame_;
  LoopChains chains_;
  const DominatorTree& dominators_;
  std::size_t most_;
  std::size_t registers_ = 0;              ///< that the loop carries
  std::size_t near_ = 0;                   ///< addresses that can grow in address registers
  std::vector<std::uint32_t> uses_{};      ///< of each value
  std::unordered_set<NodeIndex> taken_{};  ///< nodes of chains that were replaced
};

}  // namespace

bool reduce_loop_products(IrFunction& function, std::size_t most) {
  give_preheaders(function);
  const FlowGraph graph = function.graph();
  const Loops loops(graph);
  const DominatorTree tree = dominators(graph);
  NodePlaces places(function);
  bool changed = false;
  for (const NaturalLoop& loop : loops.all())
    changed = LoopReduction(function, loop, places, tree, most).run() || changed;
  return changed;
}

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/mixed_accesses.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

#include "frontend/compiler/ir_builder.h"
#include "frontend/compiler/pointer_origins.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class Splitter {
 public:
  explicit Splitter(IrFunction& function) : function_(function), origins_(function) {}

  void run() {
    // New blocks get what stands behind an access, and their turn.
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) {
      std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
      const auto found = std::find_if(nodes.begin(), nodes.end(), [this](NodeIndex node) { return is_mixed(node); });
      if (found == nodes.end()) continue;
      const NodeIndex access = *found;
      const auto kind = kind_of(function_.nodes[access].arguments[0]);
      if (kind) split(block, access, *kind);
      done_.push_back(access);
      if (!kind) --block;  // what follows in this block
    }
  }

 private:
  [[nodiscard]] bool is_mixed(NodeIndex index) const {
    const IrNode& node = function_.nodes[index];
    return (node.operation == Op::load || node.operation == Op::store) && node.space == IrSpace::generic &&
           std::popcount(origins_.of(node.arguments[0])) > 1 &&
           std::find(done_.begin(), done_.end(), index) == done_.end();
  }

  /// The number of the space that a pointer points into, as a value; nothing when it cannot be told.
  std::optional<IrArgument> kind_of(const IrArgument& pointer) {
    const IrSpaces spaces = origins_.of(pointer);
    if (spaces == 0) return constant_argument(static_cast<std::uint32_t>(IrSpace::global));
    if (std::has_single_bit(spaces)) return constant_argument(static_cast<std::uint32_t>(std::countr_zero(spaces)));
    if (const auto known = kinds_.find(pointer.value); known != kinds_.end()) return known->second;
    const NodeIndex defined = function_.values[pointer.value].node;
    switch (function_.nodes[defined].operation) {
      case Op::phi:
        return kind_of_phi(pointer.value, defined);
      case Op::select:
        return kind_of_select(pointer.value, defined);
      case Op::load:
        return std::nullopt;  // one of several that were stored
      default:
        return kind_of_sum(pointer.value, defined);
    }
  }

  std::optional<IrArgument> kind_of_phi(ValueIndex pointer, NodeIndex defined) {
    const NodeIndex index = function_.create({}, 1);
    function_.nodes[index].operation = Op::phi;
    const IrArgument kind = value_argument(function_.nodes[index].results[0]);
    kinds_[pointer] = kind;
    std::vector<IrArgument> kinds;
    for (const IrArgument& argument : std::vector<IrArgument>(function_.nodes[defined].arguments)) {
      const auto one = kind_of(argument);
      if (!one) return std::nullopt;
      kinds.push_back(*one);
    }
    function_.nodes[index].arguments = std::move(kinds);
    stand_behind(defined, index);
    return kind;
  }

  std::optional<IrArgument> kind_of_select(ValueIndex pointer, NodeIndex defined) {
    const std::vector<IrArgument> arguments = function_.nodes[defined].arguments;
    const auto taken = kind_of(arguments[1]), other = kind_of(arguments[2]);
    if (!taken || !other) return std::nullopt;
    IrNode node;
    node.operation = Op::select;
    node.arguments = {arguments[0], *taken, *other};
    const NodeIndex index = function_.create(std::move(node), 1);
    stand_behind(defined, index);
    return kinds_[pointer] = value_argument(function_.nodes[index].results[0]);
  }

  std::optional<IrArgument> kind_of_sum(ValueIndex pointer, NodeIndex defined) {
    std::optional<IrArgument> found;
    for (const IrArgument& argument : function_.nodes[defined].arguments) {
      if (origins_.of(argument) == 0) continue;
      if (found) return std::nullopt;
      found = argument;
    }
    if (!found) return std::nullopt;
    const auto kind = kind_of(*found);
    if (kind) kinds_[pointer] = *kind;
    return kind;
  }

  void stand_behind(NodeIndex before, NodeIndex added) {
    for (IrBlock& block : function_.blocks) {
      const auto place = std::find(block.nodes.begin(), block.nodes.end(), before);
      if (place == block.nodes.end()) continue;
      block.nodes.insert(place + 1, added);
      return;
    }
  }

  /// What stands behind the access moves to a block of its own.
  BlockIndex cut_behind(BlockIndex block, NodeIndex access) {
    const BlockIndex rest = function_.add_block();
    std::vector<NodeIndex>& nodes = function_.blocks[block].nodes;
    const auto place = std::find(nodes.begin(), nodes.end(), access);
    function_.blocks[rest].nodes.assign(place + 1, nodes.end());
    nodes.erase(place, nodes.end());
    function_.blocks[rest].end = function_.blocks[block].end;
    for (std::size_t way = 0; way < function_.successors(rest); ++way) {
      for (BlockIndex& from : function_.blocks[function_.blocks[rest].end.target[way]].predecessors) {
        if (from == block) from = rest;
      }
    }
    return rest;
  }

  void split(BlockIndex block, NodeIndex access, const IrArgument& kind) {
    const BlockIndex rest = cut_behind(block, access);
    IrSpaces spaces = origins_.of(function_.nodes[access].arguments[0]);
    std::vector<NodeIndex> accesses;
    IrBuilder ir(function_);
    ir.set_lines(function_.nodes[access].line, function_.nodes[access].ptx_line);
    for (BlockIndex from = block; spaces != 0;) {
      const auto space = static_cast<std::uint32_t>(std::countr_zero(spaces));
      spaces &= spaces - 1;
      const BlockIndex here = function_.add_block();
      IrNode one = function_.nodes[access];
      one.space = static_cast<IrSpace>(space);
      accesses.push_back(
          function_.append(here, std::move(one), static_cast<unsigned>(function_.nodes[access].results.size())));
      if (spaces == 0) {
        function_.jump(from, here);
      } else {
        const BlockIndex next = function_.add_block();
        ir.set_block(from);
        function_.branch(from, ir.compare(Relations::equal, kind, constant_argument(space), ValueType::u32), here,
                         next);
        from = next;
      }
      function_.jump(here, rest);
    }
    choose_results(rest, access, accesses);
  }

  /// The values that were loaded are now those of phis.
  void choose_results(BlockIndex rest, NodeIndex access, const std::vector<NodeIndex>& accesses) {
    const std::vector<ValueIndex> results = function_.nodes[access].results;
    std::vector<NodeIndex>& nodes = function_.blocks[rest].nodes;
    for (std::size_t i = 0; i < results.size(); ++i) {
      IrNode phi;
      phi.operation = Op::phi;
      for (const NodeIndex one : accesses) phi.arguments.push_back(value_argument(function_.nodes[one].results[i]));
      const NodeIndex index = function_.create(std::move(phi), 0);
      function_.nodes[index].results = {results[i]};
      function_.values[results[i]] = {index, 0};
      nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(i), index);
    }
  }

  IrFunction& function_;
  PointerOrigins origins_;
  std::unordered_map<ValueIndex, IrArgument> kinds_{};
  std::vector<NodeIndex> done_{};
};

}  // namespace

void split_mixed_accesses(IrFunction& function) {
  Splitter(function).run();
}

}  // namespace teslasim::compiler

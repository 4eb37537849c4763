// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/pointer_origins.h"

#include <algorithm>
#include <array>
#include <bit>

namespace teslasim::compiler {

using Op = IrOperation;

/// The result is as much a pointer as one of the arguments.
static bool moves_pointer(Op operation) {
  constexpr std::array moving{Op::add, Op::add_64, Op::subtract, Op::subtract_64, Op::bit_and, Op::bit_or};
  return std::find(moving.begin(), moving.end(), operation) != moving.end();
}

PointerOrigins::PointerOrigins(const IrFunction& function)
    : function_(function), order_(reverse_postorder(function.graph())), spaces_(function.values.size()) {
  find_words_of_launch();
  // What a loop hands on to itself must be known before it can be told from what the host passed.
  for (bool changed = true; changed;) {
    propagate();
    changed = false;
    for (const BlockIndex block : order_) {
      for (const NodeIndex index : function.blocks[block].nodes)
        changed = update_chosen(function.nodes[index]) || changed;
    }
  }
}

/// Of every value it is believed until one of the ways to it shows that it is not so: a loop that hands a pointer on to
/// itself, or moves it on, takes nothing away.
void PointerOrigins::find_words_of_launch() {
  for (const BlockIndex block : order_) {
    for (const NodeIndex index : function_.blocks[block].nodes) {
      for (const ValueIndex result : function_.nodes[index].results) spaces_[result] |= launch_bit;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockIndex block : order_) {
      for (const NodeIndex index : function_.blocks[block].nodes) {
        const IrNode& node = function_.nodes[index];
        if (has_word_of_launch(node)) continue;
        for (const ValueIndex result : node.results) {
          changed = changed || (spaces_[result] & launch_bit) != 0;
          spaces_[result] &= ~launch_bit;
        }
      }
    }
  }
}

bool PointerOrigins::has_word_of_launch(const IrNode& node) const {
  const auto has = [this](const IrArgument& argument) { return from_launch(argument); };
  switch (node.operation) {
    case Op::launch_word:
      return true;
    case Op::copy:
      return node.origin == IrSpace::none && has(node.arguments[0]);
    case Op::phi:
      return std::all_of(node.arguments.begin(), node.arguments.end(), has);
    case Op::select:
      return has(node.arguments[1]) && has(node.arguments[2]);
    default:
      return moves_pointer(node.operation) && std::any_of(node.arguments.begin(), node.arguments.end(), has);
  }
}

void PointerOrigins::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockIndex block : order_) {
      for (const NodeIndex index : function_.blocks[block].nodes) changed = update(function_.nodes[index]) || changed;
    }
  }
}

bool PointerOrigins::update(const IrNode& node) {
  if (node.operation == Op::store) return keep(node);
  const IrSpaces spaces = spaces_of_result(node);
  // A load of several words may bring several pointers.
  const std::size_t pointers = node.operation == Op::load ? node.results.size() : 1;
  bool changed = false;
  for (std::size_t i = 0; i < std::min(pointers, node.results.size()); ++i) {
    IrSpaces& so_far = spaces_[node.results[i]];
    changed = changed || (so_far | spaces) != so_far;
    so_far |= spaces;
  }
  return changed;
}

IrSpaces PointerOrigins::spaces_of_result(const IrNode& node) const {
  IrSpaces spaces = 0;
  switch (node.operation) {
    case Op::launch_word:
      return device_bit;
    case Op::variable_address:
      return bit_of(IrSpace::global);
    case Op::load:
      return holds_pointers_of_host(node) ? device_bit : kept_in(space_of(node));
    case Op::copy:
      if (node.origin != IrSpace::none) return bit_of(node.origin);
      break;
    case Op::select:
      return (known(node.arguments[1]) | known(node.arguments[2])) & ~launch_bit;
    case Op::phi:
      break;
    default:
      if (!moves_pointer(node.operation)) return 0;
  }
  for (const IrArgument& argument : node.arguments) spaces |= known(argument) & ~launch_bit;
  return spaces;
}

IrSpace PointerOrigins::space_of(const IrNode& access) const {
  if (access.space != IrSpace::generic) return access.space;
  const IrSpaces spaces = of(access.arguments[0]);
  return std::has_single_bit(spaces) ? static_cast<IrSpace>(std::countr_zero(spaces)) : IrSpace::generic;
}

/// Only the kernel itself writes to its shared and local memory: what it stores there says what pointers are loaded.
bool PointerOrigins::keep(const IrNode& store) {
  const IrSpace space = space_of(store);
  if (space != IrSpace::shared && space != IrSpace::local) return false;
  Kept& kept = space == IrSpace::shared ? in_shared_ : in_local_;
  const Kept before = kept;
  for (std::size_t i = 1; i < store.arguments.size(); ++i) {
    const IrSpaces spaces = of(store.arguments[i]);
    // In local memory pointers are lower words of pairs. Shared memory takes word by word: there, what was loaded from
    // device memory is data in general.
    const bool low_word = store.arguments.size() > 2 && i % 2 == 1;
    const IrSpaces signs = space == IrSpace::shared ? launch_bit : low_word ? device_bit : 0;
    kept.spaces |= spaces;
    kept.of_host = kept.of_host || (spaces == 0 && (known(store.arguments[i]) & signs) != 0);
  }
  return kept.spaces != before.spaces || kept.of_host != before.of_host;
}

IrSpaces PointerOrigins::kept_in(IrSpace space) const {
  if (space != IrSpace::shared && space != IrSpace::local) return 0;
  const Kept& kept = space == IrSpace::shared ? in_shared_ : in_local_;
  if (kept.spaces == 0) return 0;
  return kept.spaces | (kept.of_host ? bit_of(IrSpace::global) : 0);
}

bool PointerOrigins::holds_pointers_of_host(const IrNode& load) const {
  if (load.space != IrSpace::generic) return load.space == IrSpace::global || load.space == IrSpace::constant;
  const IrSpaces spaces = of(load.arguments[0]);
  return spaces == bit_of(IrSpace::global) || (spaces == 0 && (known(load.arguments[0]) & device_bit) != 0);
}

/// One of several pointers points into a known memory: another one that came from the host does not point there.
bool PointerOrigins::update_chosen(const IrNode& node) {
  if ((node.operation != Op::phi && node.operation != Op::select) || node.results.empty()) return false;
  IrSpaces& so_far = spaces_[node.results[0]];
  const IrSpaces spaces = so_far & ~marks;
  if (spaces == 0 || (spaces & bit_of(IrSpace::global)) != 0) return false;
  const auto first = node.arguments.begin() + (node.operation == Op::select ? 1 : 0);
  const bool of_host = std::any_of(first, node.arguments.end(), [this](const IrArgument& argument) {
    return of(argument) == 0 && (known(argument) & device_bit) != 0;
  });
  if (of_host) so_far |= bit_of(IrSpace::global);
  return of_host;
}

}  // namespace teslasim::compiler

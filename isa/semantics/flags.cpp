// SPDX-License-Identifier: Apache-2.0
#include "isa/semantics/flags.h"

#include <cstddef>
#include <utility>

namespace teslasim {

namespace {

constexpr LaneMask spread(bool bit) {
  return bit ? all_lanes : 0;
}
constexpr LaneMask choose(LaneMask selector, LaneMask if_set, LaneMask if_clear) {
  return (selector & if_set) | (~selector & if_clear);
}

/// The truth table as a tree of multiplexers; the compiler folds it to the few operations that the table needs.
template <std::size_t code>
LaneMask evaluate(const FlagPlanes& flags) {
  constexpr unsigned table = condition_truth_tables[code];
  std::array<LaneMask, 8> by_zero{};
  for (unsigned i = 0; i < 8; ++i) {
    by_zero[i] = choose(flags.zero, spread((table >> (2 * i + 1) & 1U) != 0), spread((table >> (2 * i) & 1U) != 0));
  }
  std::array<LaneMask, 4> by_sign{};
  for (unsigned i = 0; i < 4; ++i) by_sign[i] = choose(flags.sign, by_zero[2 * i + 1], by_zero[2 * i]);
  const LaneMask without_overflow = choose(flags.carry, by_sign[1], by_sign[0]);
  const LaneMask with_overflow = choose(flags.carry, by_sign[3], by_sign[2]);
  return choose(flags.overflow, with_overflow, without_overflow);
}

template <std::size_t... codes>
constexpr std::array<ConditionFunction, sizeof...(codes)> make_functions(std::index_sequence<codes...>) {
  return {&evaluate<codes>...};
}

constexpr auto functions = make_functions(std::make_index_sequence<condition_truth_tables.size()>{});

}  // namespace

ConditionFunction condition_function(unsigned code) {
  return functions[code & 31U];
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Instructions against exact arithmetic, in every lane code.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "tests/isa/exact_operands.h"
#include "tests/isa/semantics_harness.h"
#include "tests/support/volume.h"

namespace teslasim::semantics_test {

inline unsigned warps_to_try() {
  return long_run() ? 40'000 : test::volume(400U, 40U);  // 32 triples each: 1.3 million or 12,800
}

using Triple = std::array<std::uint64_t, 3>;

/// What instructions that differ in little should give, on the same operands, in each lane code: the exact arithmetic,
/// which takes most of the time, is done once for all of them.
struct Comparison {
  std::vector<Instruction> instructions;
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)> exact;
  /// What an instruction makes of that.
  std::function<std::uint64_t(std::uint64_t, const Instruction&)> result = [](std::uint64_t bits, const Instruction&) {
    return bits;
  };
  std::function<Triple(exact::Operands&)> next = [](exact::Operands& operands) { return operands.next(); };
  unsigned warps = warps_to_try();
  unsigned seed = 0;
};

inline bool is_wide(const Instruction& instruction) {
  return instruction.type == ValueType::f64 && instruction.opcode != Opcode::dset;
}

inline void compare_warp(Warp& warp, const Comparison& comparison, const std::array<Triple, warp_size>& triples,
                         const std::array<std::uint64_t, warp_size>& exact, semantics::LaneCode code) {
  const Instruction& instruction = warp.instruction();
  warp.forget().run();
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t got = is_wide(instruction) ? warp.pair(lane) : warp.value(lane);
    const std::uint64_t wanted = comparison.result(exact[lane], instruction);
    if (got == wanted) continue;
    const auto& [a, b, c] = triples[lane];
    ASSERT_EQ(got, wanted) << info(instruction.opcode).name << ' ' << name_of(code) << std::hex << ' ' << a << ' ' << b
                           << ' ' << c;
  }
}

inline void compare(const Comparison& comparison, const exact::Format& format) {
  const auto opcode = static_cast<unsigned>(comparison.instructions.front().opcode);
  const unsigned seed = 7 * opcode + (format.precision == exact::single.precision ? 1 : 2);
  exact::Operands operands(format, seed + 1000 * comparison.seed);
  std::vector<Warp> warps(comparison.instructions.begin(), comparison.instructions.end());
  std::array<Triple, warp_size> triples{};
  std::array<std::uint64_t, warp_size> exact{};
  for (unsigned n = 0; n < comparison.warps; ++n) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      triples[lane] = comparison.next(operands);
      exact[lane] = comparison.exact(triples[lane][0], triples[lane][1], triples[lane][2]);
    }
    for (Warp& warp : warps) {
      for (unsigned i = 0; i < 3 * warp_size; ++i) warp.lane64(i % 3, i / 3, triples[i / 3][i % 3]);
      in_each_lane_code([&](auto code) { compare_warp(warp, comparison, triples, exact, code); });
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

inline Instruction with(Opcode opcode, ValueType type, Rounding mode, bool saturate = false) {
  Instruction instruction = operation(opcode, type);
  instruction.rounding = mode;
  instruction.saturate = saturate;
  return instruction;
}

/// Saturating and not.
inline std::vector<Instruction> clamped_or_not(const Instruction& instruction) {
  std::vector<Instruction> both(2, instruction);
  both.back().saturate = true;
  return both;
}

/// With each set of relations.
inline std::vector<Instruction> with_all_relations(const Instruction& instruction) {
  std::vector<Instruction> all(16, instruction);
  for (std::uint8_t compare = 0; compare < 16; ++compare) all[compare].compare = static_cast<Relations>(compare);
  return all;
}

}  // namespace teslasim::semantics_test

// SPDX-License-Identifier: Apache-2.0
// One operation on one warp: operands in, result and flags out.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "isa/instruction.h"
#include "isa/semantics/float_wide.h"
#include "isa/semantics/lanes.h"

namespace teslasim::semantics_test {

/// TESLASIM_LONG_TESTS in the environment: exhaustive ranges, millions of operands.
inline bool long_run() {
  return std::getenv("TESLASIM_LONG_TESTS") != nullptr;
}

inline const char* name_of(semantics::LaneCode code) {
  return code == semantics::LaneCode::widest ? "widest" : "narrow";
}

/// Both versions of operations that have a wide one, where the host does.
class BothLaneCodes : public ::testing::TestWithParam<semantics::LaneCode> {
 protected:
  void SetUp() override {
    semantics::use_lane_code(GetParam());
    if (GetParam() == semantics::LaneCode::widest && !semantics::wide_lanes()) GTEST_SKIP() << "no AVX2 here";
  }
  void TearDown() override { semantics::use_lane_code(semantics::LaneCode::widest); }
};
inline const auto both_lane_codes = ::testing::Values(semantics::LaneCode::widest, semantics::LaneCode::narrow);
inline std::string lane_code_name(const ::testing::TestParamInfo<semantics::LaneCode>& parameter) {
  return name_of(parameter.param);
}

/// The same within a test, which does once what is slow: calls `check(code)` with each.
template <typename Check>
void in_each_lane_code(const Check& check) {
  for (const auto code : {semantics::LaneCode::narrow, semantics::LaneCode::widest}) {
    semantics::use_lane_code(code);
    check(code);
  }
}

inline constexpr std::uint32_t untouched = 0xdeadbeefU;

struct Outcome {
  std::uint32_t value = 0;
  unsigned flags = 0;  ///< bit 0 Z, 1 S, 2 C, 3 O
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline Instruction operation(Opcode opcode, ValueType type) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.flag_destination = 1;
  instruction.destination[0].kind = Operand::Kind::gpr;
  for (unsigned i = 0; i < info(opcode).sources; ++i) {
    instruction.source[i].kind = Operand::Kind::gpr;
    instruction.source_type[i] = type;
  }
  return instruction;
}

inline FlagPlanes planes_of(unsigned flags, LaneMask lanes = all_lanes) {
  const auto plane = [&](unsigned bit) { return (flags >> bit & 1U) != 0 ? lanes : 0U; };
  return {plane(0), plane(1), plane(2), plane(3)};
}

/// The operation in every lane of a warp, operands the same in all of them or given per lane.
class Warp {
 public:
  explicit Warp(const Instruction& instruction) : instruction_(instruction) { forget(); }
  /// As if it had not run.
  Warp& forget() {
    for (LaneRow& row : destination_) row.lane.fill(untouched);
    return *this;
  }
  Warp& operand(unsigned index, std::uint64_t value) {
    source_[index][0].lane.fill(static_cast<std::uint32_t>(value));
    source_[index][1].lane.fill(static_cast<std::uint32_t>(value >> 32U));
    return *this;
  }
  Warp& lane(unsigned index, unsigned lane, std::uint32_t value) {
    source_[index][0][lane] = value;
    return *this;
  }
  Warp& lane64(unsigned index, unsigned lane, std::uint64_t value) {
    source_[index][0][lane] = static_cast<std::uint32_t>(value);
    source_[index][1][lane] = static_cast<std::uint32_t>(value >> 32U);
    return *this;
  }
  Warp& guard(unsigned flags) {
    guard_ = planes_of(flags);
    return *this;
  }
  Warp& guard_planes(const FlagPlanes& flags) {
    guard_ = flags;
    return *this;
  }
  Warp& machine(unsigned sm) {
    machine_ = static_cast<std::uint8_t>(sm);
    return *this;
  }
  Warp& lanes(LaneMask lanes) {
    lanes_ = lanes;
    return *this;
  }
  Warp& predicate(LaneMask holding) {
    predicate_ = holding;
    return *this;
  }
  Warp& run() {
    LaneContext context;
    for (unsigned i = 0; i < 3; ++i) context.source[i] = source_[i][0].data();
    context.destination = destination_[0].data();
    context.lanes = lanes_;
    context.flags = instruction_.flag_destination >= 0 ? &flags_ : nullptr;
    context.guard = &guard_;
    context.predicate = predicate_;
    context.machine_sm = machine_;
    bind_semantics(instruction_)(instruction_, context);
    return *this;
  }
  [[nodiscard]] const Instruction& instruction() const { return instruction_; }
  [[nodiscard]] std::uint32_t value(unsigned lane = 0) const { return destination_[0][lane]; }
  [[nodiscard]] std::uint64_t pair(unsigned lane = 0) const {
    return destination_[0][lane] | std::uint64_t{destination_[1][lane]} << 32U;
  }
  [[nodiscard]] unsigned flags(unsigned lane = 0) const {
    return (flags_.zero >> lane & 1U) | (flags_.sign >> lane & 1U) << 1U | (flags_.carry >> lane & 1U) << 2U |
           (flags_.overflow >> lane & 1U) << 3U;
  }

 private:
  Instruction instruction_;
  std::array<std::array<LaneRow, 2>, 3> source_{};
  std::array<LaneRow, 2> destination_{};
  FlagPlanes flags_;
  FlagPlanes guard_;
  LaneMask lanes_ = all_lanes;
  LaneMask predicate_ = 0;
  std::uint8_t machine_ = 13;
};

inline Outcome run(const Instruction& instruction, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0,
                   unsigned guard_flags = 0) {
  Warp warp(instruction);
  warp.operand(0, a).operand(1, b).operand(2, c).guard(guard_flags).run();
  return {warp.value(), warp.flags()};
}

inline std::uint64_t run64(const Instruction& instruction, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  Warp warp(instruction);
  return warp.operand(0, a).operand(1, b).operand(2, c).run().pair();
}

inline std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline float real(std::uint32_t value) {
  return std::bit_cast<float>(value);
}

}  // namespace teslasim::semantics_test

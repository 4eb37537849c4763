// SPDX-License-Identifier: Apache-2.0
// A flag register ($c) of one warp, and the 32 condition codes that test it.
//
// Stands for the 4-bit condition register of 32 lanes, kept as four bit planes: bit i of a plane belongs to lane i. A
// condition is a truth table over the four bits; evaluated on planes it costs a few logic operations for 32 lanes.
// The truth tables are those measured on hardware by van der Laan 2008 (decuda) and given as formulas by the
// envytools documentation; they agree.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

struct FlagPlanes {
  LaneMask zero = 0;
  LaneMask sign = 0;
  LaneMask carry = 0;
  LaneMask overflow = 0;
  friend bool operator==(const FlagPlanes&, const FlagPlanes&) = default;
};

/// Bit v of an entry: the condition holds when the flag register has value v (bit 0 Z, bit 1 S, bit 2 C, bit 3 O).
inline constexpr std::array<std::uint16_t, 32> condition_truth_tables{
    0x0000,                       // 0 fl: never
    0xbb44,                       // 1 lt: signed less
    0x2222,                       // 2 eq
    0x3366,                       // 3 le
    0x4411,                       // 4 gt
    0x5555,                       // 5 ne
    0xcc33,                       // 6 ge
    0x7777,                       // 7 leg: ordered
    0x8888,                       // 8 nan: unordered
    0x33cc,                       // 9 ltu
    0xaaaa,                       // 10 equ
    0xbbee,                       // 11 leu
    0xcc99,                       // 12 gtu
    0xdddd,                       // 13 neu
    0x44bb,                       // 14 geu
    0xffff,                       // 15 tr: always
    0xff00,                       // 16 of
    0xf0f0,                       // 17 cf
    0x5050,                       // 18 ab: unsigned above
    0xcccc,                       // 19 sf
    0,      0, 0, 0, 0, 0, 0, 0,  // 20-27: unused, never
    0x3333,                       // 28 nsf
    0xafaf,                       // 29 ble: unsigned below or equal
    0x0f0f,                       // 30 ncf
    0x00ff,                       // 31 nof
};

/// The lanes for which a condition holds.
using ConditionFunction = LaneMask (*)(const FlagPlanes&);

/// The evaluator of condition code 0..31.
[[nodiscard]] ConditionFunction condition_function(unsigned code);

}  // namespace teslasim

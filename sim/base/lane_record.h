// SPDX-License-Identifier: Apache-2.0
// What one execution of an instruction touches of a memory, lane by lane: for pictures of lanes, banks and segments,
// and for the log of instructions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

/// How a warp uses one memory.
struct LaneAccess {
  enum class Space : std::uint8_t { shared, constant, global, local, texture };
  enum class Kind : std::uint8_t { load, store, atomic };

  struct Segment {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    LaneMask lanes = 0;
  };

  Space space = Space::shared;
  Kind kind = Kind::load;
  unsigned bytes = 4;  ///< per lane
  LaneMask lanes = 0;
  std::array<std::uint32_t, warp_size> address{};
  std::vector<unsigned> passes;   ///< shared and constant memory: per group of lanes
  std::vector<Segment> segments;  ///< device memory: the transactions
};

/// One access in its place.
struct LaneRecord : LaneAccess {
  std::uint32_t pc = 0;
  std::string text;  ///< of the instruction
  unsigned sm = 0;
  unsigned warp = 0;  ///< slot
  SmCycle cycle = 0;  ///< SM cycle of its issue
  unsigned banks = 16;
  unsigned group = 16;  ///< lanes that are served together
};

struct LaneRecords {
  std::vector<LaneRecord> records;
  std::uint64_t dropped = 0;  ///< executions beyond those that were kept
};

/// "load", "store", "atomic"
[[nodiscard]] constexpr const char* name_of(LaneAccess::Kind kind) {
  constexpr const char* names[] = {"load", "store", "atomic"};
  return names[static_cast<unsigned>(kind)];
}

/// "shared", "global"...
[[nodiscard]] constexpr const char* name_of(LaneAccess::Space space) {
  constexpr const char* names[] = {"shared", "constant", "global", "local", "texture"};
  return names[static_cast<unsigned>(space)];
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// A place in the code at which warps are to be stopped, and which of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/program.h"
#include "sim/base/types.h"
#include "sim/debugger/commands/command.h"

namespace teslasim {

/// The instructions that stand for a place; empty: the kernel has no such place. A line may have several: each
/// instruction of it that no other of it precedes.
[[nodiscard]] std::vector<std::uint32_t> instructions_at(const DebugPlace& place, const Kernel& kernel);
/// Why there are none, and what there is instead; `kernels` are the names that are places, too.
struct MissingPlace {
  std::string message, help;
};
[[nodiscard]] MissingPlace missing_place(const DebugPlace& place, const Kernel& kernel,
                                         const std::vector<std::string>& kernels);

/// A warp that stands before an instruction.
struct StandingWarp {
  SmIndex sm = 0;
  BlockIndex block = 0;
  unsigned number = 0;    ///< in its block
  LaneMask launched = 0;  ///< lanes that its block has threads for
  LaneMask active = 0;
};

class Breakpoint {
 public:
  Breakpoint(unsigned number, DebugPlace place, std::vector<StopCondition> conditions)
      : number_(number), place_(std::move(place)), conditions_(std::move(conditions)) {}

  /// Finds its instructions in the kernel of a launch.
  void resolve(const Kernel& kernel);
  [[nodiscard]] bool stops(std::uint32_t instruction, const StandingWarp& warp) const;
  /// Whether it is tried with the lanes of each path that comes to a join there.
  [[nodiscard]] bool stops_at_joins() const { return at_join_; }
  [[nodiscard]] unsigned number() const { return number_; }
  /// "0x0030 (label step) if mask!=full"
  [[nodiscard]] std::string text() const;

 private:
  unsigned number_;
  DebugPlace place_;
  std::vector<StopCondition> conditions_;
  std::vector<std::uint32_t> instructions_;  ///< sorted
  std::vector<std::uint32_t> pcs_;
  bool at_join_ = false;  ///< one of them has the join flag, and a condition is about the mask
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Which registers cannot share one of the chip's.
//
// Sources: Chaitin 1982; Briggs 1992, "Register allocation via graph coloring" (pairs in a hash table where
// a matrix of bits would be large and empty).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "frontend/compiler/machine.h"
#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {

/// A set of pairs without order.
class RegisterPairs {
 public:
  /// Returns whether the pair is new.
  bool insert(VirtualRegister left, VirtualRegister right);
  [[nodiscard]] bool contains(VirtualRegister left, VirtualRegister right) const;

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  [[nodiscard]] static std::uint64_t key(VirtualRegister left, VirtualRegister right);
  /// Where a key is, or the empty place where it would be.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const;
  void grow(std::size_t places);

  std::vector<std::uint64_t> places_{};  ///< a power of two of them
  std::size_t size_ = 0;
};

/// Which registers are live at once and not by a move from one to the other.
class Interference {
 public:
  explicit Interference(const MachineFunction& function);
  [[nodiscard]] bool between(VirtualRegister left, VirtualRegister right) const;
  [[nodiscard]] const std::vector<VirtualRegister>& of(VirtualRegister one) const { return neighbours_[one]; }

 private:
  void keep_from_routine(const MachineFunction& function, const MachineInstruction& call, const LiveSet& live);
  void add(VirtualRegister left, VirtualRegister right);

  RegisterPairs pairs_{};
  std::vector<std::vector<VirtualRegister>> neighbours_;
};

}  // namespace teslasim::compiler

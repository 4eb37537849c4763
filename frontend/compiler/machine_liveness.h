// SPDX-License-Identifier: Apache-2.0
// Which registers hold something that is still wanted, at the ends of blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/compiler/machine.h"

namespace teslasim::compiler {

/// A set of registers.
class LiveSet {
 public:
  explicit LiveSet(std::size_t registers) : words_((registers + 63) / 64) {}
  void insert(VirtualRegister one) { words_[one / 64] |= std::uint64_t{1} << (one % 64); }
  void remove(VirtualRegister one) { words_[one / 64] &= ~(std::uint64_t{1} << (one % 64)); }
  [[nodiscard]] bool contains(VirtualRegister one) const { return (words_[one / 64] >> (one % 64) & 1U) != 0; }
  /// Returns whether anything was added.
  bool insert(const LiveSet& other);
  template <typename Function>
  void for_each(const Function& function) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        function(static_cast<VirtualRegister>(64 * word + static_cast<std::size_t>(__builtin_ctzll(bits))));
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Registers that are live at the end of each block.
[[nodiscard]] std::vector<LiveSet> live_at_ends(const MachineFunction& function);

/// Goes from what is live behind an instruction to what is live before it.
void step_back(LiveSet& live, const MachineInstruction& instruction);

}  // namespace teslasim::compiler

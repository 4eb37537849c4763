// SPDX-License-Identifier: Apache-2.0
// Which kinds of memory a pointer may point into, followed backwards through sums, choices and loops.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

/// A bit for each space; 0: not known, as of what was loaded or passed, and of plain numbers. What the host passed or
/// what was loaded from device memory or constants counts as a pointer into device memory where it is one of several to
/// choose from and another one points elsewhere: the host knows no other addresses.
using IrSpaces = unsigned;
[[nodiscard]] constexpr IrSpaces bit_of(IrSpace space) {
  return 1U << static_cast<unsigned>(space);
}

class PointerOrigins {
 public:
  explicit PointerOrigins(const IrFunction& function);
  /// Of values that were there at the start.
  [[nodiscard]] IrSpaces of(const IrArgument& argument) const { return known(argument) & ~marks; }
  /// A word of the launch is in it: what the host gives as a pointer leads to device memory.
  [[nodiscard]] bool from_launch(const IrArgument& argument) const { return (known(argument) & launch_bit) != 0; }

 private:
  static constexpr IrSpaces launch_bit = 1U << 31U;  ///< a word of the launch is in it, whatever way the program took
  static constexpr IrSpaces device_bit = 1U << 30U;  ///< something of the host is in it, perhaps
  static constexpr IrSpaces marks = launch_bit | device_bit;

  [[nodiscard]] IrSpaces known(const IrArgument& argument) const {
    return argument.is_constant() || argument.value >= spaces_.size() ? 0 : spaces_[argument.value];
  }
  void find_words_of_launch();
  [[nodiscard]] bool has_word_of_launch(const IrNode& node) const;
  void propagate();
  bool update(const IrNode& node);
  bool update_chosen(const IrNode& node);
  [[nodiscard]] IrSpaces spaces_of_result(const IrNode& node) const;
  [[nodiscard]] bool holds_pointers_of_host(const IrNode& load) const;
  [[nodiscard]] IrSpace space_of(const IrNode& access) const;
  bool keep(const IrNode& store);
  [[nodiscard]] IrSpaces kept_in(IrSpace space) const;

  /// Pointers that the kernel stores in a memory of its own.
  struct Kept {
    IrSpaces spaces = 0;
    bool of_host = false;  ///< something of the host among them, perhaps a pointer
  };

  const IrFunction& function_;
  Kept in_shared_{}, in_local_{};
  std::vector<BlockIndex> order_;
  std::vector<IrSpaces> spaces_;
};

}  // namespace teslasim::compiler

// SPDX-License-Identifier: Apache-2.0
// A set of architectural registers of one thread: what an instruction reads or writes, what is pending in a scoreboard.
#pragma once

#include <array>
#include <cstdint>

namespace teslasim {

/// General registers 0..127, then flag registers $c0..$c3 and address registers $a1..$a7 in a third word.
struct RegisterSet {
  std::array<std::uint64_t, 3> words{};

  void add_register(unsigned index) { words[(index >> 6) & 1U] |= std::uint64_t{1} << (index & 63U); }
  void add_flags(unsigned index) { words[2] |= std::uint64_t{1} << index; }
  void add_address(unsigned index) { words[2] |= std::uint64_t{1} << (4 + index); }
  [[nodiscard]] bool empty() const { return (words[0] | words[1] | words[2]) == 0; }
  [[nodiscard]] bool intersects(const RegisterSet& other) const {
    return ((words[0] & other.words[0]) | (words[1] & other.words[1]) | (words[2] & other.words[2])) != 0;
  }
  void insert(const RegisterSet& other) {
    for (unsigned i = 0; i < 3; ++i) words[i] |= other.words[i];
  }
  /// All but general registers from 52 on have a place in the first word, with flags and address registers behind the
  /// others.
  [[nodiscard]] bool fits_one_word() const { return words[1] == 0 && words[0] >> general_in_one_word == 0; }
  /// The set renumbered in this way.
  [[nodiscard]] RegisterSet in_one_word() const {
    RegisterSet packed;
    packed.words[0] = words[0] | words[2] << general_in_one_word;
    return packed;
  }
  friend bool operator==(const RegisterSet&, const RegisterSet&) = default;

 private:
  static constexpr unsigned general_in_one_word = 52;  ///< four flag registers, eight address registers
};

}  // namespace teslasim

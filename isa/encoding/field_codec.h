// SPDX-License-Identifier: Apache-2.0
// Moves values between the words of an instruction and the members of an Instruction, in either direction. A field is
// written once, as a list of exchanges; decoding fills the members, encoding fills the bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "isa/instruction.h"

namespace teslasim {

class FieldCodec {
 public:
  enum class Direction : std::uint8_t { decoding, encoding };

  /// `fixed_mask` names the bits that the row's pattern owns.
  FieldCodec(Direction direction, std::uint64_t word, std::uint64_t fixed_mask, std::uint8_t sm)
      : word_(word), owned_(fixed_mask), direction_(direction), sm_(sm) {}

  [[nodiscard]] bool decoding() const { return direction_ == Direction::decoding; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::uint8_t sm() const { return sm_; }
  [[nodiscard]] std::uint64_t word() const { return word_; }
  /// Bits that mean something in this instruction.
  [[nodiscard]] std::uint64_t owned() const { return owned_; }

  /// The first failure counts. When decoding only the fact matters, so give short texts there.
  void fail(std::string problem) {
    if (failed_) return;
    failed_ = true;
    problem_ = std::move(problem);
  }
  void require(bool condition, std::string_view problem) {
    if (!condition) fail(std::string(problem));
  }

  /// Exchanges an unsigned value or an enumerator with `width` bits from bit `low` (bit 32 is bit 0 of the second
  /// word).
  template <typename T>
  void bits(unsigned low, unsigned width, T& value) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    own(low, width);
    if (decoding()) {
      value = static_cast<T>((word_ >> low) & mask);
      return;
    }
    const auto raw = static_cast<std::uint64_t>(value);
    if (raw > mask) {
      fail("the value " + std::to_string(raw) + " does not fit a field of " + std::to_string(width) + " bits");
      return;
    }
    word_ |= raw << low;
  }
  void flag(unsigned bit, bool& value) { bits(bit, 1, value); }
  /// A field that has one allowed value here.
  void constant(unsigned low, unsigned width, std::uint64_t value) {
    std::uint64_t found = value;
    bits(low, width, found);
    require(found == value, "this combination of bits means nothing");
  }
  /// Looks at bits without claiming them; when encoding, at those written so far.
  [[nodiscard]] std::uint64_t peek(unsigned low, unsigned width) const {
    return (word_ >> low) & ((std::uint64_t{1} << width) - 1);
  }

  /// The address register belongs to the first memory operand of an instruction. True for that one.
  [[nodiscard]] bool take_address_field() { return !std::exchange(address_taken_, true); }

  // Which of the optional parts of every instruction this row can express; checked after encoding.
  bool has_marks = false;
  bool has_guard = false;
  bool has_flag_result = false;

 private:
  void own(unsigned low, unsigned width) { owned_ |= ((std::uint64_t{1} << width) - 1) << low; }

  std::uint64_t word_;
  std::uint64_t owned_;
  std::string problem_;
  Direction direction_;
  std::uint8_t sm_;
  bool failed_ = false;
  bool address_taken_ = false;
};

}  // namespace teslasim

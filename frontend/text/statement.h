// SPDX-License-Identifier: Apache-2.0
// One instruction as written: base word, modifiers, types, operands; and how a mnemonic's row turns it into an
// Instruction. Rows take what they understand; what is left over is an error.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/cursor.h"
#include "frontend/text/operand_parser.h"
#include "isa/forms.h"

namespace teslasim::text {

class Statement {
 public:
  struct Suffix {
    std::string_view word;
    Span where;
    bool taken = false;
  };
  struct Type {
    ValueType type;
    Span where;
  };

  // As written.
  std::string_view base;
  Span base_where;
  std::vector<Suffix> suffixes;  ///< without types
  std::vector<Type> types;
  bool predicated = false;
  ParsedCondition guard;
  Span guard_where;
  int flag_destination = -1;
  Span flag_where;
  std::vector<ParsedOperand> operands;
  ParsedCondition vote_input;  ///< vote: the last operand
  std::string_view target;     ///< label of a branch, empty for none
  Span target_where;
  std::uint8_t sm = 10;

  /// Takes the modifier `word` if it was written.
  [[nodiscard]] bool take(std::string_view word);
  /// The first modifier that `parse` understands, taken.
  template <typename Parse>
  [[nodiscard]] auto take_if(Parse parse) -> decltype(parse(std::string_view{})) {
    for (Suffix& suffix : suffixes) {
      if (suffix.taken) continue;
      if (auto value = parse(suffix.word)) {
        suffix.taken = true;
        return value;
      }
    }
    return {};
  }
  /// One type per operand: written once or `count` times. Missing types are ASM-TYPE.
  [[nodiscard]] std::vector<ValueType> types_for(std::size_t count) const;
  /// The only type: all written ones must be equal.
  [[nodiscard]] ValueType single_type() const;
  [[nodiscard]] bool has_type(ValueType type) const;

  /// The number of operands must be one of `counts`.
  void expect_operands(std::initializer_list<std::size_t> counts) const;
  [[nodiscard]] Span types_where() const;

  /// Puts operand `from` into the destination.
  void set_destination(Instruction& instruction, std::size_t from);
  /// Puts operand `from` into source `position`, read as `type`; s[] accesses default to it.
  void set_source(Instruction& instruction, std::size_t position, std::size_t from, ValueType type);
  void set_store_target(Instruction& instruction, std::size_t from, ValueType type);
  /// Where an operand of the instruction was written.
  [[nodiscard]] Span place_of(EncodingProblem::Place place) const;
  void remember(EncodingProblem::Place place, Span where) { places_[static_cast<std::size_t>(place)] = where; }

 private:
  std::array<Span, 7> places_{};
};

}  // namespace teslasim::text

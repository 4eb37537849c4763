// SPDX-License-Identifier: Apache-2.0
// Random choices and random operands that fit the fields of a form.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "isa/forms.h"
#include "isa/instruction.h"

namespace teslasim::test {

class RandomOperands {
 public:
  RandomOperands(std::mt19937_64& random, Form form) : random_(random), form_(form) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return *(values.begin() + below(static_cast<unsigned>(values.size())));
  }
  [[nodiscard]] Operand register_operand(bool half);
  /// `field` decides how far the offset reaches.
  [[nodiscard]] Operand memory_operand(Operand::Kind kind, SourceField field, ValueType access);
  [[nodiscard]] Operand immediate(SourceField field, ValueType type);

 private:
  void add_address(Operand& operand, SourceField field);

  std::mt19937_64& random_;
  Form form_;
};

}  // namespace teslasim::test

// SPDX-License-Identifier: Apache-2.0
// Reach of the operand fields in each form.
#include "isa/forms.h"

#include <gtest/gtest.h>

#include "isa/reference.h"

namespace teslasim {
namespace {

Operand memory(Operand::Kind kind, ValueType access, bool post_increment = false) {
  Operand operand;
  operand.kind = kind;
  operand.type = access;
  operand.post_increment = post_increment;
  return operand;
}

struct Reach {
  char letter;
  Form form;
  Operand operand;
  std::int32_t minimum;
  std::int32_t maximum;
};

TEST(Forms, offsets_reach_as_far_as_their_fields) {
  using Kind = Operand::Kind;
  const Reach rows[] = {
      {'S', Form::long_form, memory(Kind::shared, ValueType::b32), 0, 124},
      {'S', Form::long_form, memory(Kind::shared, ValueType::u16), 0, 62},
      {'S', Form::long_form, memory(Kind::shared, ValueType::u8), 0, 31},
      {'S', Form::short_form, memory(Kind::shared, ValueType::b32), 0, 60},
      {'S', Form::immediate_form, memory(Kind::shared, ValueType::u16), 0, 30},
      {'S', Form::long_form, memory(Kind::shared, ValueType::b32, true), -64, 60},
      {'S', Form::short_form, memory(Kind::shared, ValueType::b32, true), -32, 28},
      {'C', Form::long_form, memory(Kind::constant, ValueType::u32), 0, 508},
      {'C', Form::long_form, memory(Kind::constant, ValueType::u16), 0, 254},
      {'C', Form::short_form, memory(Kind::constant, ValueType::f32), 0, 124},
      {'c', Form::long_form, memory(Kind::constant, ValueType::b32), 0, 0xffff},
      {'s', Form::long_form, memory(Kind::shared, ValueType::b32), 0, 0xffff},
      {'l', Form::long_form, memory(Kind::local, ValueType::b32, true), -0x8000, 0x7fff},
  };
  for (const Reach& row : rows) {
    const OffsetField field = offset_field(row.letter, row.form, row.operand);
    EXPECT_EQ(field.minimum, row.minimum) << row.letter;
    EXPECT_EQ(field.maximum, row.maximum) << row.letter;
  }
}

TEST(Forms, operations_have_the_forms_of_the_opcode_map) {
  EXPECT_TRUE(has_form(Opcode::mov, Form::short_form));
  EXPECT_TRUE(has_form(Opcode::mov, Form::immediate_form));
  EXPECT_FALSE(has_form(Opcode::set, Form::short_form));
  EXPECT_FALSE(has_form(Opcode::set, Form::immediate_form));
  EXPECT_FALSE(has_form(Opcode::sad, Form::immediate_form));
  EXPECT_TRUE(has_form(Opcode::trap, Form::short_form));
  EXPECT_FALSE(has_form(Opcode::bra, Form::long_form));
  EXPECT_TRUE(has_form(Opcode::bra, Form::control_form));
  EXPECT_TRUE(has_form(Opcode::nop, Form::long_form));
}

TEST(Forms, sixteen_operations_have_a_short_form_besides_trap_and_brkpt) {
  unsigned shorts = 0;
  for (unsigned i = 0; i < opcode_count; ++i) shorts += has_form(static_cast<Opcode>(i), Form::short_form) ? 1 : 0;
  EXPECT_EQ(shorts, 13U + 2U);  // mad24 counts four times there: add, sub, subr, addc
}

TEST(Reference, has_a_row_for_every_operation) {
  const std::string text = assembly_reference_markdown();
  for (unsigned i = 0; i < opcode_count; ++i)
    EXPECT_NE(text.find(reference_row(static_cast<Opcode>(i))), std::string::npos);
  EXPECT_NE(text.find("`%ctaid.x` | `s[0xc].u16`"), std::string::npos);
  EXPECT_NE(text.find("| 13 | `neu` |"), std::string::npos);
}

}  // namespace
}  // namespace teslasim

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
  SourceField field;
  Form form;
  Operand operand;
  std::int32_t minimum;
  std::int32_t maximum;
};

TEST(Forms, offsets_reach_as_far_as_their_fields) {
  using Kind = Operand::Kind;
  const Reach rows[] = {
      {SourceField::gpr_or_shared, Form::long_form, memory(Kind::shared, ValueType::b32), 0, 124},
      {SourceField::gpr_or_shared, Form::long_form, memory(Kind::shared, ValueType::u16), 0, 62},
      {SourceField::gpr_or_shared, Form::long_form, memory(Kind::shared, ValueType::u8), 0, 31},
      {SourceField::gpr_or_shared, Form::short_form, memory(Kind::shared, ValueType::b32), 0, 60},
      {SourceField::gpr_or_shared, Form::immediate_form, memory(Kind::shared, ValueType::u16), 0, 30},
      {SourceField::gpr_or_shared, Form::long_form, memory(Kind::shared, ValueType::b32, true), -64, 60},
      {SourceField::gpr_or_shared, Form::short_form, memory(Kind::shared, ValueType::b32, true), -32, 28},
      {SourceField::gpr_or_constant, Form::long_form, memory(Kind::constant, ValueType::u32), 0, 508},
      {SourceField::gpr_or_constant, Form::long_form, memory(Kind::constant, ValueType::u16), 0, 254},
      {SourceField::gpr_or_constant, Form::short_form, memory(Kind::constant, ValueType::f32), 0, 124},
      {SourceField::constant_memory, Form::long_form, memory(Kind::constant, ValueType::b32), 0, 0xffff},
      {SourceField::shared_memory, Form::long_form, memory(Kind::shared, ValueType::b32), 0, 0xffff},
      {SourceField::local_memory, Form::long_form, memory(Kind::local, ValueType::b32, true), -0x8000, 0x7fff},
  };
  for (const Reach& row : rows) {
    const OffsetField reach = offset_field(row.field, row.form, row.operand);
    EXPECT_EQ(reach.minimum, row.minimum) << static_cast<int>(row.field);
    EXPECT_EQ(reach.maximum, row.maximum) << static_cast<int>(row.field);
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

TEST(Forms, rows_say_what_the_fields_hold) {
  const FormRow& mad = form_row(Opcode::fmad);
  EXPECT_EQ(mad.long_form.size(), 3U);
  EXPECT_EQ(mad.short_form[1], SourceField::gpr_or_constant);
  EXPECT_EQ(mad.immediate_form[2], SourceField::result_again);
  EXPECT_EQ(mad.immediate_form[3], SourceField::unused);
  EXPECT_TRUE(mad.negates.contains(0) && mad.negates.contains(2));
  EXPECT_FALSE(mad.negates.contains(1));
  EXPECT_EQ(&mad.sources(Form::short_form), &mad.short_form);
  EXPECT_EQ(form_row(Opcode::bra).sources(Form::control_form).size(), 0U);
  EXPECT_EQ(form_row(Opcode::dadd).rounding, RoundingRule::every_rounding);
}

TEST(Forms, no_form_is_not_a_form_without_sources) {
  EXPECT_FALSE(SourceFields().exists());
  EXPECT_TRUE(without_sources.exists());
  EXPECT_EQ(without_sources.size(), 0U);
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

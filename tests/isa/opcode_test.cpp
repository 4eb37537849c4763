// SPDX-License-Identifier: Apache-2.0
#include "isa/opcode.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isa/forms.h"
#include "isa/instruction.h"

namespace teslasim {
namespace {

TEST(Opcode, rows_are_found_by_their_opcode) {
  EXPECT_EQ(info(Opcode::mov).name, "mov");
  EXPECT_EQ(info(Opcode::fmad).mnemonic, "mad");
  EXPECT_EQ(info(Opcode::fmad).issue_class, IssueClass::mul);
  EXPECT_EQ(info(Opcode::rcp).unit, UnitClass::sfu);
  EXPECT_EQ(info(Opcode::dfma).first_sm, 13);
  EXPECT_EQ(info(Opcode::pmevent).name, "pmevent");
}

TEST(Opcode, every_row_is_complete_and_its_name_is_unique) {
  std::set<std::string> names;
  for (unsigned i = 0; i < opcode_count; ++i) {
    const OpcodeInfo& row = info(static_cast<Opcode>(i));
    EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name;
    EXPECT_FALSE(row.mnemonic.empty()) << row.name;
    EXPECT_FALSE(row.description.empty()) << row.name;
    EXPECT_GE(row.first_sm, 10) << row.name;
    EXPECT_LE(row.first_sm, 13) << row.name;
    EXPECT_LE(row.sources, 3) << row.name;
  }
}

TEST(Opcode, every_operation_has_a_form) {
  for (unsigned i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_TRUE(has_form(opcode, Form::long_form) || has_form(opcode, Form::control_form)) << info(opcode).name;
    EXPECT_EQ(has_form(opcode, Form::control_form), is_control(opcode)) << info(opcode).name;
  }
}

TEST(Opcode, sources_are_those_of_the_long_form) {
  EXPECT_EQ(info(Opcode::fmad).sources, 3);
  EXPECT_EQ(info(Opcode::atom).sources, 3);
  EXPECT_EQ(info(Opcode::red).sources, 1);
  EXPECT_EQ(info(Opcode::mov).sources, 1);
  EXPECT_EQ(info(Opcode::bra).sources, 0);
}

TEST(Opcode, unit_and_class_have_words) {
  EXPECT_EQ(name_of(UnitClass::sfu), "SFU");
  EXPECT_EQ(name_of(UnitClass::control), "control");
  EXPECT_EQ(name_of(IssueClass::alu), "alu");
  EXPECT_EQ(name_of(IssueClass::other), "other");
}

}  // namespace
}  // namespace teslasim

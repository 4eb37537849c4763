// SPDX-License-Identifier: Apache-2.0
// Where variables of a PTX file live.
#include "frontend/compiler/module_layout.h"

#include <gtest/gtest.h>

#include "tests/frontend/compiler/instruction_sample.h"

namespace teslasim::compiler {
namespace {

/// Each declaration of a texture is a slot, in their order, and the name by which launches bind it.
TEST(ModuleLayoutOfTextures, BothWaysToDeclareThemArePlaced) {
  const std::string text = R"(.version 1.4
.target sm_10
.tex .u64 first;
.global .texref second;
.tex .u32 third;
.entry k(.param .u64 out)
{
.reg .u64 %to; .reg .s32 %x; .reg .f32 %f<4>;
ld.param.u64 %to, [out]; mov.s32 %x, 0;
tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [third, {%x, %x, %x, %x}];
st.global.f32 [%to], %f0;
tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [first, {%x, %x, %x, %x}];
st.global.f32 [%to], %f0;
exit;
}
)";
  const sample::Outcome outcome = sample::compile_text(text, 10, 0);
  ASSERT_EQ("", render(outcome.errors));
  const std::vector<TextureReference>& textures = outcome.module.textures;
  ASSERT_EQ(3U, textures.size());
  for (unsigned slot = 0; slot < 3; ++slot) EXPECT_EQ(slot, textures[slot].slot);
  EXPECT_EQ("first", textures[0].name);
  EXPECT_EQ("second", textures[1].name);
  EXPECT_EQ("third", textures[2].name);
  std::vector<unsigned> read;
  for (const Instruction& i : outcome.module.kernels.at(0).code) {
    if (i.opcode == Opcode::tex) read.push_back(i.texture().texture);
  }
  EXPECT_EQ((std::vector<unsigned>{2, 0}), read);
}

std::string kernel_after(const std::string& variables) {
  return ".version 2.3\n.target sm_10\n" + variables + ".entry k(.param .u64 out)\n{\nexit;\n}\n";
}

TEST(ModuleLayoutOfAddresses, TheLoaderIsToldWhereWhichBelongs) {
  const sample::Outcome outcome = sample::compile_text(
      kernel_after(".const .u32 before = 7;\n.const .u64 rows[2] = {second, generic(first)+8};\n"
                   ".global .u32 link = second+4;\n.global .u32 first[4];\n.global .u32 second[4];\n"),
      10, 0);
  ASSERT_EQ("", render(outcome.errors));
  const Module& module = outcome.module;
  const std::vector<AddressSlot>& slots = module.kernels.at(0).address_slots;
  ASSERT_EQ(2U, slots.size());
  EXPECT_EQ(0U, slots[0].bank);
  EXPECT_EQ(8U, slots[0].offset);
  EXPECT_EQ("second", module.variables.at(slots[0].variable).name);
  EXPECT_EQ(16U, slots[1].offset);
  EXPECT_EQ("first", module.variables.at(slots[1].variable).name);
  EXPECT_EQ(8U, slots[1].addend);
  ASSERT_EQ(1U, module.variables.at(0).addresses.size());
  EXPECT_EQ(0U, module.variables[0].addresses[0].offset);
  EXPECT_EQ("second", module.variables.at(module.variables[0].addresses[0].variable).name);
  EXPECT_EQ(4U, module.variables[0].addresses[0].addend);
  EXPECT_EQ((std::vector<std::uint8_t>{0, 0, 0, 0}), module.variables[0].contents);
}

TEST(ModuleLayoutOfAddresses, WhatNoPointerCanHoldIsToldAtItsPlace) {
  for (const auto& [variables, told] : {std::pair(".const .u32 c;\n.global .u64 p = c;\n", "not in device memory"),
                                        std::pair(".global .u16 p = v;\n.global .u32 v;\n", "too small"),
                                        std::pair(".func f()\n{\nret;\n}\n.global .u64 p = f;\n", "no variable")}) {
    const sample::Outcome outcome = sample::compile_text(kernel_after(variables), 10, 0);
    ASSERT_EQ(1U, outcome.errors.size()) << variables;
    EXPECT_EQ("PTX-UNSUPPORTED", outcome.errors[0].code);
    EXPECT_NE(std::string::npos, outcome.errors[0].message.find(told)) << outcome.errors[0].message;
    EXPECT_NE(0U, outcome.errors[0].where.line);
  }
}

}  // namespace
}  // namespace teslasim::compiler

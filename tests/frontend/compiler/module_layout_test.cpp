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

}  // namespace
}  // namespace teslasim::compiler

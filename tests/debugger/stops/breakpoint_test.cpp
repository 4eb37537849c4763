// SPDX-License-Identifier: Apache-2.0
// Which warps a breakpoint stops, and where places of the code lie.
#include "sim/debugger/stops/breakpoint.h"

#include <gtest/gtest.h>

#include "frontend/text/assembler.h"

namespace teslasim {
namespace {

/// Lines 4 to 8 have one instruction each, at 0x00, 0x08...
Module module_of_five() {
  return assemble_text(
      ".arch sm_10\n.entry k\n{\n"
      "  mov.b32 $r1, 0x00000001\n"
      "again:\n"
      "  add.b32 $r1, $r1, 0xffffffff\n"
      "  set.gt.s32 $p0|$o127, $r1, $r124\n"
      "@$p0.ne bra.label again\n"
      "  return\n}\n");
}

DebugPlace at_pc(std::uint32_t pc) {
  return {DebugPlace::Kind::pc, pc, ""};
}

TEST(DebugPlace, is_an_address_a_line_or_a_label) {
  const Module module = module_of_five();
  const Kernel& kernel = module.kernels.at(0);
  EXPECT_EQ(instructions_at(at_pc(kernel.code[2].pc), kernel), std::vector<std::uint32_t>{2});
  EXPECT_EQ(instructions_at({DebugPlace::Kind::line, 6, ""}, kernel), std::vector<std::uint32_t>{1});
  EXPECT_EQ(instructions_at({DebugPlace::Kind::label, 0, "again"}, kernel), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(instructions_at(at_pc(kernel.code[2].pc + 1), kernel).empty());
  EXPECT_TRUE(instructions_at({DebugPlace::Kind::line, 0, ""}, kernel).empty());
}

TEST(DebugPlace, that_is_not_there_names_what_is_near) {
  const Module module = module_of_five();
  const Kernel& kernel = module.kernels.at(0);
  EXPECT_EQ(missing_place({DebugPlace::Kind::line, 5, ""}, kernel, {}).help, "the next line with instructions is 6");
  EXPECT_EQ(missing_place({DebugPlace::Kind::line, 99, ""}, kernel, {}).help, "its last line with instructions is 9");
  EXPECT_EQ(missing_place({DebugPlace::Kind::label, 0, "agian"}, kernel, {"k"}).help, "did you mean 'again'?");
  EXPECT_NE(missing_place(at_pc(1), kernel, {}).help.find("the next one is at "), std::string::npos);
}

TEST(DebugPlace, a_kernel_is_its_first_instruction) {
  Module module = module_of_five();
  Kernel& kernel = module.kernels.at(0);
  const DebugPlace place{DebugPlace::Kind::kernel, 0, "k"};
  EXPECT_EQ(instructions_at(place, kernel), std::vector<std::uint32_t>{0});
  kernel.name = "_Z1kPf";
  EXPECT_EQ(instructions_at(place, kernel), std::vector<std::uint32_t>{0}) << "by its plain name, too";
  kernel.name = "other";
  EXPECT_TRUE(instructions_at(place, kernel).empty());
  EXPECT_EQ(missing_place({DebugPlace::Kind::kernel, 0, "reduse"}, kernel, {"reduce", "scan"}).help,
            "did you mean 'reduce'?");
  EXPECT_EQ(missing_place({DebugPlace::Kind::label, 0, "reduse"}, kernel, {"reduce"}).help, "did you mean 'reduce'?");
  Breakpoint breakpoint(2, place, {});
  breakpoint.resolve(kernel);
  EXPECT_EQ(breakpoint.text(), "kernel k at its launch");
}

TEST(DebugPlace, a_line_of_several_pieces_stops_at_each) {
  Module module = module_of_five();
  Kernel& kernel = module.kernels.at(0);
  for (const std::size_t index : {0U, 1U, 4U}) kernel.code[index].source_line = 20;
  EXPECT_EQ(instructions_at({DebugPlace::Kind::line, 20, ""}, kernel), (std::vector<std::uint32_t>{0, 4}));
}

TEST(Breakpoint, stops_warps_that_its_conditions_are_about) {
  const Module module = module_of_five();
  const Kernel& kernel = module.kernels.at(0);
  const auto stops = [&](std::vector<StopCondition> conditions, const StandingWarp& warp) {
    Breakpoint breakpoint(1, at_pc(kernel.code[1].pc), std::move(conditions));
    breakpoint.resolve(kernel);
    EXPECT_FALSE(breakpoint.stops(0, warp));
    return breakpoint.stops(1, warp);
  };
  using Subject = StopCondition::Subject;
  const StandingWarp warp{3, 17, 2, 0x00ffffff, 0x0000ffff};
  EXPECT_TRUE(stops({}, warp));
  EXPECT_TRUE(stops({{Subject::mask, false, true, 0}}, warp)) << "some of its lanes are elsewhere";
  EXPECT_FALSE(stops({{Subject::mask, false, true, 0}}, {3, 17, 2, 0xffff, 0xffff})) << "of half a warp all are here";
  EXPECT_TRUE(stops({{Subject::mask, true, false, 0xffff}}, warp));
  EXPECT_TRUE(stops({{Subject::warp, true, false, 2}, {Subject::block, true, false, 17}}, warp));
  EXPECT_FALSE(stops({{Subject::warp, true, false, 2}, {Subject::block, true, false, 18}}, warp));
  EXPECT_TRUE(stops({{Subject::sm, false, false, 0}}, warp));
}

TEST(Breakpoint, says_what_it_is) {
  const Module module = module_of_five();
  Breakpoint breakpoint(
      4, {DebugPlace::Kind::label, 0, "again"},
      {{StopCondition::Subject::mask, false, true, 0}, {StopCondition::Subject::warp, true, false, 2}});
  breakpoint.resolve(module.kernels.at(0));
  EXPECT_EQ(breakpoint.text(), "label again at 0x0008 if mask!=full and warp==2");
  Kernel other = module.kernels.at(0);
  other.labels.clear();
  breakpoint.resolve(other);
  EXPECT_EQ(breakpoint.text(), "label again at  (not in this kernel) if mask!=full and warp==2");
}

TEST(Breakpoint, conditions_about_the_mask_are_tried_at_joins) {
  Module module = module_of_five();
  Kernel& kernel = module.kernels.at(0);
  StopCondition full, warp;
  full.full = true;
  warp.subject = StopCondition::Subject::warp;
  const auto at_join = [&kernel](std::vector<StopCondition> conditions) {
    Breakpoint breakpoint(1, at_pc(kernel.code[4].pc), std::move(conditions));
    breakpoint.resolve(kernel);
    return breakpoint.stops_at_joins();
  };
  EXPECT_FALSE(at_join({full})) << "no join";
  kernel.code[4].join = true;
  EXPECT_TRUE(at_join({full}));
  EXPECT_TRUE(at_join({warp, full}));
  EXPECT_FALSE(at_join({warp}));
  EXPECT_FALSE(at_join({}));
}

}  // namespace
}  // namespace teslasim

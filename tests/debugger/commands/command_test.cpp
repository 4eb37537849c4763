// SPDX-License-Identifier: Apache-2.0
// Datasheet of the debugger's language: what lines mean, and what is said of those that mean nothing.
#include "sim/debugger/commands/command.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

DebugCommand parsed(const std::string& text) {
  return parse_command({text, "script", 7});
}

Diagnostic mistake_in(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.diagnostics().at(0);
  }
  ADD_FAILURE() << text << " has no mistake";
  return {};
}

TEST(CommandWords, stick_together_or_stand_alone) {
  std::vector<std::string> texts;
  for (const CommandWord& word : words_of("  break step if mask!=full  # a remark")) texts.push_back(word.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"break", "step", "if", "mask", "!=", "full"}));
  EXPECT_EQ(words_of("watch g[out+64]").size(), 7U);
  EXPECT_EQ(words_of("watch g[out+64]").back().column, 15U);
  EXPECT_FALSE(has_command({"   # nothing", "", 1}));
}

TEST(DebugCommand, is_found_by_a_beginning_that_only_one_has) {
  EXPECT_EQ(parsed("pipe").kind, CommandKind::pipeline);
  EXPECT_EQ(parsed("wher").kind, CommandKind::where);
  EXPECT_EQ(parsed("s").kind, CommandKind::step) << "a letter of its own";
  EXPECT_EQ(parsed("c").kind, CommandKind::run);
  EXPECT_EQ(parsed("warp 1").kind, CommandKind::warp) << "in full, although warps begins with it";
  const Diagnostic several = mistake_in("st");
  EXPECT_EQ(several.code, "DEBUG-COMMAND");
  EXPECT_EQ(several.help, "one of step, stack");
  EXPECT_EQ(mistake_in("brek 0x30").help, "did you mean 'break'?");
  EXPECT_EQ(mistake_in("frobnicate").help, "help lists the commands");
}

TEST(DebugCommand, info_lists_stops_and_says_what_is_a_command_of_its_own) {
  for (const char* line : {"info", "info breaks", "info breakpoints", "info b", "info watchpoints"})
    EXPECT_EQ(parsed(line).kind, CommandKind::info) << line;
  const Diagnostic warps = mistake_in("info warps");
  EXPECT_EQ(warps.message, "info lists breakpoints and watchpoints, not 'warps'");
  EXPECT_TRUE(warps.help.starts_with("'warps' is a command of its own: ")) << warps.help;
  EXPECT_TRUE(mistake_in("info registers").help.starts_with("'regs' is a command of its own: "));
  EXPECT_EQ(mistake_in("info locals").help, "info breaks");
}

TEST(DebugCommand, has_mistakes_with_a_place) {
  const Diagnostic mistake = mistake_in("regs 3 32");
  EXPECT_EQ(mistake.code, "DEBUG-VALUE");
  EXPECT_EQ(mistake.message, "a lane is at most 31, got 32");
  EXPECT_EQ(mistake.where.file, "script");
  EXPECT_EQ(mistake.where.line, 7U);
  EXPECT_EQ(mistake.where.column, 8U);
  EXPECT_EQ(mistake.where.length, 2U);
  EXPECT_EQ(mistake.excerpt, "regs 3 32");
  EXPECT_EQ(mistake_in("where now").where.column, 7U);
  EXPECT_EQ(mistake_in("break").where.column, 6U) << "behind the last word";
}

TEST(BreakCommand, takes_addresses_lines_and_labels) {
  EXPECT_EQ(parsed("break 0x30").place.kind, DebugPlace::Kind::pc);
  EXPECT_EQ(parsed("break pc 0x30").place.number, 0x30U);
  EXPECT_EQ(parsed("break line 12").place.kind, DebugPlace::Kind::line);
  EXPECT_EQ(parsed("break line 12").place.number, 12U);
  EXPECT_EQ(parsed("break step").place.label, "step");
  EXPECT_EQ(parsed("break label line").place.label, "line");
  EXPECT_EQ(mistake_in("break 12").help, "0x12 for a pc, line 12 for a line");
  EXPECT_EQ(mistake_in("break 0xzz").message, "'0xzz' is not a hexadecimal address");
  EXPECT_EQ(mistake_in("break 0x1ffffffff").message, "'0x1ffffffff' is not a hexadecimal address");
}

TEST(BreakCommand, takes_names_of_kernels_as_the_source_has_them) {
  EXPECT_EQ(parsed("break kernel step").place.kind, DebugPlace::Kind::kernel);
  EXPECT_EQ(parsed("break kernel step").place.label, "step");
  EXPECT_EQ(parsed("break image::blur").place.label, "image::blur");
  const DebugCommand command = parsed("break fill<float> if warp==1");
  EXPECT_EQ(command.place.label, "fill<float>");
  EXPECT_EQ(command.conditions.size(), 1U);
  EXPECT_EQ(mistake_in("break kernel").where.column, 13U);
  EXPECT_EQ(mistake_in("break step other").where.column, 12U) << "one word, unless C++ joins several";
}

TEST(BreakCommand, takes_conditions) {
  const DebugCommand command = parsed("break 0x30 if mask != full and warp==2 and block==17");
  ASSERT_EQ(command.conditions.size(), 3U);
  EXPECT_TRUE(command.conditions[0].full);
  EXPECT_FALSE(command.conditions[0].equal);
  EXPECT_EQ(command.conditions[1].subject, StopCondition::Subject::warp);
  EXPECT_EQ(command.conditions[2].value, 17U);
  EXPECT_EQ(parsed("break a if mask==0000ffff").conditions[0].value, 0xffffU);
  EXPECT_EQ(mistake_in("break a if msak==1").help, "did you mean 'mask'?");
  EXPECT_EQ(mistake_in("break a if mask=1").message, "'=' is not == or !=");
}

TEST(BreakCommand, takes_shares_of_states) {
  const DebugCommand command = parsed("break stall mem>50%");
  ASSERT_TRUE(command.stall.has_value());
  EXPECT_EQ(command.stall->state, "mem");
  EXPECT_EQ(command.stall->percent, 50U);
  EXPECT_EQ(parsed("break stall mem.global > 7").stall->percent, 7U);
  EXPECT_EQ(mistake_in("break stall mem.globul>5").help, "did you mean 'mem.global'?");
  EXPECT_EQ(mistake_in("break stall mem>101%").message, "a share in percent is at most 100, got 101");
  EXPECT_TRUE(is_state_of("mem", "mem.global"));
  EXPECT_FALSE(is_state_of("me", "mem.global"));
}

TEST(WatchCommand, takes_numbers_and_buffers) {
  const DebugCommand command = parsed("watch g[out+64]");
  EXPECT_FALSE(command.watched.shared);
  EXPECT_EQ(command.watched.base, "out");
  EXPECT_EQ(command.watched.offset, 64U);
  EXPECT_TRUE(parsed("watch s[0x18]").watched.shared);
  EXPECT_EQ(parsed("watch s[0x18]").watched.offset, 0x18U);
  EXPECT_EQ(mistake_in("watch l[0]").help, "g[ADDRESS] or s[ADDRESS]");
  EXPECT_EQ(mistake_in("watch g[out").message, "']' is missing");
}

TEST(StepCommand, counts_issues_cycles_or_instructions_of_a_warp) {
  EXPECT_EQ(parsed("step").step.count, 1U);
  EXPECT_EQ(parsed("step 5").step.unit, StepSize::Unit::issue);
  EXPECT_EQ(parsed("step 5 cycle").step.unit, StepSize::Unit::cycle);
  const DebugCommand warp = parsed("step 2 warp 9:3");
  EXPECT_EQ(warp.step.unit, StepSize::Unit::warp);
  EXPECT_EQ(warp.warp->block, 9U);
  EXPECT_EQ(warp.warp->number, 3U);
  EXPECT_EQ(mistake_in("step 2 cycel").help, "did you mean 'cycle'?");
  EXPECT_EQ(mistake_in("step 0").where.column, 6U);
}

TEST(MemoryCommands, take_ranges) {
  EXPECT_EQ(parsed("global in 4:8").first, 4U);
  EXPECT_EQ(parsed("global in 4:8").end, 8U);
  EXPECT_EQ(parsed("global in 4").end, 5U);
  EXPECT_EQ(parsed("shared 0x10 2").end, 0x18U);
  EXPECT_EQ(mistake_in("global in 8:8").message, "the last element comes before the first");
}

TEST(CommandHelp, has_every_command) {
  const std::string list = command_help(nullptr);
  for (const CommandRow& row : command_rows()) {
    EXPECT_NE(list.find(std::string(row.name)), std::string::npos);
    EXPECT_NE(command_help(&row).find(std::string(row.summary)), std::string::npos);
    for (const char c : list) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  }
  EXPECT_EQ(parsed("help step").about->kind, CommandKind::step);
}

RC_GTEST_PROP(CommandLaw, any_line_is_a_command_or_a_mistake_with_a_place, ()) {
  const std::vector<std::string> words{"break", "watch", "step", "line", "if",       "mask", "!=",
                                       "==",    "[",     "]",    "g",    "s",        "+",    "stall",
                                       "mem",   ">",     "%",    "0x30", "12",       "and",  ":",
                                       "warp",  "regs",  "list", "all",  "\xc3\xa9", "\t",   "99999999999999999999"};
  std::string text;
  for (const std::string& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words)))
    text += word + (*rc::gen::arbitrary<bool>() ? " " : "");
  text += *rc::gen::arbitrary<std::string>();
  const CommandLine line{text, "script", 1};
  if (!has_command(line)) return;
  try {
    (void)parse_command(line);
  } catch (const InputError& error) {
    const Diagnostic& mistake = error.diagnostics().at(0);
    RC_ASSERT(mistake.where.column >= 1U);
    RC_ASSERT(mistake.where.column <= text.size() + 1);
    RC_ASSERT(!mistake.message.empty());
  }
}

}  // namespace
}  // namespace teslasim

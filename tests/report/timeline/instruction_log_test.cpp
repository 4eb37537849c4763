// SPDX-License-Identifier: Apache-2.0
// Lines of the log: which there are, in which order, and where the log ends when it is full.
#include "sim/report/timeline/instruction_log.h"

#include <gmock/gmock.h>

#include <sstream>

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr LogCategories everything{true, true, true, true, true};
constexpr std::uint8_t alu = 0, shared = 5, barrier = 10;  // positions in issue_class_names

/// Two warps of block 7 in cycles 100 to 120 of SM 2.
class InstructionLog : public ::testing::Test {
 protected:
  InstructionLog() {
    launch.listing = {{0x0, 8, 1, "add.u32 $r1, $r2, $r3", {}},
                      {0x8, 8, 2, "mov.b32 s[0x20], $r1", {}},
                      {0x10, 8, 3, "bar.sync.u32 0x0", {}}};
    events.kernel = "k";
    events.begin = 100;
    events.end = 120;
    events.blocks.push_back({2, 0, 0, 2, 7, 90, 200});
    add(1, 0, 101, alu);
    add(0, 0, 103, alu);
    add(0, 1, 105, shared);
    add(0, 2, 107, barrier);
  }
  void add(std::uint8_t warp, std::uint32_t index, SmCycle when, std::uint8_t issue_class) {
    PipelineEvents::Instruction one;
    one.sm = 2;
    one.warp = warp;
    one.index = index;
    one.issued = when;
    one.block = 7;
    one.lanes = all_lanes;
    one.issue_class = issue_class;
    events.instructions.push_back(one);
    events.effects.emplace_back();
  }
  std::vector<std::string> log(LogCategories categories, std::uint64_t most_bytes = 1'000'000) {
    Timeline timeline;
    timeline.most_bytes = most_bytes;
    timeline.launches.push_back({&launch, &events, 0});
    std::string text;
    file = instruction_log(timeline, categories, [&text](std::string_view piece) { text += piece; });
    std::vector<std::string> lines;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  /// Those that are no comments.
  std::vector<std::string> lines(LogCategories categories) {
    std::vector<std::string> all = log(categories);
    std::erase_if(all, [](const std::string& line) { return line.starts_with('#'); });
    return all;
  }

  LaunchResult launch;
  PipelineEvents events;
  TimelineFile file;
};

TEST_F(InstructionLog, begins_with_the_columns_and_the_launch) {
  const std::vector<std::string> all = log({});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0], StartsWith("# cycle (SP cycles"));
  EXPECT_EQ(all[1], "# launch 0: k, SP cycles 200-240");
}

TEST_F(InstructionLog, says_what_an_instruction_wrote) {
  InstructionEffects& sum = events.effects[1];
  InstructionEffects::Register value;
  value.index = 1;
  for (unsigned lane = 0; lane < warp_size; ++lane) value.value[lane] = 4 * lane;
  sum.registers.push_back(value);
  value.address = true;
  value.value.fill(5);
  sum.registers.push_back(value);
  events.instructions[1].lanes = 0xff;
  sum.flags.push_back({1, 0xf00f, 0xf0f0, 0, all_lanes});
  events.effects[2].stored = InstructionEffects::Stored{};
  InstructionEffects::Stored& stored = *events.effects[2].stored;
  stored.address.fill(0x20);
  stored.words.resize(1);
  stored.words[0].fill(0xbeef);
  LogCategories isa;
  isa.isa = true;
  EXPECT_THAT(
      lines(isa),
      ElementsAre("      202  2      7  1 0x0000 add.u32 $r1, $r2, $r3 ffffffff | isa",
                  "      206  2      7  0 0x0000 add.u32 $r1, $r2, $r3 000000ff | isa $r1=0x0+0x4*lane $ofs1=0x5 "
                  "$p1=z:0000000f,s:000000f0,c:00000000,o:000000ff",
                  "      210  2      7  0 0x0008 mov.b32 s[0x20], $r1  ffffffff | isa s[0x20]=0xbeef",
                  "      214  2      7  0 0x0010 bar.sync.u32 0x0      ffffffff | isa"));
  EXPECT_EQ(file.events, 4U);
  EXPECT_EQ(file.dropped, 0U);
}

TEST_F(InstructionLog, words_say_what_else_there_is_to_know) {
  events.instructions[0].lanes = 0;
  events.effects[1].awaited = true;
  events.effects[2].known = false;
  events.effects[3].divergent = events.effects[3].finished = true;
  LogCategories isa;
  isa.isa = true;
  EXPECT_THAT(lines(isa), ElementsAre(EndsWith("| isa dropped"), EndsWith("| isa awaited"), EndsWith("| isa unknown"),
                                      EndsWith("| isa diverges ends")));
}

TEST_F(InstructionLog, atomic_accesses_name_their_operation_and_words) {
  events.effects[2].stored = InstructionEffects::Stored{};
  InstructionEffects::Stored& stored = *events.effects[2].stored;
  stored.space = LaneAccess::Space::global;
  stored.operation = "cas";
  stored.address.fill(0x1000);
  stored.words.resize(2);
  stored.words[0].fill(1);
  stored.exchanged.resize(2);
  stored.exchanged[1].fill(2);
  LogCategories isa;
  isa.isa = true;
  EXPECT_THAT(lines(isa)[2], EndsWith("| isa g[0x1000].cas=0x1;0x0/0x0;0x2"));
}

TEST_F(InstructionLog, says_when_instructions_issue_and_results_are_written) {
  PipelineEvents::Instruction& one = events.instructions[1];
  one.unit = 1;
  one.collected = 106;
  one.written = 118;
  one.replays = {105, 107};
  LogCategories issue;
  issue.issue = true;
  EXPECT_THAT(lines(issue)[1], EndsWith("| issue unit=SFU replays=210,214 operands=212 written=236"));
  EXPECT_THAT(lines(issue)[0], EndsWith("| issue unit=none"));
}

TEST_F(InstructionLog, says_what_accesses_became) {
  LaneAccess on_chip;
  on_chip.lanes = 0xffff;
  on_chip.kind = LaneAccess::Kind::store;
  on_chip.passes = {2, 1};
  events.effects[2].accesses.push_back(on_chip);
  LaneAccess device;
  device.space = LaneAccess::Space::global;
  device.lanes = all_lanes;
  device.segments = {{0x1000, 64, 0xffff}, {0x1040, 64, 0xffff0000}};
  events.effects[1].accesses.push_back(device);
  events.instructions[1].written = 110;
  LogCategories mem;
  mem.mem = true;
  EXPECT_THAT(lines(mem),
              ElementsAre(EndsWith("| mem global load bytes=4 transactions=64@0x1000,64@0x1040 written=220"),
                          EndsWith("| mem shared store bytes=4 passes=2,0")));
}

TEST_F(InstructionLog, slots_end_with_the_window) {
  events.slots = {{2, SlotReason::mem_global, 80, 101}, {2, SlotReason::issued, 101, 140}};
  LogCategories sched;
  sched.sched = true;
  const std::vector<std::string> all = lines(sched);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0], "      200  2      -  -      - -                            - | sched mem.global 200-202");
  EXPECT_THAT(all[1], EndsWith("| sched issued 202-240"));
}

TEST_F(InstructionLog, barriers_arrive_and_open) {
  events.openings = {{2, 0, 95}, {2, 0, 108}, {2, 0, 120}};
  LogCategories meetings;
  meetings.barrier = true;
  const std::vector<std::string> all = lines(meetings);
  ASSERT_THAT(all, SizeIs(2)) << "one opens before the window, one behind it";
  EXPECT_THAT(all[0], EndsWith("ffffffff | barrier arrives"));
  EXPECT_THAT(all[1], StartsWith("      216  2      7  -"));
  EXPECT_THAT(all[1], EndsWith("| barrier opens"));
}

TEST_F(InstructionLog, lines_are_in_the_order_of_time_then_of_categories) {
  events.slots = {{2, SlotReason::issued, 107, 108}};
  const std::vector<std::string> all = lines(everything);
  ASSERT_THAT(all, SizeIs(10));
  EXPECT_THAT(all[6], HasSubstr("sched"));
  EXPECT_THAT(all[7], EndsWith("isa"));
  EXPECT_THAT(all[8], HasSubstr("issue"));
  EXPECT_THAT(all[9], HasSubstr("barrier"));
}

TEST_F(InstructionLog, that_is_full_says_how_much_is_missing) {
  events.dropped = 3;
  const std::size_t whole = log({}, 10'000).at(0).size();
  const std::vector<std::string> all = log(everything, whole + 200);
  EXPECT_EQ(all.back(), "# " + std::to_string(file.dropped) + " later events were dropped (--timeline-max)");
  EXPECT_EQ(file.events + file.dropped, 9U + 3U);
  EXPECT_GT(file.events, 0U);
  EXPECT_GT(file.dropped, 3U);
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

// Two rows of E1 and one of E2: E1 wants the second candidate, E2 the third.
const std::vector<std::string> families{"E1", "E1", "E2"};
const std::vector<RowErrors> candidates{{10.0, 10.0, 10.0}, {1.0, 1.0, 12.0}, {12.0, 12.0, 1.0}};

TEST(ChooseCandidate, WithAllFamiliesTheRowsDecide) {
  const CandidateChoice choice = choose_candidate(candidates, families, "");
  EXPECT_EQ(1U, choice.best);
  EXPECT_TRUE(choice.told);
}

TEST(ChooseCandidate, LeavingAFamilyOutMovesTheOptimum) {
  EXPECT_EQ(2U, choose_candidate(candidates, families, "E1").best);
  EXPECT_EQ(1U, choose_candidate(candidates, families, "E2").best);
}

TEST(ChooseCandidate, WhatNoOtherFamilyTellsStaysAsShipped) {
  const std::vector<RowErrors> seen_by_e1{{10.0, 10.0, 4.0}, {1.0, 1.0, 4.0}};
  EXPECT_EQ(1U, choose_candidate(seen_by_e1, families, "").best);
  const CandidateChoice choice = choose_candidate(seen_by_e1, families, "E1");
  EXPECT_EQ(0U, choice.best);
  EXPECT_FALSE(choice.told);
}

TEST(ChooseCandidate, OfEqualOnesTheFirst) {
  EXPECT_EQ(0U, choose_candidate({{2.0, 4.0, 0.0}, {4.0, 2.0, 0.0}}, families, "").best);
}

TEST(ChooseCandidate, RowsThatAreNeverMeasuredTakeNoPart) {
  EXPECT_EQ(1U, choose_candidate({{5.0, std::nullopt, 0.0}, {4.0, std::nullopt, 0.0}}, families, "").best);
}

StudiedKey key_of(const std::string& name, const FieldInfo& info, const std::string& value) {
  StudiedKey key;
  key.key = name;
  key.file = "tesla";
  key.value = value;
  key.ground = KeyGround::calibrated;
  key.machines = {"gtx280"};
  key.info = info;
  return key;
}

const FieldInfo latency{"alu", "", "", FieldInfo::Kind::whole_number, 1.0, 1000.0};

TEST(Candidates, ShippedFirstThenNearestFirst) {
  EXPECT_THAT(candidates_of(key_of("sm.latency_cycles.alu", latency, "20")).values,
              ::testing::ElementsAre("20", "22", "18", "24", "16"));
}

TEST(Candidates, EveryWord) {
  const FieldInfo policy{"policy", "", "", FieldInfo::Kind::text, 0.0, 0.0, false, choice{"lru", "fifo", "random"}};
  EXPECT_THAT(candidates_of(key_of("tlb.replacement", policy, "\"lru\"")).values,
              ::testing::ElementsAre("\"lru\"", "fifo", "random"));
}

TEST(Candidates, WhatTheMachineRefusesIsNone) {
  EXPECT_THAT(candidates_of(key_of("sm.warp_size", latency, "32")).values, ::testing::ElementsAre("32"));
}

TEST(FamiliesThatTell, EachOnceInTheOrderOfTheRows) {
  EXPECT_THAT(families_that_tell(candidates, families), ::testing::ElementsAre("E1", "E2"));
  EXPECT_THAT(families_that_tell({{10.0, 10.0, 4.0}, {10.0, 1.0, 4.0}}, families), ::testing::ElementsAre("E1"));
  EXPECT_THAT(families_that_tell({{10.0, 10.0, 4.0}, {10.0, 10.0, 4.0}}, families), ::testing::IsEmpty());
}

TEST(CalibratedKeys, AreNotTheAssumedOnes) {
  StudiedKey assumed = key_of("b", latency, "1");
  assumed.ground = KeyGround::assumed;
  EXPECT_THAT(calibrated_keys({key_of("a", latency, "1"), assumed}),
              ::testing::ElementsAre(::testing::Field(&StudiedKey::key, "a")));
}

PublishedRow row_of(const std::string& experiment, const std::string& value) {
  PublishedRow row;
  row.id = "A-1";
  row.experiment = experiment;
  row.machine = "gtx280";
  row.value = value;
  row.tolerance = "30%";
  row.measure = "latency step=mad_2";
  return row;
}

/// What one family alone tells is as shipped when it is left out, which the page must not hide.
TEST(LeftOut, AKeyThatOneFamilyAloneTellsIsNamed) {
  PublishedRow other = row_of("E2", "20");
  other.machine = "c870";
  const std::vector<StudiedKey> keys{key_of("sm.latency_cycles.alu", latency, "20")};
  const LeftOutResult result = left_out({row_of("E1", "30"), other}, keys, {});
  EXPECT_THAT(result.keys[0].told_by, ::testing::ElementsAre("E1"));
  EXPECT_THAT(result.families[0].told_by_it_alone, ::testing::ElementsAre("sm.latency_cycles.alu (tesla)"));
  EXPECT_THAT(left_out_markdown(result, ""), ::testing::HasSubstr("E1 alone |"));
}

/// The same measurement published as two values: left out, each is predicted from the other.
TEST(LeftOut, EachExperimentIsPredictedFromTheOthers) {
  const std::vector<StudiedKey> keys{key_of("sm.latency_cycles.alu", latency, "20")};
  const MeasureOutcome shipped = run_measurements({{"gtx280", "latency step=mad_2"}}, {}).front();
  ASSERT_TRUE(shipped.number);
  const std::string lower = std::to_string(*shipped.number - 4.0), higher = std::to_string(*shipped.number + 4.0);
  const LeftOutResult result = left_out({row_of("E1", lower), row_of("E2", higher)}, keys, {});
  ASSERT_EQ(2U, result.families.size());
  // Of both together the lower one is nearer in percent of itself, so with all rows it wins.
  EXPECT_EQ("16", result.keys[0].used);
  const LeftOutFamily &first = result.families[0], &second = result.families[1];
  ASSERT_EQ(1U, first.changed.size());
  EXPECT_EQ("24", first.changed[0].left_out);
  EXPECT_GT(first.left_out, first.shipped);
  EXPECT_GT(first.left_out, first.used);
  EXPECT_TRUE(second.changed.empty()) << "what was chosen is what the other one wants";
  EXPECT_DOUBLE_EQ(second.left_out, second.used);
  EXPECT_GT(second.left_out, second.shipped);
  EXPECT_THAT(result.keys[0].told_by, ::testing::ElementsAre("E1", "E2"));
  EXPECT_THAT(left_out_text(result), ::testing::HasSubstr("RESULT      "));
  EXPECT_THAT(left_out_markdown(result, ""), ::testing::HasSubstr("| 16 | E1, E2 |"));
}

/// A number that no value of the key comes near says nothing about the value, though each step towards it gains.
TEST(LeftOut, WhatMissesForAReasonOfStructureDoesNotVote) {
  const std::vector<StudiedKey> keys{key_of("sm.latency_cycles.alu", latency, "20")};
  const MeasureOutcome shipped = run_measurements({{"gtx280", "latency step=mad_2"}}, {}).front();
  ASSERT_TRUE(shipped.number);
  const PublishedRow known = row_of("E1", std::to_string(*shipped.number + 0.5)), far = row_of("E2", "1000");
  const LeftOutResult result = left_out({known, far}, keys, {});
  EXPECT_EQ("20", result.keys[0].used);
  EXPECT_THAT(result.families[0].told_by_it_alone, ::testing::ElementsAre("sm.latency_cycles.alu (tesla)"));
}

}  // namespace
}  // namespace teslasim

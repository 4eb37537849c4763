// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

PublishedRow row_of(const std::string& experiment, const std::string& machine, const std::string& value,
                    const std::string& measure = "latency step=mad_2") {
  PublishedRow row;
  row.id = "A-1";
  row.experiment = experiment;
  row.machine = machine;
  row.value = value;
  row.tolerance = "5%";
  row.measure = measure;
  return row;
}

TEST(FamilyMove, ComparesErrorsAndValues) {
  const std::vector<PublishedRow> rows{row_of("E1", "gtx280", "100"), row_of("E1", "c870", "100"),
                                       row_of("E2", "gtx280", "100")};
  const FamilyMove move = family_move(rows, "E1", {100.0, 110.0, 100.0}, {110.0, 110.0, 150.0});
  EXPECT_EQ(2U, move.rows);
  EXPECT_EQ(1U, move.moved);
  EXPECT_DOUBLE_EQ(5.0, move.error_before);
  EXPECT_DOUBLE_EQ(10.0, move.error_after);
  EXPECT_DOUBLE_EQ(5.0, move.error_change());
  EXPECT_DOUBLE_EQ(5.0, move.mean_change);
  EXPECT_DOUBLE_EQ(10.0, move.largest_change);
}

TEST(FamilyMove, AValueThatIsLostIsCountedApart) {
  const std::vector<PublishedRow> rows{row_of("E1", "gtx280", "100"), row_of("E1", "c870", "100")};
  const FamilyMove move = family_move(rows, "E1", {150.0, 110.0}, {std::nullopt, 110.0});
  EXPECT_EQ(1U, move.lost);
  EXPECT_EQ(0U, move.moved);
  EXPECT_DOUBLE_EQ(0.0, move.error_change()) << "means over the same rows";
}

TEST(FamilyMove, AuthorsOfWholeKernelsAreFamiliesOfTheirOwn) {
  std::vector<PublishedRow> rows{row_of("E30", "gtx280", "100"), row_of("E30", "gtx280", "100")};
  rows[1].id = "B-1";
  EXPECT_EQ(1U, family_move(rows, "E30 B", {100.0, 100.0}, {110.0, 110.0}).rows);
  EXPECT_EQ(0U, family_move(rows, "E30", {100.0, 100.0}, {110.0, 110.0}).rows);
}

StudiedKey key_of(const std::string& key, const std::string& value, const std::vector<std::string>& machines) {
  StudiedKey studied;
  studied.key = key;
  studied.file = "tesla";
  studied.value = value;
  studied.machines = machines;
  studied.info = {"key", "", "", FieldInfo::Kind::whole_number, 1.0, 1000.0};
  return studied;
}

TEST(Sensitivity, MovesTheMachinesOfTheKeyAndNoOther) {
  const std::vector<PublishedRow> rows{row_of("E2", "gtx280", "24"), row_of("E2", "c870", "24"),
                                       row_of("E25", "gtx280", "8", "latency step=mad_2 set:sm.latency_cycles.alu=30")};
  const SensitivityResult result = sensitivity(rows, {key_of("sm.latency_cycles.alu", "20", {"gtx280"})}, {});
  ASSERT_EQ(2U, result.moves.size());
  EXPECT_EQ("22", result.moves[0].value);
  EXPECT_EQ("18", result.moves[1].value);
  ASSERT_THAT(result.families, ::testing::ElementsAre("E2", "E25"));
  EXPECT_EQ(1U, result.moves[0].families[0].moved) << "not the c870";
  EXPECT_GT(result.moves[0].families[0].mean_change, 0.0);
  EXPECT_LT(result.moves[1].families[0].mean_change, 0.0);
  EXPECT_EQ(0U, result.moves[0].families[1].moved) << "the row sets the key itself";
}

TEST(Sensitivity, AValueThatTheMachineRefusesIsNamed) {
  StudiedKey key = key_of("sm.warp_size", "32", {"gtx280"});
  const SensitivityResult result = sensitivity({row_of("E2", "gtx280", "24")}, {key}, {});
  ASSERT_EQ(2U, result.moves.size());
  EXPECT_THAT(result.moves[0].refused, ::testing::HasSubstr("sm.warp_size"));
  EXPECT_THAT(sensitivity_text(result), ::testing::HasSubstr("refused: CFG"));
}

TEST(Sensitivity, ASkippedKeyIsListedWithItsReason) {
  StudiedKey key = key_of("sm.warp_size", "32", {"gtx280"});
  key.skipped = "one value";
  const SensitivityResult result = planned_moves({row_of("E2", "gtx280", "24")}, {key});
  EXPECT_THAT(result.moves, ::testing::IsEmpty());
  EXPECT_THAT(sensitivity_text(result), ::testing::HasSubstr("SKIPPED     sm.warp_size (tesla): one value"));
  EXPECT_THAT(sensitivity_markdown(result, ""), ::testing::HasSubstr("- `sm.warp_size` (tesla): one value"));
}

}  // namespace
}  // namespace teslasim

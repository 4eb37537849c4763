// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

constexpr const char* head =
    "id,experiment,machine,quantity,condition,value,unit,tolerance,source,confidence,kind,read,"
    "measure,remark\n";

PublishedRow row_of(const std::string& confidence, const std::string& kind, const std::string& read) {
  return parse_published(head + ("A-1,E2,c870,latency,\"1 warp, \"\"dependent\"\"\",24,cycles,2,Nobody 2010," +
                                 confidence + "," + kind + "," + read + ",latency step=mad_1,\n"))
      .front();
}

TEST(Published, FieldsMayBeQuoted) {
  EXPECT_EQ("1 warp, \"dependent\"", row_of("high", "measured", "paper").condition);
  EXPECT_EQ(24.0, row_of("high", "measured", "paper").number());
}

TEST(Published, CountsWhatWasMeasuredOrDerivedAndRead) {
  EXPECT_TRUE(row_of("high", "measured", "paper").counted());
  EXPECT_TRUE(row_of("medium", "derived", "page").counted());
  EXPECT_FALSE(row_of("low", "measured", "paper").counted());
  EXPECT_FALSE(row_of("high", "spec", "paper").counted());
  EXPECT_FALSE(row_of("high", "measured", "memory").counted());
}

TEST(Published, RecollectedFiguresOfWholeKernelsCount) {
  PublishedRow row = row_of("medium", "measured", "memory");
  EXPECT_FALSE(row.counted());
  row.experiment = "E30";
  EXPECT_TRUE(row.counted());
  row.confidence = "low";
  EXPECT_FALSE(row.counted());
}

TEST(Published, MalformedRowsAreFound) {
  EXPECT_THROW((void)parse_published(std::string(head) + "A-1,E2\n"), InternalError);
  EXPECT_THROW((void)row_of("certain", "measured", "paper"), InternalError);
}

TEST(Published, EveryRowNamesAMachineAndASource) {
  std::set<std::string> presets;
  for (const PresetInfo& preset : preset_list()) presets.insert(preset.name);
  ASSERT_GT(published_rows().size(), 100U);
  for (const PublishedRow& row : published_rows()) {
    EXPECT_TRUE(presets.contains(row.machine)) << row.id << " " << row.machine;
    EXPECT_THAT(row.source, ::testing::ContainsRegex("[A-Z][a-z]+.*")) << row.id;
  }
}

TEST(Published, NoTwoRowsAskTheSame) {
  std::set<std::string> seen;
  for (const PublishedRow& row : published_rows()) {
    EXPECT_TRUE(seen.insert(row.id + "|" + row.machine + "|" + row.condition + "|" + row.unit).second)
        << row.id << " " << row.machine;
  }
}

}  // namespace
}  // namespace teslasim

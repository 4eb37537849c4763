// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/key_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

FieldInfo whole(double minimum, double maximum) {
  return {"key", "", "", FieldInfo::Kind::whole_number, minimum, maximum};
}

FieldInfo real(double minimum, double maximum) {
  return {"key", "", "", FieldInfo::Kind::real_number, minimum, maximum};
}

FieldInfo words() {
  return {"key", "", "", FieldInfo::Kind::text, 0.0, 0.0, false, choice{"lru", "fifo", "random"}};
}

TEST(GroundOf, IsWhatTheSourceSays) {
  EXPECT_EQ(KeyGround::calibrated, ground_of("calibrated on GTX 280: 81 SP cycles"));
  EXPECT_EQ(KeyGround::calibrated, ground_of("decision 0074, calibrated on multiply-adds"));
  EXPECT_EQ(KeyGround::calibrated, ground_of("calibrated, the share is assumed"));
  EXPECT_EQ(KeyGround::assumed, ground_of("assumed: as G92"));
  EXPECT_EQ(std::nullopt, ground_of("Collange 2010, Table 4"));
  EXPECT_EQ(std::nullopt, ground_of(""));
}

TEST(SteppedValue, RealNumbersMoveByTenths) {
  EXPECT_EQ("104.5", stepped_value(real(0, 1000), "95.0", 1));
  EXPECT_EQ("76.0", stepped_value(real(0, 1000), "95.0", -2));
}

TEST(SteppedValue, WholeNumbersMoveByAtLeastOne) {
  EXPECT_EQ("5", stepped_value(whole(1, 100), "4", 1));
  EXPECT_EQ("2", stepped_value(whole(1, 100), "4", -2));
  EXPECT_EQ("165", stepped_value(whole(1, 1000), "150", 1));
}

TEST(SteppedValue, PowersOfTwoStayThat) {
  FieldInfo info = whole(8, 128);
  info.only_powers_of_two = true;
  EXPECT_EQ("64", stepped_value(info, "32", 1));
  EXPECT_EQ("8", stepped_value(info, "32", -2));
  EXPECT_EQ(std::nullopt, stepped_value(info, "128", 1));
  EXPECT_EQ(std::nullopt, stepped_value(info, "16", -2)) << "4 is below the range, and 8 is one step";
}

TEST(SteppedValue, StaysInTheRange) {
  EXPECT_EQ("100.0", stepped_value(real(0, 100), "95.0", 1));
  EXPECT_EQ(std::nullopt, stepped_value(real(0, 100), "100.0", 1));
  EXPECT_EQ(std::nullopt, stepped_value(whole(1, 9), "1", -1));
}

TEST(SteppedValue, WordsAndZeroHaveNoTenth) {
  EXPECT_EQ(std::nullopt, stepped_value(words(), "\"lru\"", 1));
  EXPECT_EQ(std::nullopt, stepped_value(real(0, 10), "0.0", 1));
}

TEST(OtherWords, AreAllButTheValue) {
  EXPECT_THAT(other_words(words(), "\"lru\""), ::testing::ElementsAre("fifo", "random"));
  const FieldInfo truth{"key", "", "", FieldInfo::Kind::truth};
  EXPECT_THAT(other_words(truth, "true"), ::testing::ElementsAre("false"));
  EXPECT_THAT(other_words(real(0, 1), "0.5"), ::testing::IsEmpty());
}

const StudiedKey* found(const std::vector<StudiedKey>& keys, const std::string& key, const std::string& file) {
  const auto place = std::find_if(
      keys.begin(), keys.end(), [&](const StudiedKey& studied) { return studied.key == key && studied.file == file; });
  return place == keys.end() ? nullptr : &*place;
}

TEST(StudiedKeys, StandOnceForEachFileWithItsMachines) {
  const std::vector<StudiedKey> keys = studied_keys({"gtx280", "c870", "gtx285"});
  const StudiedKey* newer = found(keys, "tpc.response_ns", "gt200");
  const StudiedKey* older = found(keys, "tpc.response_ns", "g8x");
  ASSERT_NE(nullptr, newer);
  ASSERT_NE(nullptr, older);
  EXPECT_THAT(newer->machines, ::testing::ElementsAre("gtx280", "gtx285"));
  EXPECT_THAT(older->machines, ::testing::ElementsAre("c870"));
  EXPECT_EQ(nullptr, found(keys, "tpc.response_ns", "tesla"));
}

TEST(StudiedKeys, AreTheOnesWithoutASource) {
  const std::vector<StudiedKey> keys = studied_keys({"gtx280"});
  std::vector<std::string> names, expected;
  for (const StudiedKey& key : keys) names.push_back(key.key);
  for (const EffectiveValue& value : load_machine({"gtx280"}, {}).values) {
    if (ground_of(value.source)) expected.push_back(value.key);
  }
  EXPECT_EQ(expected, names);
  EXPECT_THAT(names, ::testing::Not(::testing::Contains("clock.shader_mhz")));
}

}  // namespace
}  // namespace teslasim

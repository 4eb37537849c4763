// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/sample_request.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "sim/cudart/control.h"

namespace teslasim::cudart {
namespace {

TEST(SampleRequest, is_of_launches_of_blocks_or_of_both) {
  const SampleRequest launches = SampleRequest::parse("4,7");
  EXPECT_EQ(launches.launches->every, 7U);
  EXPECT_FALSE(launches.blocks);
  const SampleRequest blocks = SampleRequest::parse("blocks=9");
  EXPECT_EQ(blocks.blocks->waves, 9U);
  EXPECT_FALSE(blocks.launches);
  const SampleRequest both = SampleRequest::parse("4,7,blocks");
  EXPECT_EQ(both.launches->first, 4U);
  EXPECT_EQ(both.blocks->waves, BlockSampleRule{}.waves);
  EXPECT_EQ(SampleRequest::parse("4,blocks=9").launches->first, 4U);
}

TEST(SampleRequest, refuses_what_is_no_rule) {
  for (const char* text : {"", "1", "3,", "3,20,", "blocks=3", "blocks,3", "3,20blocks", "3,20,,blocks", ",blocks"})
    EXPECT_THROW((void)SampleRequest::parse(text), InputError) << text;
}

Control control_of(const std::string& sample, const std::string& mode, const char* record = nullptr) {
  return read_control([&](const char* name) -> const char* {
    if (name == std::string("TESLASIM_SAMPLE")) return sample.c_str();
    if (name == std::string("TESLASIM_MODE")) return mode.c_str();
    return name == std::string("TESLASIM_RECORD") ? record : nullptr;
  });
}

TEST(SampleRequest, of_blocks_goes_with_a_choice_of_launches) {
  EXPECT_TRUE(control_of("blocks", "timing:every=10").sample.blocks);
  EXPECT_THROW((void)control_of("3,blocks", "timing:every=10"), InputError);
  EXPECT_THROW((void)control_of("blocks", "functional"), InputError);
  EXPECT_THROW((void)control_of("blocks", "timing", "traces"), InputError);
}

}  // namespace
}  // namespace teslasim::cudart

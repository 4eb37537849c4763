// SPDX-License-Identifier: Apache-2.0
#include "sim/run/sm_choice.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

std::vector<unsigned> chosen(const std::string& text, Mode mode = Mode::timing) {
  static const MachineSpec machine = load_machine({"8800gtx"}, {}).spec;
  RunSettings settings;
  settings.warp_sms = text;
  settings.mode = mode;
  return warp_sms(settings, machine);
}

TEST(SmChoice, the_first_sm_unless_something_else_is_asked_for) {
  EXPECT_EQ(chosen(""), std::vector<unsigned>{0});
  EXPECT_TRUE(chosen("none").empty());
  EXPECT_EQ(chosen("all").size(), 16U);
  EXPECT_EQ(chosen("7,0-2,1"), (std::vector<unsigned>{0, 1, 2, 7}));
}

TEST(SmChoice, nothing_is_kept_unless_a_command_asks) {
  EXPECT_EQ(RunSettings{}.warp_sms, "none");
}

TEST(SmChoice, without_time_there_is_nothing_to_keep) {
  EXPECT_TRUE(chosen("", Mode::functional).empty());
  EXPECT_TRUE(chosen("none", Mode::functional).empty());
  EXPECT_THROW((void)chosen("0", Mode::functional), InputError);
}

TEST(SmChoice, mistakes_are_named) {
  for (const char* wrong : {"16", "0-16", "x", "2-1", "1,", "-1"})
    EXPECT_THROW((void)chosen(wrong), InputError) << wrong;
  try {
    (void)sm_list("timeline-sms", "0,70000");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.diagnostics().front().message.find("--timeline-sms"), std::string::npos);
  }
}

TEST(SmChoice, lists_keep_their_order) {
  EXPECT_EQ(sm_list("timeline-sms", "5,0-2"), (std::vector<unsigned>{5, 0, 1, 2}));
  EXPECT_TRUE(sm_list("timeline-sms", "").empty());
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/log_request.h"

#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::uint64_t most_events = 1000;

std::string refusal(const LogWords& words) {
  try {
    static_cast<void>(log_request(words, most_events));
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.diagnostics().front().message;
  }
  return "";
}

TEST(LogRequest, that_is_not_made_is_not_wanted) {
  EXPECT_FALSE(log_request({}, most_events).wanted);
}

TEST(LogRequest, records_every_launch_of_the_first_sm_from_start_to_end) {
  const LogRequest request = log_request({{"isa"}, {}, {}, {}, {}}, most_events);
  EXPECT_TRUE(request.wanted);
  EXPECT_EQ(request.file, "");
  EXPECT_EQ(request.recording.sms, std::vector<unsigned>{0});
  EXPECT_TRUE(request.recording.every_launch);
  EXPECT_EQ(request.recording.window.begin, 0U);
  EXPECT_EQ(request.recording.window.length, never);
  EXPECT_EQ(request.recording.most_events, most_events);
}

TEST(LogRequest, records_only_what_its_categories_show) {
  const auto events = [](const char* categories) {
    return log_request({{categories}, {}, {}, {}, {}}, most_events).recording.events;
  };
  EXPECT_FALSE(events("sched").instructions);
  EXPECT_TRUE(events("sched").slots);
  EXPECT_TRUE(events("issue").instructions);
  EXPECT_FALSE(events("issue").effects);
  EXPECT_TRUE(events("barrier,mem").effects);
  EXPECT_FALSE(events("isa,issue,mem,barrier").slots);
}

TEST(LogRequest, cycles_are_those_of_shader_processors) {
  const LogRequest request = log_request({{"isa,sched"}, {"0-2,5"}, {"100"}, {"200"}, {"x.gz"}}, most_events);
  EXPECT_EQ(request.recording.window.begin, 50U);
  EXPECT_EQ(request.recording.window.length, 50U);
  EXPECT_EQ(request.recording.sms, (std::vector<unsigned>{0, 1, 2, 5}));
  EXPECT_EQ(request.file, "x.gz");
}

TEST(LogRequest, mistakes_are_named) {
  EXPECT_EQ(refusal({{"isa,shed"}, {}, {}, {}, {}}), "--log: unknown category 'shed'");
  EXPECT_EQ(refusal({{""}, {}, {}, {}, {}}), "--log: a category is missing");
  EXPECT_EQ(refusal({{"isa"}, {}, {"-1"}, {}, {}}), "--log-from takes a cycle, got '-1'");
  EXPECT_EQ(refusal({{"isa"}, {}, {"7"}, {"7"}, {}}), "--log-to 7 is not behind --log-from 7");
  EXPECT_EQ(refusal({{}, {}, {}, {"7"}, {}}), "--log-to is about a log, and none is written");
}

TEST(LogRequest, the_name_of_the_file_says_how_it_is_packed) {
  const auto bytes = [](const std::string& file) {
    LogRequest request;
    request.file = file;
    return packed_log(Timeline{}, request).bytes;
  };
  EXPECT_TRUE(bytes("").starts_with("\x28\xb5\x2f\xfd"));
  EXPECT_EQ(bytes(""), bytes("a.log.zst"));
  EXPECT_TRUE(bytes("a.gz").starts_with("\x1f\x8b"));
  EXPECT_TRUE(bytes("a.log").starts_with("# cycle"));
  EXPECT_EQ(bytes("-"), bytes("a.log"));
}

}  // namespace
}  // namespace teslasim

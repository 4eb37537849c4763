// SPDX-License-Identifier: Apache-2.0
// Datasheet of `compare --fail-on`: what a condition is, and that no accident passes it.
#include "sim/report/compare/change_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/diagnostic.h"
#include "tests/report/sample_result.h"
#include "tests/report/sample_runs.h"

namespace teslasim {
namespace {

using test::run_of;
using test::slower;
using ::testing::HasSubstr;

CheckedLimit checked(const std::string& text, const Result& from, const Result& to) {
  return check_limit(parse_change_limit(text), {run_of(from), run_of(to, "002-copy")});
}

TEST(ChangeLimit, RelativeAndAbsolute) {
  const std::vector<RunData> runs{run_of(test::sample_result()), run_of(slower())};
  EXPECT_TRUE(check_limit(parse_change_limit("time_ms>+2%"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("time_ms > +101%"), runs).failed);
  EXPECT_TRUE(check_limit(parse_change_limit("shared.replays>+7"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("shared.replays>+8"), runs).failed);
  EXPECT_FALSE(check_limit(parse_change_limit("time_ms<-1%"), runs).failed);
  EXPECT_TRUE(check_limit(parse_change_limit("time_ms<-1%"), {runs[1], runs[0]}).failed);
}

TEST(ChangeLimit, AnUnknownNameFails) {
  const RunData run = run_of(test::sample_result());
  const CheckedLimit checked = check_limit(parse_change_limit("tmie_ms>+2%"), {run, run});
  EXPECT_TRUE(checked.failed);
  EXPECT_EQ(checked.actual, "there is no 'tmie_ms' in 001-copy, did you mean 'time_ms'?");
}

TEST(ChangeLimit, BrokenTextsAreUsageErrors) {
  for (const char* text : {"time_ms",
                           ">+2%",
                           "time_ms>2%",
                           "time_ms>+x%",
                           "time_ms>+",
                           "",
                           "time_ms>+nan%",
                           "time_ms>+inf",
                           "time_ms>-inf%",
                           "time_ms<-infinity",
                           "time_ms>+-5%",
                           "time_ms>++5",
                           "time_ms>+1e999",
                           "time_ms>+%",
                           "time_ms>+5%%",
                           "time_ms>=+2%",
                           ">",
                           "   ",
                           "time\xff>+2%",
                           "ti\nme>+2%",
                           "a b>+1",
                           "time_ms>+2 ms"}) {
    EXPECT_THROW((void)parse_change_limit(text), InputError) << text;
  }
}

TEST(ChangeLimit, RunsThatAreNotSoundFail) {
  for (const RunStatus status : {RunStatus::limit, RunStatus::interrupted, RunStatus::stuck, RunStatus::kernel_error}) {
    Result broken = test::sample_result();
    broken.status = status;
    EXPECT_TRUE(checked("time_ms>+2%", test::sample_result(), broken).failed);
    EXPECT_TRUE(checked("time_ms>+2%", broken, test::sample_result()).failed);
  }
  EXPECT_EQ(checked("time_ms>+2%", test::sample_result(), test::cut_off()).actual, "002-copy did not finish (limit)");
  EXPECT_EQ(checked("time_ms>+2%", test::sample_result(), test::wrong_outputs()).actual,
            "002-copy has wrong outputs: out (3 of 128 elements)");
}

TEST(ChangeLimit, ASampleIsNotHeldAgainstAWholeGrid) {
  Result sample = test::sample_result();
  sample.launches[0].sampled = true;
  EXPECT_EQ(checked("time_ms>+2%", test::sample_result(), sample).actual,
            "002-copy ran some blocks of its grid, 001-copy all");
  EXPECT_FALSE(checked("time_ms>+2%", sample, sample).failed);
}

TEST(ChangeLimit, CountersOfSamplesOfOtherBlocksAreNotHeldAgainstEachOther) {
  Result more = test::block_sample();
  more.launches[0].statistics.ctas_done = more.launches[0].statistics.ctas_total = 4;
  EXPECT_FALSE(checked("time_ms>+2%", test::block_sample(), more).failed);
  EXPECT_FALSE(checked("sample.cycles>+2%", test::block_sample(), more).failed);
  EXPECT_THAT(checked("shared.replays>+2%", test::block_sample(), more).actual,
              HasSubstr("001-copy counts 2 blocks, 002-copy 4"));
  EXPECT_FALSE(checked("shared.replays>+2%", test::block_sample(), test::block_sample()).failed);
}

TEST(ChangeLimit, FromNothingEveryShareIsTooMuch) {
  Result none = test::sample_result();
  none.launches[0].statistics.shared.replays = 0;
  const CheckedLimit limit = checked("shared.replays>+100%", none, test::sample_result());
  EXPECT_TRUE(limit.failed);
  EXPECT_EQ(limit.actual, "from 0 to 4 in 002-copy");
  EXPECT_FALSE(checked("shared.replays>+0%", none, none).failed);
}

TEST(ChangeLimit, AValueThatOneRunLacksFails) {
  Result none = test::sample_result();
  none.launches[0].statistics.local = {};
  EXPECT_THAT(checked("local.efficiency>+2%", none, none).actual,
              HasSubstr("there is no 'local.efficiency' in 001-copy"));
}

TEST(ChangeLimit, TheMistakeIsShown) {
  try {
    (void)parse_change_limit("time_ms>+nan%");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_THAT(render(error.diagnostics()), HasSubstr("--fail-on time_ms>+nan%\n   |                    ^^^\n"));
  }
}

}  // namespace
}  // namespace teslasim

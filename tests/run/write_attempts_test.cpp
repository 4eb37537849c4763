// SPDX-License-Identifier: Apache-2.0
#include "sim/run/write_attempts.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>

#include "sim/base/output_file.h"

namespace teslasim {
namespace {

TEST(WriteAttempts, one_failure_does_not_stop_the_next_file) {
  WriteAttempts attempts;
  bool reached = false;
  attempts.attempt("a", [] { write_error("dir/a", "No space left on device"); });
  attempts.attempt("b", [&reached] { reached = true; });
  EXPECT_TRUE(reached);
  ASSERT_EQ(attempts.missing().size(), 1U);
  EXPECT_EQ(attempts.missing().front().file, "a");
}

TEST(WriteAttempts, the_error_names_every_file_and_reason) {
  WriteAttempts attempts;
  attempts.attempt("a", [] { write_error("dir/a", "No space left on device"); });
  attempts.attempt("b", [] { throw std::system_error(std::make_error_code(std::errc::permission_denied), "b"); });
  const Diagnostic error = attempts.error();
  EXPECT_EQ(error.code, "FILE-WRITE");
  EXPECT_NE(error.message.find("2 files could not be written: a, b"), std::string::npos);
  ASSERT_EQ(error.notes.size(), 2U);
  EXPECT_NE(error.notes.front().find("No space left"), std::string::npos);
}

TEST(WriteAttempts, a_file_that_is_written_later_is_not_missing) {
  WriteAttempts attempts;
  attempts.attempt("a", [] { write_error("dir/a", "No space left on device"); });
  attempts.attempt("a", [] {});
  EXPECT_TRUE(attempts.missing().empty());
}

TEST(WriteAttempts, bugs_and_mistakes_of_inputs_pass_through) {
  WriteAttempts attempts;
  EXPECT_THROW(attempts.attempt("a", [] { throw std::logic_error("bug"); }), std::logic_error);
  EXPECT_THROW(attempts.attempt("a", [] { throw InputError(ExitCode::input, Diagnostic{}); }), InputError);
  EXPECT_TRUE(attempts.missing().empty());
}

}  // namespace
}  // namespace teslasim

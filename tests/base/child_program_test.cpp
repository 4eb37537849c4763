// SPDX-License-Identifier: Apache-2.0
#include "sim/base/child_program.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

TEST(ChildProgram, reads_its_input_and_writes_two_texts) {
  const ChildProgramEnd end = run_child_program({"/bin/sh", "-c", "cat; echo wrong >&2; exit 3"}, "some\nlines\n");
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.output, "some\nlines\n");
  EXPECT_EQ(end.errors, "wrong\n");
}

TEST(ChildProgram, may_be_killed) {
  EXPECT_EQ(run_child_program({"/bin/sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(ChildProgram, takes_more_than_a_pipe_holds) {
  const std::string much(1U << 20U, 'x');
  EXPECT_EQ(run_child_program({"/bin/cat"}, much).output, much);
}

TEST(ChildProgram, has_a_deep_stack_while_ours_stays_as_it_is) {
  rlimit before{}, after{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &before), 0);
  constexpr rlim_t deep = rlim_t{1} << 30, kibi = 1024;
  const std::string limit = run_child_program({"/bin/sh", "-c", "ulimit -s"}).output;
  const bool is_deep = limit == "unlimited\n" || std::stoull(limit) * kibi >= std::min(deep, before.rlim_max);
  EXPECT_TRUE(is_deep) << limit;
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &after), 0);
  EXPECT_EQ(before.rlim_cur, after.rlim_cur);
}

TEST(ChildProgram, that_does_not_exist_is_an_error) {
  EXPECT_THROW((void)run_child_program({"/nonexistent/program"}), InputError);
}

TEST(ChildProgram, is_found_as_a_shell_would) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(find_program("teslasim-no-such-program").has_value());
  EXPECT_FALSE(find_program("/etc/passwd").has_value()) << "no program";
}

TEST(NamelessFile, is_read_and_written_by_children) {
  const NamelessFile file("old");
  EXPECT_EQ(file.contents(), "old");
  (void)run_child_program({"/bin/sh", "-c", "echo new >> " + file.path()});
  EXPECT_EQ(file.contents(), "oldnew\n");
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Datasheet of child processes: who ended and how, none that outlives its owner.
#include "sim/run/child_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <thread>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;

const ChildName child{"a child of the test", "fewer of them"};

int wait_for_a_signal() {
  while (true) pause();
}

/// The ends of all that run, by task.
std::map<std::size_t, int> ends_of(ChildProcesses& children) {
  std::map<std::size_t, int> ends;
  while (children.running() != 0) {
    for (const EndedChild& ended : children.collect()) ends[ended.task] = ended.status;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return ends;
}

TEST(ChildProcesses, say_which_task_ended_and_how) {
  ChildProcesses children;
  children.start(7, child, [] { return 0; });
  children.start(3, child, [] { return 5; });
  children.start(4, child, [] { return raise(SIGKILL); });
  EXPECT_EQ(children.running(), 3U);
  EXPECT_EQ(ends_of(children), (std::map<std::size_t, int>{{3, 5}, {4, 128 + SIGKILL}, {7, 0}}));
}

TEST(ChildProcesses, run_on_while_others_are_collected) {
  ChildProcesses children;
  children.start(0, child, wait_for_a_signal);
  EXPECT_TRUE(children.collect().empty());
  EXPECT_EQ(children.running(), 1U);
  children.end_all(SIGTERM);
  EXPECT_EQ(children.running(), 0U);
  EXPECT_TRUE(children.collect().empty());
}

TEST(ChildProcesses, do_not_outlive_their_owner) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  {
    ChildProcesses children;
    children.start(0, child, [&ends] {
      const pid_t own = getpid();
      if (write(ends[1], &own, sizeof own) != sizeof own) return 1;
      return wait_for_a_signal();
    });
    pid_t number = 0;
    ASSERT_EQ(read(ends[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
    EXPECT_EQ(kill(number, 0), 0);
  }
  // The last writer is gone: the pipe ends.
  close(ends[1]);
  char left = 0;
  EXPECT_EQ(read(ends[0], &left, 1), 0);
  close(ends[0]);
}

TEST(ChildProcesses, that_cannot_be_made_are_a_limit_of_the_environment) {
  try {
    cannot_start(child, EAGAIN);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    EXPECT_THAT(render(error.diagnostics()), HasSubstr("ENV-SPAWN"));
    EXPECT_THAT(render(error.diagnostics()), HasSubstr("cannot start a child of the test: Resource temporarily"));
    EXPECT_THAT(render(error.diagnostics()), HasSubstr("fewer of them"));
  }
}

}  // namespace
}  // namespace teslasim

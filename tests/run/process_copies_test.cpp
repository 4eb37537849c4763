// SPDX-License-Identifier: Apache-2.0
// Datasheet of copies of the process: what they say arrives, what they hold of the original's they let go.
#include "sim/run/process_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace teslasim {
namespace {

using ::testing::HasSubstr;

TEST(ProcessCopies, say_how_it_went) {
  ProcessCopies copies;
  if (copies.make(7) == ProcessSide::copy) copies.end(true, "12 34");
  if (copies.make(3) == ProcessSide::copy) copies.end(false, "no space left");
  EXPECT_EQ(copies.side(), ProcessSide::original);
  EXPECT_EQ(copies.running(), 2U);
  const std::vector<EndedCopy> ended = copies.await();
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_EQ(ended[0].task, 7U);
  EXPECT_TRUE(ended[0].done);
  EXPECT_EQ(ended[0].words, "12 34");
  EXPECT_FALSE(ended[1].done);
  EXPECT_EQ(ended[1].words, "no space left");
  EXPECT_EQ(copies.running(), 0U);
}

TEST(ProcessCopies, one_that_breaks_is_no_success) {
  ProcessCopies copies;
  if (copies.make(0) == ProcessSide::copy) raise(SIGKILL);
  if (copies.make(1) == ProcessSide::copy) _exit(0);
  const std::vector<EndedCopy> ended = copies.await();
  ASSERT_EQ(ended.size(), 2U);
  EXPECT_FALSE(ended[0].done);
  EXPECT_THAT(ended[0].words, HasSubstr("signal 9"));
  EXPECT_TRUE(ended[1].done) << "a copy may say nothing";
}

TEST(ProcessCopies, are_collected_without_waiting_and_do_not_outlive_their_owner) {
  pid_t process = 0;
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  {
    ProcessCopies copies;
    if (copies.make(0) == ProcessSide::copy) {
      const pid_t own = getpid();
      if (write(pipe_ends[1], &own, sizeof own) == sizeof own) pause();
      copies.end(false, "");
    }
    ASSERT_EQ(read(pipe_ends[0], &process, sizeof process), static_cast<ssize_t>(sizeof process));
    EXPECT_TRUE(copies.collect().empty());
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_EQ(kill(process, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  for (const int end : pipe_ends) close(end);
}

TEST(ProcessCopies, have_no_sockets_and_are_in_no_group_of_the_terminal) {
  std::array<int, 2> sockets{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
  ProcessCopies copies;
  if (copies.make(0) == ProcessSide::copy) {
    const bool closed = close(sockets[0]) != 0 && close(sockets[1]) != 0;
    copies.end(true, std::string(closed ? "closed" : "open") + (getpgrp() == getpid() ? ", apart" : ", together"));
  }
  EXPECT_EQ(copies.await().at(0).words, "closed, apart");
  for (const int socket : sockets) close(socket);
}

}  // namespace
}  // namespace teslasim

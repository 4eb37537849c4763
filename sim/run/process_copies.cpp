// SPDX-License-Identifier: Apache-2.0
#include "sim/run/process_copies.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/run/child_processes.h"

namespace teslasim {
namespace {

constexpr int was_done = 0, was_not_done = 1;
constexpr int nicer = 10;
// Less than a pipe holds: the copy never waits for a reader.
constexpr std::size_t most_words = 2000;

const ChildName copy_name{"a copy of the run", "free some memory, or let more processes run (ulimit -u)"};

/// Connections and the port are the original's: held here, too, they would stay open.
void close_sockets() {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  std::vector<int> sockets;
  while (const dirent* entry = readdir(folder)) {
    const int descriptor = std::atoi(entry->d_name);
    struct stat facts {};
    if (descriptor > STDERR_FILENO && fstat(descriptor, &facts) == 0 && S_ISSOCK(facts.st_mode))
      sockets.push_back(descriptor);
  }
  closedir(folder);
  for (const int descriptor : sockets) close(descriptor);
}

std::string read_all(int descriptor) {
  std::string words;
  std::array<char, most_words> piece{};
  for (ssize_t count = 0; (count = read(descriptor, piece.data(), piece.size())) > 0;)
    words.append(piece.data(), static_cast<std::size_t>(count));
  return words;
}

EndedCopy ended(std::size_t task, int status, std::string words) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == was_done) return {task, true, std::move(words)};
  if (WIFEXITED(status) && !words.empty()) return {task, false, std::move(words)};
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return {task, false, signal != 0 ? "it was ended by signal " + std::to_string(signal) : "it ended without a word"};
}

}  // namespace

ProcessCopies::~ProcessCopies() {
  for (const Copy& copy : copies_) kill(copy.process, SIGKILL);
  static_cast<void>(await());
}

ProcessSide ProcessCopies::make(std::size_t task) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(copy_name, errno);
  // What is buffered would be written twice.
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    cannot_start(copy_name, error);
  }
  if (child != 0) {
    close(ends[1]);
    copies_.push_back({child, task, ends[0]});
    return ProcessSide::original;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The original may have ended before the line above.
  if (getppid() != parent) _exit(was_not_done);
  side_ = ProcessSide::copy;
  close(ends[0]);
  answer_ = ends[1];
  copies_.clear();
  close_sockets();
  // A terminal sends its signals to the group of the original.
  static_cast<void>(setpgid(0, 0));
  static_cast<void>(nice(nicer));
  return ProcessSide::copy;
}

void ProcessCopies::end(bool done, std::string_view words) {
  words = words.substr(0, most_words);
  const bool said = write(answer_, words.data(), words.size()) == static_cast<ssize_t>(words.size());
  _exit(done && said ? was_done : was_not_done);
}

std::vector<EndedCopy> ProcessCopies::collect() {
  return collect(WNOHANG);
}

std::vector<EndedCopy> ProcessCopies::await() {
  return collect(0);
}

std::vector<EndedCopy> ProcessCopies::collect(int wait_options) {
  std::vector<EndedCopy> list;
  for (auto copy = copies_.begin(); copy != copies_.end();) {
    int status = 0;
    pid_t process = 0;
    do {
      process = waitpid(copy->process, &status, wait_options);
    } while (process < 0 && errno == EINTR);
    if (process == 0) {
      ++copy;
      continue;
    }
    list.push_back(ended(copy->task, status, read_all(copy->words)));
    close(copy->words);
    copy = copies_.erase(copy);
  }
  return list;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/base/child_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr int signal_base = 128;

[[noreturn]] void cannot(const std::string& what, int error) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-SPAWN";
  diagnostic.message = "cannot " + what + ": " + std::strerror(error);
  diagnostic.help = "free memory, or raise the limits (ulimit -n, -u)";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void give(const NamelessFile& file, int as) { posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), as); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status);
}

bool is_executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

NamelessFile::NamelessFile() : descriptor_(memfd_create("teslasim", 0)) {
  if (descriptor_ < 0) cannot("make a scratch file", errno);
}

NamelessFile::NamelessFile(std::string_view contents) : NamelessFile() {
  while (!contents.empty()) {
    const ssize_t written = write(descriptor_, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) cannot("write a scratch file", errno);
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  lseek(descriptor_, 0, SEEK_SET);
}

NamelessFile::~NamelessFile() {
  close(descriptor_);
}

std::string NamelessFile::path() const {
  return "/dev/fd/" + std::to_string(descriptor_);
}

std::string NamelessFile::contents() const {
  struct stat status {};
  std::string text;
  if (fstat(descriptor_, &status) != 0) return text;
  text.resize(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

std::optional<std::string> find_program(std::string_view name) {
  if (name.find('/') != std::string_view::npos)
    return is_executable(std::string(name)) ? std::optional(std::string(name)) : std::nullopt;
  const char* value = std::getenv("PATH");
  std::string_view folders = value != nullptr ? value : "/usr/bin:/bin";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    std::string path = std::string(folders.substr(0, end)) + "/" + std::string(name);
    if (end != 0 && is_executable(path)) return path;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

/// While it lives, programs that are started may have a deep stack: llc-14 recurses once for each step of a long
/// computation, and ends by a signal when the usual 8 MB are used.
class DeepStack {
 public:
  DeepStack() {
    constexpr rlim_t deep = rlim_t{1} << 30;
    if (getrlimit(RLIMIT_STACK, &usual_) != 0 || usual_.rlim_cur >= deep) return;
    rlimit more = usual_;
    more.rlim_cur = std::min(deep, usual_.rlim_max);
    changed_ = setrlimit(RLIMIT_STACK, &more) == 0;
  }
  ~DeepStack() {
    if (changed_) setrlimit(RLIMIT_STACK, &usual_);
  }
  DeepStack(const DeepStack&) = delete;
  DeepStack& operator=(const DeepStack&) = delete;

 private:
  rlimit usual_{};
  bool changed_ = false;
};

ChildProgramEnd run_child_program(const std::vector<std::string>& command, std::string_view input) {
  const NamelessFile given(input), output, errors;
  FileActions actions;
  actions.give(given, STDIN_FILENO);
  actions.give(output, STDOUT_FILENO);
  actions.give(errors, STDERR_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = [&] {
    const DeepStack deep;
    return posix_spawn(&child, arguments.front(), actions.get(), nullptr, arguments.data(), environ);
  }();
  if (error != 0) cannot("start '" + command.front() + "'", error);
  const int status = wait_for(child);
  return {status, output.contents(), errors.contents()};
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/base/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr mode_t new_file = 0666;  // less the user's mask
constexpr mode_t private_file = 0600;
constexpr mode_t rights = 0777;
constexpr std::size_t longest_start = 200;  // of a name: the rest of the 255 bytes tells temporary ones apart
constexpr unsigned most_names = 1000;

/// Holds back the signals that end a program, so that no half-made file is left beside its place.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

[[noreturn]] void exists_error(const std::string& path) {
  Diagnostic diagnostic;
  diagnostic.code = "OUT-EXISTS";
  diagnostic.message = "'" + path + "' exists; recordings are not written over others";
  diagnostic.help = "name another file, or remove this one";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

}  // namespace

void write_error(const std::string& path, const std::string& reason) {
  Diagnostic diagnostic;
  diagnostic.code = "FILE-WRITE";
  diagnostic.message = "cannot write '" + path + "': " + reason;
  diagnostic.help = "check the folder, its permissions and the free space, or write elsewhere";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

void refuse_existing_file(const std::string& path) {
  if (look_up_output(path).kind == OutputPlace::Kind::regular) exists_error(path);
}

OutputFile::OutputFile(const std::string& path, OutputMode mode) : path_(path), place_(look_up_output(path)) {
  refuse_input(path_, place_);
  if (!place_.trouble.empty()) write_error(path_, place_.trouble);
  const bool in_place = place_.kind == OutputPlace::Kind::stream || place_.kind == OutputPlace::Kind::descriptor;
  if (in_place) {
    open_stream();
  } else {
    mode == OutputMode::replace ? open_beside() : open_new();
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::open_beside() {
  const bool replaces = place_.kind == OutputPlace::Kind::regular;
  for (unsigned number = 0; number < most_names && descriptor_ < 0; ++number) {
    temporary_ = place_.folder() + "/." + place_.name().substr(0, longest_start) + ".part" + std::to_string(getpid());
    if (number != 0) temporary_ += "-" + std::to_string(number);
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? private_file : new_file);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) fail();
  if (!replaces) return;
  // Only root can leave a file to its owner; a group that it was not for gets nothing. A change of owner may take
  // rights away, so they come last.
  const bool same_owner = fchown(descriptor_, place_.owner, place_.group) == 0;
  if (fchmod(descriptor_, place_.mode & (same_owner ? rights : rights & ~mode_t{S_IRWXG})) != 0) fail();
}

void OutputFile::open_new() {
  descriptor_ = open(place_.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file);
  if (descriptor_ >= 0) return;
  if (errno == EEXIST) exists_error(path_);
  fail();
}

void OutputFile::open_stream() {
  descriptor_ = place_.kind == OutputPlace::Kind::descriptor
                    ? fcntl(place_.descriptor, F_DUPFD_CLOEXEC, 0)
                    : open(place_.file.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail();
}

void OutputFile::fail() {
  const std::string reason = std::strerror(errno);
  if (descriptor_ >= 0) close(descriptor_);
  if (descriptor_ >= 0 && !temporary_.empty()) unlink(temporary_.c_str());
  descriptor_ = -1;
  write_error(path_, reason);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::finish() {
  const int finished = descriptor_;
  // Some file systems say only now that there was no room.
  if (close(finished) != 0 && errno != EINTR) {
    descriptor_ = -1;
    const std::string reason = std::strerror(errno);
    if (!temporary_.empty()) unlink(temporary_.c_str());
    write_error(path_, reason);
  }
  descriptor_ = -1;
  if (temporary_.empty() || std::rename(temporary_.c_str(), place_.file.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  unlink(temporary_.c_str());
  write_error(path_, reason);
}

void write_file(const std::string& path, std::string_view content) {
  const OutputPlace::Kind kind = look_up_output(path).kind;
  const auto write_all = [&path, content] {
    OutputFile file(path);
    file.write(content);
    file.finish();
  };
  // A FIFO waits for its reader: whoever waits with it must be able to end that.
  if (kind == OutputPlace::Kind::stream || kind == OutputPlace::Kind::descriptor) return write_all();
  const SignalsHeld held;
  write_all();
}

}  // namespace teslasim

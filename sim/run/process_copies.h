// SPDX-License-Identifier: Apache-2.0
// Copies of this process: each goes on from where it was made, as if it were the run, writes what it was made for, and
// ends. So something can be finished that the original has not finished yet. None outlives the original.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

enum class ProcessSide : std::uint8_t { original, copy };

struct EndedCopy {
  std::size_t task = 0;  ///< the number given when it was made
  bool done = false;     ///< it said so itself
  std::string words;     ///< what it said, or how it ended instead
};

class ProcessCopies {
 public:
  ProcessCopies() = default;
  /// Kills and awaits those that are left.
  ~ProcessCopies();
  ProcessCopies(const ProcessCopies&) = delete;
  ProcessCopies& operator=(const ProcessCopies&) = delete;

  /// In the main thread. The copy has this thread alone, less of the processor's time, and no sockets; Ctrl-C is the
  /// original's. Throws InputError (environment, ENV-SPAWN) in the original when no process can be made.
  [[nodiscard]] ProcessSide make(std::size_t task);
  [[nodiscard]] ProcessSide side() const { return side_; }
  /// In the copy: ends it without the ends of objects, whose threads and half-written files are the original's.
  [[noreturn]] void end(bool done, std::string_view words);

  // ---- in the original
  [[nodiscard]] std::size_t running() const { return copies_.size(); }
  /// Those that have ended since; does not wait.
  [[nodiscard]] std::vector<EndedCopy> collect();
  /// Waits for all.
  [[nodiscard]] std::vector<EndedCopy> await();

 private:
  struct Copy {
    pid_t process = 0;
    std::size_t task = 0;
    int words = -1;  ///< what it says can be read here
  };
  [[nodiscard]] std::vector<EndedCopy> collect(int wait_options);

  ProcessSide side_ = ProcessSide::original;
  int answer_ = -1;  ///< in the copy: where it says something
  std::vector<Copy> copies_;
};

}  // namespace teslasim

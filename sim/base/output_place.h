// SPDX-License-Identifier: Apache-2.0
// Where an output goes: what a path that the user gave stands for on the file system.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace teslasim {

/// A path looked up once. Links are followed, so that a link stays one and the file behind it is written.
struct OutputPlace {
  enum class Kind : std::uint8_t {
    absent,      ///< nothing is there yet
    regular,     ///< a file, to be replaced as a whole
    stream,      ///< a device, FIFO or the like: written to, never replaced
    descriptor,  ///< /dev/stdout, /dev/fd/N: what this process has open already
    unusable     ///< a folder, a socket, a circle of links
  };
  Kind kind = Kind::absent;
  std::string file;     ///< behind all links
  std::string trouble;  ///< why it cannot be used or written, in the system's words; empty when it can
  int descriptor = -1;
  dev_t device = 0;  ///< of the file, or of the folder when it is absent
  ino_t inode = 0;
  mode_t mode = 0;
  uid_t owner = 0;
  gid_t group = 0;

  /// The name of a file that will stand beside others, without its folder.
  [[nodiscard]] std::string name() const;
  /// Its folder, "." for none.
  [[nodiscard]] std::string folder() const;
  /// Whether both are the same file, whatever they are called. Streams are nobody's alone.
  [[nodiscard]] bool same_file(const OutputPlace& other) const;
};

/// Looks the path up, with the rights of this process; writes nothing. `trouble` says what would make writing fail.
[[nodiscard]] OutputPlace look_up_output(const std::string& path);

/// Whether the path is the folder or in it, by their names.
[[nodiscard]] bool is_below(const std::string& path, const std::string& folder);

}  // namespace teslasim

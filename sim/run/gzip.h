// SPDX-License-Identifier: Apache-2.0
// Files in gzip's format (RFC 1952), compressed by zlib while they are written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace teslasim {

/// One gzip file, for speed rather than for size: timelines are large and written once. The bytes depend on what was
/// added, not on how it was cut into pieces. Throws std::bad_alloc when zlib has no memory.
class GzipStream {
 public:
  GzipStream();
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  void add(std::string_view piece);
  /// The whole compressed file; nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  void compress(std::string_view piece, int flush);

  std::unique_ptr<State> state_;
  std::string out_;
};

/// What a gzip file holds; nothing when it is none, is cut off, or holds more than `largest` bytes.
[[nodiscard]] std::optional<std::string> gzip_content(std::string_view file, std::size_t largest);

}  // namespace teslasim

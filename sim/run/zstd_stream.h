// SPDX-License-Identifier: Apache-2.0
// Files in the format of Zstandard (RFC 8878), compressed while they are written.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace teslasim {

/// One file of one frame. The bytes depend on what was added, not on how it was cut into pieces. Throws std::bad_alloc
/// when the library has no memory.
class ZstdStream {
 public:
  ZstdStream();
  ~ZstdStream();
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  void add(std::string_view piece);
  /// The whole compressed file; nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  struct State;
  bool compress(std::string_view& piece, bool last);

  std::unique_ptr<State> state_;
  std::string out_;
};

}  // namespace teslasim

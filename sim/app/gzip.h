// SPDX-License-Identifier: Apache-2.0
// Files in gzip's format (RFC 1952), compressed while they are written, for speed rather than for size.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// One gzip member of deflate blocks (RFC 1951) with codes of their own. Repetitions are looked for at one place only,
/// the last one that began with the same five bytes: on timelines that is about as good as zlib's level 2, for less
/// than half of its instructions. The bytes depend on what was added, not on how it was cut into pieces.
class GzipStream {
 public:
  GzipStream();
  void add(std::string_view piece);
  /// The whole compressed file; nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t window = 32768, block = 131072, slack = 8;
  static constexpr unsigned hash_bits = 15;
  static constexpr std::int32_t nowhere = -1;

  void compress(bool last);
  void find_repetitions();
  void slide();
  void write_tokens(bool last);

  std::vector<char> input_;               ///< up to `window` bytes that were compressed, then those of the block
  std::size_t begin_ = 0;                 ///< of the block in `input_`
  std::size_t end_ = 0;                   ///< of what is in `input_`
  std::vector<std::int32_t> last_place_;  ///< in `input_`, by hash of five bytes
  std::vector<std::uint32_t> tokens_;
  std::array<std::uint32_t, 288> symbols_{};   ///< how often each literal and length occurs in the block
  std::array<std::uint32_t, 32> distances_{};  ///< and each class of distances
  std::string out_;
  std::uint64_t bits_ = 0;  ///< that do not fill a byte yet
  unsigned bit_count_ = 0;
  unsigned long check_ = 0;
  std::uint32_t length_ = 0;  ///< of all input, modulo 2^32
};

}  // namespace teslasim

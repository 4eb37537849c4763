// SPDX-License-Identifier: Apache-2.0
// Prefix codes of deflate (RFC 1951, 3.2) and the bits they make.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace teslasim {

constexpr unsigned most_code_bits = 15;

/// Bits in the order in which deflate stores them: the lowest first.
struct BitText {
  std::uint32_t bits = 0;
  unsigned count = 0;  ///< at most 32
};

/// Appends bits to a string; between two writers, those that do not fill a byte are kept by their owner.
class BitWriter {
 public:
  BitWriter(std::string& out, std::uint64_t bits, unsigned count)
      : out_(out), used_(out.size()), bits_(bits), count_(count) {}
  /// Makes room for so many bytes; `put` needs 8 bytes more than it fills.
  void reserve(std::size_t bytes) { out_.resize(used_ + bytes); }
  void put(BitText text) {
    bits_ |= std::uint64_t{text.bits} << count_;
    count_ += text.count;
    if (count_ < 32) return;
    const auto word = static_cast<std::uint32_t>(bits_);
    for (unsigned byte = 0; byte < 4; ++byte) out_[used_ + byte] = static_cast<char>(word >> (8 * byte));
    used_ += 4;
    bits_ >>= 32U;
    count_ -= 32;
  }
  void put(std::uint32_t bits, unsigned count) { put({bits, count}); }
  void fill_byte() {
    const unsigned missing = (8 - count_ % 8) % 8;
    put(0, missing);
  }
  /// Whole bytes are in the string afterwards, the rest in the arguments.
  void store(std::uint64_t& bits, unsigned& count) {
    for (; count_ >= 8; count_ -= 8, bits_ >>= 8U) out_[used_++] = static_cast<char>(bits_);
    out_.resize(used_);
    bits = bits_;
    count = count_;
  }

 private:
  std::string& out_;
  std::size_t used_;
  std::uint64_t bits_;
  unsigned count_;
};

/// The best prefix code for symbols that occur so often, with no code longer than `most_bits`; where a longer one would
/// be best, the rare symbols are taken for less rare.
class HuffmanCode {
 public:
  HuffmanCode(std::span<const std::uint32_t> counts, unsigned most_bits);
  /// Empty for a symbol that does not occur.
  const BitText& operator[](std::size_t symbol) const { return codes_[symbol]; }
  [[nodiscard]] std::size_t size() const { return codes_.size(); }

 private:
  std::vector<BitText> codes_;
};

/// Both codes of a block, as their lengths (RFC 1951, 3.2.7).
void write_codes(BitWriter& writer, const HuffmanCode& symbols, const HuffmanCode& distances);

}  // namespace teslasim

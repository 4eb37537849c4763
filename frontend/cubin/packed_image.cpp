// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/packed_image.h"

#include <algorithm>

namespace teslasim {
namespace {

constexpr std::uint64_t largest_image = std::uint64_t{1} << 28;
/// A byte adds at most this much to a length, so that a packed image cannot claim to be endless.
constexpr std::uint64_t most_growth = 256;

class Unpacker {
 public:
  Unpacker(std::string_view packed, std::size_t size) : packed_(packed), size_(size) { out_.reserve(size); }

  std::optional<std::string> run() {
    while (out_.size() < size_) {
      const std::uint64_t token = byte();
      plain(length(token >> half_byte));
      if (damaged_) return std::nullopt;
      if (out_.size() == size_) break;  // the last sequence has no copy
      const std::uint64_t distance = byte() | byte() << 8U;
      copy(distance, length(token & full_half) + shortest_copy);
      if (damaged_) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  static constexpr unsigned half_byte = 4;
  static constexpr std::uint64_t full_half = 15;
  static constexpr std::uint64_t full_byte = 255;
  static constexpr std::uint64_t shortest_copy = 4;

  std::uint64_t byte() {
    if (at_ < packed_.size()) return static_cast<unsigned char>(packed_[at_++]);
    damaged_ = true;
    return 0;
  }

  /// Half a byte, continued in further bytes when it is full.
  std::uint64_t length(std::uint64_t half) {
    std::uint64_t sum = half;
    for (std::uint64_t more = half == full_half ? full_byte : 0; more == full_byte && !damaged_;) {
      more = byte();
      sum += more;
    }
    return sum;
  }

  void plain(std::uint64_t count) {
    damaged_ = damaged_ || count > packed_.size() - at_ || count > size_ - out_.size();
    if (damaged_) return;
    out_.append(packed_.substr(at_, count));
    at_ += count;
  }

  /// Source and result may overlap: then a pattern is repeated.
  void copy(std::uint64_t distance, std::uint64_t count) {
    damaged_ = damaged_ || distance == 0 || distance > out_.size() || count > size_ - out_.size();
    if (damaged_) return;
    for (std::uint64_t i = 0; i < count; ++i) out_ += out_[out_.size() - distance];
  }

  std::string_view packed_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::string out_;
  bool damaged_ = false;
};

}  // namespace

std::optional<std::string> unpacked_image(std::string_view packed, std::uint64_t size) {
  if (size > largest_image || size / most_growth > packed.size()) return std::nullopt;
  return Unpacker(packed, size).run();
}

}  // namespace teslasim

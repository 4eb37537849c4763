// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/packed_image.h"

#include <lz4.h>

namespace teslasim {
namespace {

constexpr std::uint64_t largest_image = std::uint64_t{1} << 28;
/// A byte adds at most this much to a length, so that a packed image cannot claim to be endless.
constexpr std::uint64_t most_growth = 256;

}  // namespace

std::optional<std::string> unpacked_image(std::string_view packed, std::uint64_t size) {
  if (size > largest_image || packed.size() > largest_image || size / most_growth > packed.size()) return std::nullopt;
  std::string image(size, '\0');
  if (size == 0) return image;
  const int bytes =
      LZ4_decompress_safe(packed.data(), image.data(), static_cast<int>(packed.size()), static_cast<int>(size));
  if (bytes < 0 || static_cast<std::uint64_t>(bytes) != size) return std::nullopt;
  return image;
}

}  // namespace teslasim

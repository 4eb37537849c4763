// SPDX-License-Identifier: Apache-2.0
#include "sim/base/hash.h"

#include <xxhash.h>

#include <fstream>
#include <memory>
#include <vector>

namespace teslasim {

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::optional<std::uint64_t> hash_file(const std::string& path) {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> bytes(piece);
  do {
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    XXH3_64bits_update(state.get(), bytes.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (!file.eof()) return std::nullopt;
  return XXH3_64bits_digest(state.get());
}

}  // namespace teslasim

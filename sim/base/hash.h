// SPDX-License-Identifier: Apache-2.0
// Fingerprints of files: XXH3 (64 bits, Collet 2019).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace teslasim {

/// XXH3-64 of some bytes.
[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes);
/// The same of a whole file, read piece by piece: traces may be larger than memory. Nothing when it cannot be read.
[[nodiscard]] std::optional<std::uint64_t> hash_file(const std::string& path);

}  // namespace teslasim

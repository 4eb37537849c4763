// SPDX-License-Identifier: Apache-2.0
// What is in a buffer before the first launch. The same bytes on every host: see pcg32.h and docs/launch-files.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "frontend/workload.h"

namespace teslasim {

/// The initial bytes of a buffer, `count` elements. Throws InputError when its file has become unreadable.
[[nodiscard]] std::vector<std::byte> initial_contents(const BufferSpec& buffer);

/// Receives the bytes of some elements, of which the first is number `first`.
using ContentsVisitor = std::function<void(std::uint64_t first, std::span<const std::byte> bytes)>;
/// The same piece by piece, in order. What is computed element by element is never held as a whole.
void visit_initial_contents(const BufferSpec& buffer, const ContentsVisitor& visit);

/// Writes the initial contents into `target`, which must be all zero and have the size of the buffer. Touches nothing
/// for `zero`, so that untouched pages of device memory cost no host memory.
void write_initial_contents(const BufferSpec& buffer, std::span<std::byte> target);

/// The bytes of `count` elements of `type` in a .npy or raw file whose size and type were checked when it was named.
[[nodiscard]] std::vector<std::byte> read_elements(const std::string& path, ValueType type, std::uint64_t count);

}  // namespace teslasim

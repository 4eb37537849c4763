// SPDX-License-Identifier: Apache-2.0
// The memory of the user's program. Its pointers may be wrong: a bad one is an answer here, not the end of the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace teslasim::cudart {

/// False when not all of [from, from + bytes) can be read; then a part may have been copied.
[[nodiscard]] bool read_host(void* to, const void* from, std::size_t bytes);
/// False when not all of [to, to + bytes) can be written; then a part may have been.
[[nodiscard]] bool write_host(void* to, const void* from, std::size_t bytes);
/// The text that a pointer leads to, up to a zero byte; nothing when there is none within 1,024 bytes.
[[nodiscard]] std::optional<std::string> host_text(const void* pointer);

}  // namespace teslasim::cudart

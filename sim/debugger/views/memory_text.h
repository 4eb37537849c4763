// SPDX-License-Identifier: Apache-2.0
// Memory as text: elements of buffers by their type, words of shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "isa/instruction.h"

namespace teslasim {

/// One value: floating point in its shortest form, integers in decimal, bits in hexadecimal.
[[nodiscard]] std::string element_text(ValueType type, const std::byte* bytes);
/// "[8] 1 2 3 4", eight elements in a line; `first` is the number of the first of them.
[[nodiscard]] std::string elements_text(ValueType type, std::span<const std::byte> bytes, std::uint64_t first);
/// "0x0010  0000002a ...", four words in a line.
[[nodiscard]] std::string words_text(const std::uint8_t* bytes, std::uint64_t address, std::uint64_t end);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, versions 1.0 to 3.0 in, 1.0 out (NumPy enhancement proposal 1): how arrays come in and go out.
// Little-endian integers and floats in C order only; no objects, no structured types, no Fortran order above one
// dimension. Errors are returned as a sentence, so that each reader can add its own place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/instruction.h"

namespace teslasim {

struct NpyHeader {
  ValueType type = ValueType::u32;
  std::vector<std::uint64_t> shape;  ///< empty for a single value
  std::uint64_t elements = 1;        ///< product of the shape
  std::uint64_t data_offset = 0;     ///< bytes from the start of the file to the first element
};

/// What is wrong with a file, as a sentence without final full stop.
struct NpyProblem {
  std::string text;
};

/// Reads the header in `start`, the first bytes of a file (at least 64 KiB + 12 when the file is longer than that).
[[nodiscard]] std::variant<NpyHeader, NpyProblem> parse_npy_header(std::span<const std::byte> start);
/// Reads the header of a file and checks that the data is all there.
[[nodiscard]] std::variant<NpyHeader, NpyProblem> inspect_npy(const std::string& path);

/// A whole .npy file of one dimension, as bytes. b types are written as unsigned integers.
[[nodiscard]] std::vector<std::byte> npy_bytes(ValueType type, std::span<const std::byte> elements);
/// Writes such a file. Throws InputError(environment) when the file cannot be written.
void write_npy(const std::string& path, ValueType type, std::span<const std::byte> elements);

}  // namespace teslasim

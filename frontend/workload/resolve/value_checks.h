// SPDX-License-Identifier: Apache-2.0
// Checks of single values of a draft: whole numbers in a range, element types, numbers of a type, data files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"
#include "isa/instruction.h"

namespace teslasim {

struct WholeRange {
  std::int64_t low = 0;
  std::int64_t high = 0;  ///< included
};

/// A whole number between the limits; otherwise LAUNCH-TYPE or LAUNCH-RANGE and nothing.
[[nodiscard]] std::optional<std::int64_t> whole(const LocatedNumber& number, std::string_view key, WholeRange range,
                                                MistakeList& mistakes);
/// An element type by name; otherwise LAUNCH-TYPE with the nearest name.
[[nodiscard]] std::optional<ValueType> checked_type(const LocatedText& name, MistakeList& mistakes);
/// A number that a value of `type` can hold: integral and in range for integer types, finite range for f32.
[[nodiscard]] std::optional<double> number_of_type(const LocatedNumber& number, std::string_view key, ValueType type,
                                                   MistakeList& mistakes);
/// The same as the bits of a value; keeps all 64 bits of an integer.
[[nodiscard]] std::optional<std::uint64_t> bits_of_type(const LocatedNumber& number, std::string_view key,
                                                        ValueType type, MistakeList& mistakes);

/// Elements of `type` in a .npy or raw file; LAUNCH-FILE when it is missing, damaged or of another type.
[[nodiscard]] std::optional<std::uint64_t> elements_in_file(const std::string& path, ValueType type,
                                                            const SourceLocation& where, MistakeList& mistakes);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The binary form of instructions: words of a kernel's code to Instruction and back.
//
// Stands for the instruction decoder of the SM's front end. Both directions run the same rows (rows_*.def) and the same
// field functions (*_fields.cpp), so they cannot disagree. Bits that have no effect are accepted: what compilers
// usually put there is part of each row, and what a binary has beyond that is kept in Instruction::unused_bits, so that
// encode(decode(words)) gives the same words.
// Not modelled: graphics instructions (interpolation, attributes, outputs, discard, emit) and the operations that only
// GT21x has (indirect branch, preret, texture gather, level query); their words do not decode.
// Sources: van der Laan 2008 (decuda), Kościelnicki (envytools documentation of the G80 family).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "isa/instruction.h"

namespace teslasim {

inline constexpr std::uint8_t lowest_sm = 10;
inline constexpr std::uint8_t highest_sm = 13;

/// The one or two words of an instruction. `second` is 0 for short ones.
struct EncodedWords {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint8_t bytes = 8;

  friend bool operator==(const EncodedWords&, const EncodedWords&) = default;
};

/// Length in bytes (4 or 8) of the instruction that starts with `first`.
[[nodiscard]] constexpr std::uint8_t encoded_bytes(std::uint32_t first) {
  return (first & 1U) != 0 ? std::uint8_t{8} : std::uint8_t{4};
}

/// The instruction that the words mean on compute capability `sm` (10..13), finished except for its place (`pc`,
/// indices) and the kernel's register count; nothing when that level has no such instruction. `second` is ignored for
/// short ones.
[[nodiscard]] std::optional<Instruction> decode(std::uint32_t first, std::uint32_t second, std::uint8_t sm);

/// The first compute capability on which the words mean something; 0 when none does.
[[nodiscard]] std::uint8_t first_sm_that_decodes(std::uint32_t first, std::uint32_t second);

/// Words, or the reason why there are none.
struct Encoding {
  std::optional<EncodedWords> words;
  std::string problem;  ///< one sentence without full stop, empty when there are words
};

/// The words of an instruction in its `form` for compute capability `sm`.
[[nodiscard]] Encoding encode(const Instruction& instruction, std::uint8_t sm = highest_sm);

}  // namespace teslasim

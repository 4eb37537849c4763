// SPDX-License-Identifier: Apache-2.0
#include "isa/encoding/encoding.h"

#include <fmt/format.h>

#include <vector>

#include "isa/encoding/encoding_table.h"

namespace teslasim {
namespace {

constexpr unsigned word_bits = 32;

Form form_of(std::uint64_t word) {
  constexpr unsigned container_mask = 3;
  constexpr unsigned control_container = 3;
  constexpr unsigned immediate_marks = 3;
  if ((word & 1U) == 0) return Form::short_form;
  if ((word & container_mask) == control_container) return Form::control_form;
  const bool immediate = ((word >> word_bits) & container_mask) == immediate_marks;
  return immediate ? Form::immediate_form : Form::long_form;
}

using RowList = std::vector<const EncodingRow*>;
constexpr unsigned primary_low = 28;
constexpr std::size_t primary_count = 16;
constexpr std::size_t form_count = 4;

/// The rows in the order of the table, by form and primary opcode.
std::array<RowList, form_count * primary_count> make_decoding_index() {
  std::array<RowList, form_count * primary_count> index;
  for (const EncodingRow& row : encoding_rows()) {
    for (std::uint64_t primary = 0; primary < primary_count; ++primary) {
      const std::uint64_t bits = primary << primary_low;
      const std::uint64_t mask = row.fixed.mask & (std::uint64_t{primary_count - 1} << primary_low);
      if ((bits & mask) == (row.fixed.value & mask))
        index[static_cast<std::size_t>(row.form) * primary_count + primary].push_back(&row);
    }
  }
  return index;
}

const RowList& rows_for(std::uint64_t word) {
  static const auto index = make_decoding_index();
  const std::uint64_t primary = (word >> primary_low) & (primary_count - 1);
  return index[static_cast<std::size_t>(form_of(word)) * primary_count + primary];
}

void run_fields(const EncodingRow& row, FieldCodec& codec, Instruction& instruction) {
  for (const FieldFunction function : row.fields) {
    if (function == nullptr || codec.failed()) return;
    function(codec, instruction);
  }
}

std::uint64_t mask_of(const EncodingRow& row) {
  return row.bytes == 4 ? (std::uint64_t{1} << word_bits) - 1 : ~std::uint64_t{0};
}

std::optional<Instruction> decode_as(const EncodingRow& row, std::uint64_t word, std::uint8_t sm) {
  FieldCodec codec(FieldCodec::Direction::decoding, word, row.fixed.mask, sm);
  Instruction instruction;
  instruction.opcode = row.opcode;
  instruction.form = row.form;
  instruction.bytes = row.bytes;
  run_fields(row, codec, instruction);
  if (codec.failed()) return std::nullopt;
  instruction.unused_bits = (word ^ row.usual) & ~codec.owned() & mask_of(row);
  finish(instruction);
  return instruction;
}

/// Parts of every instruction that not every row has a field for.
void check_common_parts(const Instruction& instruction, FieldCodec& codec) {
  codec.require(codec.has_marks || (!instruction.join && !instruction.exit),
                "only long instructions can carry .join or .end");
  codec.require(codec.has_guard || instruction.condition == condition_always,
                instruction.ignores_condition() ? "the hardware ignores a condition here"
                                                : "short and immediate instructions cannot be predicated");
  codec.require(codec.has_flag_result || instruction.flag_destination < 0,
                "this form of the operation cannot write a flag register");
}

Encoding encode_as(const EncodingRow& row, const Instruction& instruction, std::uint8_t sm) {
  FieldCodec codec(FieldCodec::Direction::encoding, row.fixed.value, row.fixed.mask, sm);
  Instruction copy = instruction;
  run_fields(row, codec, copy);
  check_common_parts(instruction, codec);
  if (codec.failed()) return {std::nullopt, codec.problem()};
  const std::uint64_t unused = (row.usual ^ instruction.unused_bits) & ~codec.owned() & mask_of(row);
  const std::uint64_t word = codec.word() | unused;
  // What comes back must be what was given: nothing may be lost silently.
  Instruction expected = instruction;
  finish(expected);
  const std::optional<Instruction> back =
      decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> word_bits), sm);
  if (!back || !equivalent(*back, expected))
    return {std::nullopt, fmt::format("the words of '{}' cannot hold all of this", instruction.row().mnemonic)};
  return {EncodedWords{static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> word_bits), row.bytes}, {}};
}

}  // namespace

std::optional<Instruction> decode(std::uint32_t first, std::uint32_t second, std::uint8_t sm) {
  const std::uint64_t high = encoded_bytes(first) == 4 ? 0 : std::uint64_t{second} << word_bits;
  const std::uint64_t word = first | high;
  for (const EncodingRow* row : rows_for(word)) {
    if ((word & row->fixed.mask) != row->fixed.value || row->first_sm > sm) continue;
    if (std::optional<Instruction> instruction = decode_as(*row, word, sm)) return instruction;
  }
  return std::nullopt;
}

std::uint8_t first_sm_that_decodes(std::uint32_t first, std::uint32_t second) {
  for (std::uint8_t sm = lowest_sm; sm <= highest_sm; ++sm) {
    if (decode(first, second, sm)) return sm;
  }
  return 0;
}

Encoding encode(const Instruction& instruction, std::uint8_t sm) {
  Encoding best{std::nullopt, fmt::format("'{}' does not have this form", instruction.row().mnemonic)};
  bool tried = false;
  for (const EncodingRow& row : encoding_rows()) {
    if (row.opcode != instruction.opcode || row.form != instruction.form) continue;
    if (row.first_sm > sm) {
      if (!tried) best.problem = fmt::format("'{}' exists from sm_{} on", instruction.row().mnemonic, row.first_sm);
      continue;
    }
    Encoding encoding = encode_as(row, instruction, sm);
    if (encoding.words) return encoding;
    if (!tried) best = std::move(encoding);
    tried = true;
  }
  return best;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "isa/modifier_reference.h"

#include <fmt/format.h>

#include <random>
#include <set>
#include <string_view>

#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"
#include "isa/encoding/encoding_table.h"
#include "isa/names.h"

namespace teslasim {
namespace {

constexpr unsigned words_per_row = 3000;
constexpr unsigned word_bits = 32;

struct Found {
  std::set<std::string> modifiers, types;
};

/// The words between the dots, up to the operands.
void collect(std::string_view text, Found& found) {
  if (text.starts_with('@')) text.remove_prefix(text.find(' ') + 1);
  text = text.substr(0, text.find(' '));
  std::size_t dot = text.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t next = text.find('.', dot + 1);
    const std::string word(text.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1));
    const bool mark = word == "join" || word == "end" || word == "half";
    if (!mark) (parse_type(word) ? found.types : found.modifiers).insert(word);
    dot = next;
  }
}

void sample(const EncodingRow& row, std::mt19937_64& random, Found& found) {
  for (unsigned n = 0; n < words_per_row; ++n) {
    const std::uint64_t word = (random() & ~row.fixed.mask) | row.fixed.value;
    const auto instruction =
        decode(static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> word_bits), highest_sm);
    if (instruction && instruction->opcode == row.opcode) collect(to_text(*instruction), found);
  }
}

std::string dotted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += fmt::format("{}`.{}`", text.empty() ? "" : " ", word);
  return text.empty() ? "–" : text;
}

}  // namespace

ModifierWords modifier_words_of(Opcode opcode) {
  std::mt19937_64 random(1);  // the same words on every host
  Found found;
  for (const EncodingRow& row : encoding_rows()) {
    if (row.opcode == opcode) sample(row, random, found);
  }
  return {{found.modifiers.begin(), found.modifiers.end()}, {found.types.begin(), found.types.end()}};
}

std::string modifiers_table() {
  std::string text = "| word | operation | modifiers | types |\n|---|---|---|---|\n";
  for (unsigned i = 0; i < opcode_count; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const ModifierWords words = modifier_words_of(opcode);
    if (words.modifiers.empty() && words.types.empty()) continue;
    text += fmt::format("| `{}` | {} | {} | {} |\n", info(opcode).mnemonic, info(opcode).name, dotted(words.modifiers),
                        dotted(words.types));
  }
  return text;
}

}  // namespace teslasim

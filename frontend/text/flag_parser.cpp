// SPDX-License-Identifier: Apache-2.0
// Flag registers in front of a destination and with a condition.
#include <fmt/format.h>

#include "frontend/text/operand_parser.h"
#include "isa/names.h"
#include "sim/base/diagnostic.h"

namespace teslasim::text {
namespace {

/// `$p0` or `$c0` at the cursor; -1 (nothing taken) when something else stands there.
int take_flag_register(Cursor& cursor) {
  cursor.skip_space();
  const bool flags = cursor.look() == '$' && (cursor.look(1) == 'p' || cursor.look(1) == 'c');
  const char digit = cursor.look(2);
  if (!flags || digit < '0' || digit > '3' || is_word_character(cursor.look(3))) return -1;
  cursor.advance(3);
  return digit - '0';
}

}  // namespace

ParsedCondition parse_condition_operand(Cursor& cursor) {
  ParsedCondition result;
  const int flags = take_flag_register(cursor);
  if (flags < 0) fail("ASM-REGISTER", cursor.here(), "expected a flag register", "flag registers are $p0 to $p3");
  result.flags = static_cast<std::uint8_t>(flags);
  if (cursor.look() != '.') return result;
  const std::size_t start = cursor.position();
  cursor.advance();
  const std::string_view word = cursor.take_word();
  const auto condition = parse_condition(word);
  if (!condition) {
    std::vector<std::string> names;
    for (unsigned code = 0; code < 32; ++code) names.emplace_back(condition_name(code));
    const std::string near = nearest_word(std::string(word), names);
    fail("ASM-OPERAND", cursor.span_from(start), fmt::format("unknown condition '.{}'", word),
         near.empty() ? "conditions are lt eq le gt ne ge, ..." : fmt::format("did you mean '.{}'?", near));
  }
  result.condition = *condition;
  result.condition_given = true;
  return result;
}

int parse_flag_destination(Cursor& cursor) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const int flags = take_flag_register(cursor);
  if (flags >= 0 && cursor.accept("|")) return flags;
  cursor.rewind(start);
  return -1;
}

}  // namespace teslasim::text

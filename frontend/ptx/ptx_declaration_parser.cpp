// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_declaration_parser.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "frontend/ptx/ptx_names.h"

namespace teslasim::ptx {
namespace {

constexpr std::uint64_t most_alignment = 1U << 16U;
constexpr std::uint64_t most_registers = 1U << 24U;
constexpr std::array<std::string_view, 3> opaque_types{"texref", "samplerref", "surfref"};

std::uint32_t parse_alignment(PtxCursor& cursor) {
  const PtxPlace place = cursor.peek().place;
  const std::uint64_t bytes = cursor.expect_whole("an alignment", most_alignment);
  if (bytes == 0 || (bytes & (bytes - 1)) != 0) cursor.fail(place, "PTX-NUMBER", "an alignment must be a power of two");
  return static_cast<std::uint32_t>(bytes);
}

/// .ptr .global .align 4: what a pointer parameter points to; it changes no code here.
void skip_pointer(PtxCursor& cursor) {
  while (cursor.peek().kind == PtxTokenKind::dotted) {
    const bool alignment = cursor.is_dotted("align");
    const bool space = space_of_word(cursor.peek().text).has_value();
    if (!alignment && !space) return;
    cursor.take();
    if (alignment) (void)parse_alignment(cursor);
  }
}

/// What stands between the state space and the name: .align 8 .v2 .f32.
void parse_attributes(PtxCursor& cursor, PtxVariable& variable) {
  while (cursor.peek().kind == PtxTokenKind::dotted) {
    const PtxToken word = cursor.take();
    if (word.text == "align") {
      variable.alignment = parse_alignment(cursor);
    } else if (word.text == "v2" || word.text == "v4") {
      variable.vector = word.text == "v2" ? 2 : 4;
    } else if (word.text == "ptr") {
      skip_pointer(cursor);
    } else if (std::find(opaque_types.begin(), opaque_types.end(), word.text) != opaque_types.end()) {
      variable.opaque = word.text;
      variable.type = PtxType::u64;
    } else if (const auto type = type_of_word(word.text)) {
      variable.type = *type;
    } else {
      cursor.fail(word.place, "PTX-DIRECTIVE", "'." + std::string(word.text) + "' is no attribute of a variable",
                  ".align N, .v2, .v4, or a type such as .u32");
    }
  }
  if (variable.type == PtxType::none)
    cursor.fail(cursor.peek().place, "PTX-SYNTAX", "the declaration has no type", "such as .u32");
}

void parse_initial(PtxCursor& cursor, std::vector<PtxInitial>& values) {
  if (cursor.accept('{')) {
    cursor.enter();
    if (!cursor.is('}')) {
      do {
        parse_initial(cursor, values);
      } while (cursor.accept(','));
    }
    cursor.expect('}', "an initialiser");
    cursor.leave();
    return;
  }
  PtxInitial value;
  value.place = cursor.peek().place;
  if (cursor.peek().kind == PtxTokenKind::name) {
    value.symbol = cursor.expect_name("a name");
    if (value.symbol == "generic" && cursor.accept('(')) {
      value.symbol = cursor.expect_name("a variable");
      cursor.expect(')', "a variable");
    }
    if (cursor.accept('+')) value.constant = cursor.expect_constant("an offset");
  } else {
    value.constant = cursor.expect_constant("a value");
  }
  values.push_back(std::move(value));
}

/// name, name<10>, name[4][] and its initial value.
void parse_declarator(PtxCursor& cursor, PtxVariable& variable) {
  variable.place = cursor.peek().place;
  variable.name = cursor.expect_name("a name");
  if (cursor.accept('<')) {
    variable.range = static_cast<std::uint32_t>(cursor.expect_whole("a number of registers", most_registers));
    cursor.expect('>', "a number of registers");
  }
  while (cursor.accept('[')) {
    variable.extents.emplace_back();
    if (!cursor.is(']'))
      variable.extents.back() = cursor.expect_whole("an array size", std::numeric_limits<std::uint32_t>::max());
    cursor.expect(']', "an array size");
  }
  if (cursor.accept('=')) parse_initial(cursor, variable.initial);
}

PtxVariable parse_space_and_type(PtxCursor& cursor) {
  PtxVariable variable;
  const PtxToken space = cursor.take();
  const auto found = space.kind == PtxTokenKind::dotted ? space_of_word(space.text) : std::nullopt;
  if (!found)
    cursor.fail(space.place, "PTX-SYNTAX", "expected a state space", ".reg, .param, .global, .shared, .const, .local");
  variable.space = *found;
  if (variable.space == PtxSpace::constant && cursor.accept('[')) {
    variable.bank = static_cast<std::uint8_t>(cursor.expect_whole("a bank", most_ptx_banks));
    cursor.expect(']', "a bank");
  }
  parse_attributes(cursor, variable);
  return variable;
}

}  // namespace

std::vector<PtxVariable> parse_variables(PtxCursor& cursor, PtxLinkage linkage) {
  PtxVariable common = parse_space_and_type(cursor);
  common.linkage = linkage;
  std::vector<PtxVariable> variables;
  do {
    PtxVariable& variable = variables.emplace_back(common);
    parse_declarator(cursor, variable);
  } while (cursor.accept(','));
  cursor.expect(';', "a declaration");
  return variables;
}

std::vector<PtxVariable> parse_parameters(PtxCursor& cursor) {
  std::vector<PtxVariable> parameters;
  if (cursor.accept(')')) return parameters;
  do {
    PtxVariable& parameter = parameters.emplace_back(parse_space_and_type(cursor));
    parse_declarator(cursor, parameter);
  } while (cursor.accept(','));
  cursor.expect(')', "a parameter");
  return parameters;
}

}  // namespace teslasim::ptx

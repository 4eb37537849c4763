// SPDX-License-Identifier: Apache-2.0
#include "isa/opcode.h"

#include <array>

#include "isa/forms.h"

namespace teslasim {
namespace {

using namespace row_words;  // NOLINT(google-build-using-namespace): for the rows

constexpr std::array<OpcodeInfo, opcode_count> rows{{
#define OPCODE(name, mnemonic, unit, issue_class, first_sm, family, description, ...) \
  {#name,           mnemonic,                                                         \
   UnitClass::unit, IssueClass::issue_class,                                          \
   first_sm,        static_cast<std::uint8_t>(FormRow{__VA_ARGS__}.long_form.size()), \
   description},
#include "isa/opcodes.def"
#undef OPCODE
}};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
  return rows[static_cast<std::size_t>(opcode)];
}

std::string_view name_of(UnitClass unit) {
  constexpr std::array<std::string_view, 5> names{"MAD", "SFU", "DP", "memory", "control"};
  return names[static_cast<std::size_t>(unit)];
}

std::string_view name_of(IssueClass issue_class) {
  constexpr std::array<std::string_view, issue_class_count> names{
      "alu", "mul", "sfu", "dp", "branch", "shared", "constant", "global", "local", "tex", "barrier", "other"};
  return names[static_cast<std::size_t>(issue_class)];
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "isa/reference.h"

#include <fmt/format.h>

#include "isa/forms.h"
#include "isa/modifier_reference.h"
#include "isa/names.h"

namespace teslasim {
namespace {

std::string_view field_word(SourceField field) {
  switch (field) {
    case SourceField::gpr:
      return "r";
    case SourceField::gpr_or_shared:
      return "r/s";
    case SourceField::gpr_or_constant:
      return "r/c";
    case SourceField::gpr_constant_or_count:
      return "r/c/n";
    case SourceField::number:
      return "number";
    case SourceField::number_16:
      return "n16";
    case SourceField::number_4:
      return "n4";
    case SourceField::result_again:
      return "dst";
    case SourceField::address_register:
      return "$ofs";
    case SourceField::flag_register:
      return "$p";
    case SourceField::special_register:
      return "%reg";
    case SourceField::constant_memory:
      return "c[]";
    case SourceField::shared_memory:
      return "s[]";
    case SourceField::local_memory:
      return "l[]";
    case SourceField::global_memory:
      return "g[]";
    default:
      return "";
  }
}

/// The operands of a form, `–` when there is no such form, `yes` when it has no operands.
std::string form_cell(const SourceFields& fields) {
  if (!fields.exists()) return "–";
  std::string text;
  for (std::size_t position = 0; position < fields.size(); ++position) {
    const std::string_view word = field_word(fields[position]);
    if (!word.empty()) text += fmt::format("{}{}", text.empty() ? "" : ", ", word);
  }
  return text.empty() ? "yes" : text;
}

std::string_view flags_word(FlagField flags) {
  if (flags == FlagField::optional_flags) return "can";
  return flags == FlagField::always_flags ? "always" : "–";
}

std::string operations_table() {
  std::string text =
      "| word | operation | sm | unit | long | short | immediate | flags | what it does |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (unsigned i = 0; i < opcode_count; ++i) text += reference_row(static_cast<Opcode>(i));
  return text;
}

std::string conditions_table() {
  std::string text = "| code | name | code | name | code | name | code | name |\n|---|---|---|---|---|---|---|---|\n";
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned column = 0; column < 4; ++column) {
      const unsigned code = row + 8 * column;
      const bool unused = code >= 20 && code < 28;
      text += fmt::format("| {} | {} ", code, unused ? "(unused)" : fmt::format("`{}`", condition_name(code)));
    }
    text += "|\n";
  }
  return text;
}

std::string comparisons_table() {
  std::string text = "| mask | float | integer | mask | float |\n|---|---|---|---|---|\n";
  for (unsigned mask = 0; mask < 8; ++mask) {
    text += fmt::format("| {} | `{}` | `{}` | {} | `{}` |\n", mask, float_comparisons[mask], integer_comparisons[mask],
                        mask + 8, float_comparisons[mask + 8]);
  }
  return text;
}

std::string special_table() {
  std::string text = "| name | where |\n|---|---|\n";
  for (const SpecialName& name : special_names) {
    const bool shared = name.kind == Operand::Kind::shared;
    text += fmt::format(
        "| `%{}` | {} |\n", name.name,
        shared ? fmt::format("`s[{:#x}].u16`", name.index) : fmt::format("special register {}", name.index));
  }
  return text;
}

}  // namespace

std::string reference_row(Opcode opcode) {
  const OpcodeInfo& row = info(opcode);
  const FormRow& form = form_row(opcode);
  const std::string long_cell = is_control(opcode) ? "control" : form_cell(form.long_form);
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.mnemonic, row.name, row.first_sm,
                     name_of(row.unit), long_cell, form_cell(form.short_form), form_cell(form.immediate_form),
                     flags_word(form.flags), row.description);
}

std::string assembly_reference_markdown() {
  return fmt::format(
      "### Operations\n\n"
      "Sources of each form: r register, s s[], c c[], number 32-bit literal (16-bit operations: 16 bits), n shift "
      "count 0 to\n"
      "127, n16, n4 numbers of that many bits, dst the destination again.\n\n{}\n"
      "### Modifiers and types\n\nBesides `.join`, `.end` and `.half`, by operation.\n\n{}\n"
      "### Condition codes\n\n{}\n### Comparisons of `set`\n\nBit 0 less, bit 1 equal, bit 2 greater, bit 3 "
      "unordered.\n\n{}\n"
      "### Names after %\n\n{}",
      operations_table(), modifiers_table(), conditions_table(), comparisons_table(), special_table());
}

}  // namespace teslasim

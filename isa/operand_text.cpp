// SPDX-License-Identifier: Apache-2.0
#include "isa/operand_text.h"

#include <fmt/format.h>

#include <array>

#include "isa/forms.h"
#include "isa/names.h"

namespace teslasim {
namespace {

using Kind = Operand::Kind;

std::string register_text(const Operand& operand) {
  constexpr std::array<std::string_view, 3> halves{"", ".lo", ".hi"};
  return fmt::format("$r{}{}", operand.index, halves[static_cast<std::size_t>(operand.half)]);
}

std::string address_text(const Operand& operand, int digits) {
  if (operand.address_register == 0 && !operand.post_increment)
    return fmt::format("{:#0{}x}", operand.offset, digits + 2);
  const std::string_view sign = operand.offset < 0 ? "-" : "";
  const std::uint32_t magnitude = static_cast<std::uint32_t>(operand.offset < 0 ? -operand.offset : operand.offset);
  return fmt::format("$ofs{}{}{}{:#0{}x}", operand.address_register, operand.post_increment ? "+=" : "+", sign,
                     magnitude, digits + 2);
}

std::string header_name(const Operand& operand) {
  if (operand.type != ValueType::u16 || operand.address_register != 0 || operand.post_increment) return {};
  for (const SpecialName& name : special_names) {
    if (name.kind == Kind::shared && name.index == operand.offset) return fmt::format("%{}", name.name);
  }
  return {};
}

std::string shared_text(const Operand& operand, ValueType default_access) {
  if (std::string name = header_name(operand); !name.empty()) return name;
  const std::string text = fmt::format("s[{}]", address_text(operand, 4));
  return operand.type == default_access ? text : fmt::format("{}.{}", text, type_name(operand.type));
}

std::string special_text(unsigned index) {
  for (const SpecialName& name : special_names) {
    if (name.kind == Kind::special && name.index == index) return fmt::format("%{}", name.name);
  }
  return fmt::format("%sr{}", index);
}

std::string global_text(const Operand& operand) {
  constexpr unsigned usual_segment = 14;
  return operand.bank == usual_segment ? fmt::format("g[$r{}]", operand.index)
                                       : fmt::format("g{}[$r{}]", operand.bank, operand.index);
}

}  // namespace

std::string operand_text(const Operand& operand, ValueType default_access) {
  switch (operand.kind) {
    case Kind::none:
      return "_";
    case Kind::gpr:
      return register_text(operand);
    case Kind::address:
      return fmt::format("$ofs{}", operand.index);
    case Kind::flags:
      return fmt::format("$p{}", operand.index);
    case Kind::immediate:
      return bytes_of(operand.type) == 2 ? fmt::format("{:#06x}", operand.immediate)
                                         : fmt::format("{:#010x}", operand.immediate);
    case Kind::shared:
      return shared_text(operand, default_access);
    case Kind::constant:
      return fmt::format("c{}[{}]", operand.bank, address_text(operand, 4));
    case Kind::local:
      return fmt::format("l[{}]", address_text(operand, 8));
    case Kind::global:
      return global_text(operand);
    case Kind::special:
      return special_text(operand.index);
    case Kind::discard:
      return "$o127";
  }
  return "?";
}

std::string source_text(const Instruction& instruction, std::size_t position) {
  Operand operand = instruction.source[position];
  std::string text = operand_text(operand, access_type(instruction.source_type[position]));
  if (operand.kind == Kind::immediate && operand.negate) {
    text += ".neg";  // '-' would change the bits of the literal
    operand.negate = false;
  }
  if (operand.absolute) text = fmt::format("|{}|", text);
  if (operand.negate) text.insert(0, 1, '-');
  if (operand.invert) text.insert(0, 1, '~');
  return text;
}

std::string group_text(unsigned first, unsigned mask, unsigned size) {
  std::string text = "{";
  unsigned next = first;
  for (unsigned component = 0; component < size; ++component) {
    if (component > 0) text += ',';
    text += ((mask >> component) & 1U) != 0 ? fmt::format("$r{}", next++) : "_";
  }
  return text + "}";
}

}  // namespace teslasim

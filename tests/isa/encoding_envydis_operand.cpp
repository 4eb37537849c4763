// SPDX-License-Identifier: Apache-2.0
#include "encoding_envydis_operand.h"

#include <fmt/format.h>

#include <array>

namespace teslasim {
namespace {

using Kind = Operand::Kind;

std::string special_text(unsigned index) {
  constexpr std::array<std::string_view, 8> names{"physid", "clock", "", "vstride", "pm0", "pm1", "pm2", "pm3"};
  if (index < names.size() && !names[index].empty()) return fmt::format("${}", names[index]);
  return fmt::format("$sr{}", index);
}

std::string register_text(const Operand& operand) {
  constexpr std::array<std::string_view, 3> half{"", "l", "h"};
  const unsigned bytes = bytes_of(operand.type);
  const std::string_view group = bytes == 8 ? "d" : bytes == 16 ? "q" : "";
  return fmt::format("$r{}{}{}", operand.index, half[static_cast<std::size_t>(operand.half)], group);
}

}  // namespace

std::string_view type_text(ValueType type) {
  constexpr std::array names{"",    "u8",  "s8",  "u16", "s16", "b16", "u32", "s32",
                             "b32", "f16", "f32", "u64", "s64", "b64", "f64", "b128"};
  return names[static_cast<std::size_t>(type)];
}
std::string_view size_text(ValueType type) {
  return bytes_of(type) == 2 ? "b16" : bytes_of(type) == 8 ? "b64" : "b32";
}

std::string address_text(const Operand& operand) {
  const auto offset = static_cast<std::uint32_t>(operand.offset);
  if (operand.post_increment) return fmt::format("[$a{}++{:#x}]", operand.address_register, offset);
  if (operand.address_register == 0) return fmt::format("[{:#x}]", offset);
  if (offset == 0) return fmt::format("[$a{}]", operand.address_register);
  return fmt::format("[$a{}+{:#x}]", operand.address_register, offset);
}

std::string operand_text(const Operand& operand) {
  switch (operand.kind) {
    case Kind::none:
      return "";
    case Kind::gpr:
      return register_text(operand);
    case Kind::address:
      return operand.index == 0 ? "0x0" : fmt::format("$a{}", operand.index);
    case Kind::flags:
      return fmt::format("$c{}", operand.index);
    case Kind::immediate:
      return fmt::format("{:#x}", operand.immediate);
    case Kind::shared:
      return fmt::format("{} s{}", type_text(operand.type), address_text(operand));
    case Kind::constant:
      return fmt::format("c{}{}", operand.bank, address_text(operand));
    case Kind::local:
      return "l" + address_text(operand);
    case Kind::global:
      return fmt::format("g{}[$r{}]", operand.bank, operand.index);
    case Kind::special:
      return special_text(operand.index);
    case Kind::discard:
      return "#";
  }
  return "";
}

std::string register_list(unsigned first, unsigned mask) {
  std::string text;
  for (unsigned bit = 0; bit < 4 && mask >> bit != 0; ++bit) {
    if (!text.empty()) text += ':';
    text += (mask >> bit & 1U) != 0 ? fmt::format("$r{}", first++) : "#";
  }
  return text;
}

}  // namespace teslasim

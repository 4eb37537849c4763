// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/decuda_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace teslasim::text {
namespace {

constexpr unsigned short_registers = 64;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Replaces every `from`; true when there was one.
bool replace(std::string& text, std::string_view from, std::string_view to) {
  bool found = false;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    found = true;
  }
  return found;
}

struct RegisterPlace {
  std::size_t start = 0;  ///< of the digits
  std::size_t length = 0;
  unsigned number = 0;
};

/// The general registers in a line, from left to right.
std::vector<RegisterPlace> registers_in(std::string_view text) {
  std::vector<RegisterPlace> found;
  for (std::size_t at = text.find("$r"); at != std::string_view::npos; at = text.find("$r", at + 2)) {
    RegisterPlace place{at + 2, 0, 0};
    while (place.start + place.length < text.size() && place.length < 3) {
      const char digit = text[place.start + place.length];
      if (digit < '0' || digit > '9') break;
      place.number = place.number * 10 + static_cast<unsigned>(digit - '0');
      ++place.length;
    }
    if (place.length != 0) found.push_back(place);
  }
  return found;
}

/// The names of the launch header are numbered by 16-bit words, but decuda looks them up by bytes.
std::string header_names(std::string& text) {
  struct Name {
    std::string_view printed, meant;
  };
  // In this order no replacement is replaced again.
  constexpr std::array<Name, 4> names{
      {{"%ntid.y", "%ntid.x"}, {"%nctaid.x", "%ntid.y"}, {"%ctaid.x", "%ntid.z"}, {"%gridflags", "s[0x0000].u16"}}};
  std::string remark;
  for (const Name& name : names) {
    if (replace(text, name.printed, name.meant)) remark = fmt::format("{} is {}", name.printed, name.meant);
  }
  return remark;
}

/// Bit 22 of a short instruction is a modifier, which decuda also prints as bit 6 of the second source. Bit 8 likewise
/// for the destination; the modifier it stands for is not printed there.
std::string short_registers_in(std::string& text) {
  if (!contains(text, ".half")) return "";
  std::vector<RegisterPlace> registers = registers_in(text);
  std::string remark;
  for (std::size_t i = registers.size(); i > 0; --i) {
    const RegisterPlace& place = registers[i - 1];
    if (place.number < short_registers) continue;
    const bool destination = i == 1 && text.find(',') > place.start;
    text.replace(place.start, place.length, std::to_string(place.number - short_registers));
    remark = fmt::format("$r{} of a short instruction is $r{}", place.number, place.number - short_registers);
    if (!destination) continue;
    const std::size_t type = text.find(".f32") != std::string::npos ? text.find(".f32") : text.find(".b32");
    if (type != std::string::npos) text.insert(type, ".sat");
    remark += " with a modifier that decuda does not print, read as .sat";
  }
  return remark;
}

/// Full registers that decuda prints as halves, because the size bits mean nothing there: $r1.lo is field 2, so $r2.
std::string halves_as_registers(std::string& text) {
  std::vector<RegisterPlace> registers = registers_in(text);
  for (std::size_t i = registers.size(); i > 0; --i) {
    const RegisterPlace& place = registers[i - 1];
    const std::string_view half = std::string_view(text).substr(place.start + place.length, 3);
    if (half != ".lo" && half != ".hi") continue;
    text.replace(place.start, place.length + half.size(), std::to_string(2 * place.number + (half == ".hi" ? 1U : 0U)));
  }
  return "registers are whole, not halves";
}

/// From the start of the word up to the operands.
bool replace_word(std::string& text, std::string_view base, std::string_view whole) {
  const std::size_t at = text.find(base);
  if (at == std::string::npos || (at != 0 && text[at - 1] != ' ')) return false;
  const std::size_t end = std::min(text.find(' ', at), text.size());
  text.replace(at, end - at, whole);
  return true;
}

std::string moves_of_flags(std::string& text) {
  const bool halves = contains(text, ".lo") || contains(text, ".hi");
  if (!contains(text, "$p") || !contains(text, "mov.u16 ") || !halves) return "";
  const std::size_t operands = text.find("mov.u16 ") + 8;
  const bool to_flags = text.compare(operands, 2, "$p") == 0;
  const bool from_flags = contains(std::string_view(text).substr(operands), ", $p");
  if (!to_flags && !from_flags) return "";
  (void)replace(text, "mov.u16 ", "mov.b32 ");
  return halves_as_registers(text);
}

std::string selection(std::string& text) {
  if (!replace_word(text, "slct", "slct.b32.f32")) return "";
  return halves_as_registers(text);
}

std::string roundings_of_mad(std::string& text) {
  for (const std::string_view mode : {"mad.rm.f32", "mad.rp.f32", "mad.rz.f32"}) {
    if (replace(text, mode, "mad.rn.f32")) return "mad always rounds to nearest";
  }
  return "";
}

/// Call ignores its predicate field, which assemblers leave at "never".
std::string guarded_call(std::string& text) {
  const std::size_t call = text.find("call.label");
  if (call == std::string::npos || text[0] != '@') return "";
  text.erase(0, call);
  return "call has no predicate";
}

/// Float comparisons write a whole register; the type that decuda prints for it comes from bits without meaning.
std::string float_comparison(std::string& text) {
  for (const std::string_view type : {".u16", ".s16", ".s32"}) {
    if (!contains(text, "set.") || !replace(text, fmt::format("{}.f32.f32", type), ".u32.f32.f32")) continue;
    const bool discarded = contains(text, "$o127");
    return discarded ? "" : halves_as_registers(text);
  }
  return "";
}

/// `l[$r32]` is byte 0x20 of local memory.
std::string local_addresses(std::string& text) {
  const std::size_t at = text.find("l[$r");
  if (at == std::string::npos) return "";
  const std::vector<RegisterPlace> registers = registers_in(text);
  for (const RegisterPlace& place : registers) {
    if (place.start != at + 4) continue;
    text.replace(at + 2, place.length + 2, fmt::format("{:#x}", place.number));
    return fmt::format("l[$r{}] is byte {:#x}", place.number, place.number);
  }
  return "";
}

/// Compilers mark the long form of tex "live", which decuda does not print.
std::string textures(std::string& text) {
  if (!contains(text, "tex.") || contains(text, ".half")) return "";
  (void)replace(text, ".b32.", ".live.b32.");
  return contains(text, "_") ? "the components of tex are right only when z and w are not written" : "";
}

/// The access type s16 of a half register is printed as b16, except in the words of the launch header (u16).
std::string half_loads(std::string& text) {
  const bool header = contains(text, "s[0x0008]") || contains(text, "s[0x000a]") || contains(text, "s[0x000c]") ||
                      contains(text, "s[0x000e]");
  if (!header && contains(text, "mov.") && contains(text, ", s[")) (void)replace(text, ".b16 ", ".s16 ");
  return "";
}

/// The sign of an operand says which way round the subtraction goes.
std::string subtracting_mad(std::string& text) {
  if (!contains(text, "mad24c??.lo")) return "";
  const bool reversed = text.rfind('-') < text.rfind(',');
  (void)replace(text, "mad24c??.lo", reversed ? "mad24.lo.subr" : "mad24.lo.sub");
  (void)replace(text, "-$r", "$r");
  return "mad24c?? is mad24 with subtraction";
}

}  // namespace

bool looks_like_decuda(std::string_view text) {
  for (const std::string_view part : {".entry", ".lmem", ".smem", ".reg", ".bar"}) {
    if (!contains(text, part)) return false;
  }
  for (const std::string_view part : {".arch", ".param", ".equ", ".alias", ".shared", ".macro", ".rept", ".const ",
                                      ".unaligned", "%ntid.x", "%ntid.z", "%nctaid.y", "%ctaid.y"}) {
    if (contains(text, part)) return false;
  }
  return true;
}

DecudaLine corrected_decuda_line(std::string_view line) {
  using Rule = std::string (*)(std::string&);
  constexpr std::array<Rule, 11> rules{header_names,     short_registers_in, moves_of_flags,   selection,
                                       roundings_of_mad, guarded_call,       float_comparison, local_addresses,
                                       textures,         half_loads,         subtracting_mad};
  DecudaLine result{std::string(line), ""};
  const std::size_t start = result.text.find_first_not_of(" \t");
  if (start == std::string::npos || result.text[start] == '.') return result;
  result.text.erase(0, start);
  for (const Rule rule : rules) {
    const std::string remark = rule(result.text);
    if (!remark.empty()) result.remark = remark;
  }
  return result;
}

}  // namespace teslasim::text

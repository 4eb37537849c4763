// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/address_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/clang/llvm_constants.h"
#include "frontend/clang/llvm_lines.h"
#include "frontend/clang/llvm_types.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::string_view copied_tables = "@__const.";

/// `@name = private unnamed_addr addrspace(4) constant TYPE VALUE, align 8`
struct Variable {
  std::string_view name;  ///< without @
  std::string_view qualifiers;
  std::string_view type, value;  ///< as text
  std::optional<LlvmType> layout{};
  std::optional<LlvmInitial> initial{};
};

std::optional<Variable> variable_of(std::string_view line, const LlvmTypes& types) {
  constexpr std::string_view equals = " = ";
  const std::size_t start = line.starts_with('@') ? line.find(equals) : std::string_view::npos;
  if (start == std::string_view::npos) return std::nullopt;
  std::size_t kind = std::string_view::npos, length = 0;
  for (const std::string_view word : {" global ", " constant "}) {
    const std::size_t at = line.find(word);
    if (at < kind) kind = at, length = word.size();
  }
  if (kind == std::string_view::npos) return std::nullopt;
  Variable variable{line.substr(1, start - 1), line.substr(start + equals.size() - 1, kind - start - 2), {}, {}};
  const std::string_view rest = line.substr(kind + length);
  LlvmCursor cursor{rest};
  variable.layout = types.take(cursor);
  cursor.skip_blanks();
  variable.type = rest.substr(0, rest.size() - cursor.text.size());
  variable.type = variable.type.substr(0, variable.type.find_last_not_of(' ') + 1);
  if (!variable.layout || cursor.text.find('@') == std::string_view::npos) return std::nullopt;
  const std::string_view value = cursor.text;
  variable.initial = take_initial(cursor, *variable.layout, types);
  variable.value = value.substr(0, value.size() - cursor.text.size());
  if (!variable.initial || variable.initial->addresses.empty()) return std::nullopt;
  return variable;
}

bool is_plain(std::string_view name) {
  return name.find_first_of(".\"-") == std::string_view::npos;
}

/// LLVM's own renaming of what only this file knows.
std::string name_in_ptx(std::string_view name) {
  std::string result;
  for (const char c : name) result += c == '.' || c == '@' ? "_$_" : std::string(1, c);
  return result;
}

bool is_own(std::string_view qualifiers) {
  return qualifiers.find("internal") != std::string_view::npos || qualifiers.find("private") != std::string_view::npos;
}

/// Words of 64 bits, of which each is a number or an address.
std::optional<std::string> declaration_of(const Variable& variable) {
  const std::vector<std::uint8_t>& bytes = variable.initial->bytes;
  if (bytes.size() % word_bytes != 0) return std::nullopt;
  std::vector<std::string> words(bytes.size() / word_bytes);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < word_bytes; ++byte)
      word |= std::uint64_t{bytes[i * word_bytes + byte]} << (8 * byte);
    words[i] = fmt::format("{}", word);
  }
  for (const LlvmAddress& address : variable.initial->addresses) {
    if (address.offset % word_bytes != 0 || address.addend < 0) return std::nullopt;
    words[address.offset / word_bytes] = name_in_ptx(address.symbol);
    if (address.addend != 0) words[address.offset / word_bytes] += fmt::format("+{}", address.addend);
  }
  const bool constant = variable.qualifiers.find("addrspace(4)") != std::string_view::npos;
  return fmt::format("{}.{} .align {} .u64 {}[{}] = {{{}}};", is_own(variable.qualifiers) ? "" : ".visible ",
                     constant ? "const" : "global", variable.layout->alignment, variable.name, words.size(),
                     fmt::join(words, ", "));
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// `call void @llvm.memcpy...(i8* align 8 %0, i8* align 8 bitcast (T* @__const.f.p to i8*), i64 16, ...)` as a store.
std::optional<std::string> store_for(const std::string& line,
                                     const std::map<std::string, Variable, std::less<>>& tables, unsigned number) {
  const std::optional<MemoryCall> call = memory_call(line);
  if (!call || !call->from || !call->to.space.empty() || !call->to.value.starts_with('%')) return std::nullopt;
  const std::size_t source = call->from->value.find(copied_tables);
  if (source == std::string_view::npos) return std::nullopt;
  const auto found = tables.find(LlvmCursor{call->from->value.substr(source + 1)}.take_word());
  if (found == tables.end() || call->bytes != found->second.layout->bytes) return std::nullopt;
  return fmt::format(
      "  %teslasim.table.{0} = bitcast i8* {1} to {2}*{3}\n  store {2} {4}, {2}* %teslasim.table.{0}, align {5}{3}",
      number, call->to.value, found->second.type, debug_suffix(line), found->second.value, call->to.alignment);
}

}  // namespace

std::string with_stored_tables(const std::string& code) {
  if (code.find(copied_tables) == std::string::npos) return code;
  const LlvmTypes types(code);
  std::vector<std::string> lines = lines_of(code);
  std::map<std::string, Variable, std::less<>> tables;
  for (const std::string& line : lines) {
    if (!line.starts_with(copied_tables)) continue;
    if (std::optional<Variable> table = variable_of(line, types)) tables.emplace(table->name, *table);
  }
  // What the tables refer to stands in the first text.
  std::vector<std::string> changed = lines;
  unsigned number = 0;
  for (std::string& line : changed) {
    if (std::optional<std::string> store = store_for(line, tables, number)) {
      line = std::move(*store);
      ++number;
    }
  }
  return joined(changed);
}

DeclaredTables with_declared_tables(const std::string& code) {
  const LlvmTypes types(code);
  std::vector<std::string> lines = lines_of(code);
  DeclaredTables result;
  std::set<std::string> targets;
  for (std::string& line : lines) {
    const std::optional<Variable> variable = variable_of(line, types);
    if (!variable || !is_plain(variable->name) || variable->name.starts_with("llvm.")) continue;
    std::optional<std::string> declaration = declaration_of(*variable);
    if (!declaration) continue;
    for (const LlvmAddress& address : variable->initial->addresses) targets.insert(address.symbol);
    const bool constant = variable->qualifiers.find("addrspace(4)") != std::string_view::npos;
    result.tables.push_back({std::string(variable->name), std::move(*declaration)});
    line = fmt::format("@{} = external addrspace({}) global {}, align {}", variable->name, constant ? 4 : 1,
                       variable->type, variable->layout->alignment);
  }
  // llc leaves out what is private and has no use left.
  constexpr std::string_view hidden = " = private ";
  for (std::string& line : lines) {
    const std::size_t at = line.starts_with('@') ? line.find(hidden) : std::string::npos;
    if (at != std::string::npos && targets.contains(line.substr(1, at - 1)))
      line.replace(at, hidden.size(), " = internal ");
  }
  result.code = joined(lines);
  return result;
}

std::string with_address_tables(const std::string& ptx, const std::vector<AddressTable>& tables) {
  if (tables.empty()) return ptx;
  std::vector<std::string> lines = lines_of(ptx);
  for (std::string& line : lines) {
    if (!line.starts_with(".extern ")) continue;
    const auto table = std::find_if(tables.begin(), tables.end(), [&](const AddressTable& one) {
      const std::string name = " " + one.name;
      return line.ends_with(name + ";") || line.find(name + "[") != std::string::npos;
    });
    if (table != tables.end()) line = table->declaration;
  }
  return joined(lines);
}

}  // namespace teslasim::cuda

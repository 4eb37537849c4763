// SPDX-License-Identifier: Apache-2.0
// Names that stand for numbers or registers in assembly text: .equ, .param, .shared, .const, .alias, .rept counters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim::text {

struct Symbol {
  enum class Kind : std::uint8_t { constant, parameter, shared, bank_offset };
  Kind kind = Kind::constant;
  std::int64_t value = 0;
  bool is_float = false;  ///< the value is the bit pattern of an f32
};

/// Three kinds of scope: the file, the open kernel, and one per running .rept with a named counter.
class Symbols {
 public:
  void enter_kernel();
  void leave_kernel();
  void enter_repeat() { repeats_.emplace_back(); }
  void leave_repeat() { repeats_.pop_back(); }

  /// Defines in the kernel if one is open, else in the file.
  void define(std::string_view name, Symbol symbol);
  void define_in_file(std::string_view name, Symbol symbol) { file_.values[std::string(name)] = symbol; }
  void define_counter(std::string_view name, std::int64_t value);
  void define_alias(std::string_view name, std::string_view meaning);

  [[nodiscard]] std::optional<Symbol> find(std::string_view name) const;
  /// The register text that an alias stands for, or empty.
  [[nodiscard]] std::string_view alias(std::string_view name) const;
  [[nodiscard]] bool known(std::string_view name) const { return find(name).has_value() || !alias(name).empty(); }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Scope {
    std::map<std::string, Symbol, std::less<>> values;
    std::map<std::string, std::string, std::less<>> aliases;
  };
  [[nodiscard]] Scope& innermost() { return kernel_ ? *kernel_ : file_; }

  Scope file_;
  std::optional<Scope> kernel_;
  std::vector<Scope> repeats_;
};

}  // namespace teslasim::text

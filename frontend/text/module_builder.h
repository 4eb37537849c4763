// SPDX-License-Identifier: Apache-2.0
// What one run of the assembler has made so far: the module, the kernel that is open, names, and mistakes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "frontend/text/assembler.h"
#include "frontend/text/kernel_builder.h"
#include "frontend/text/source_line.h"
#include "frontend/text/symbols.h"
#include "isa/program.h"

namespace teslasim::text {

/// Thrown after a mistake that makes going on pointless.
struct GiveUp {};

class ModuleBuilder {
 public:
  ModuleBuilder(std::string_view text, std::string path, const AssemblerLimits& limits);

  [[nodiscard]] Module& module() { return module_; }
  [[nodiscard]] Symbols& symbols() { return symbols_; }

  /// `.entry`: opens a kernel; one that is still open is reported and closed.
  void begin_kernel(const std::string& name, LineReference where, Span span);
  /// '{'
  void open_body() { body_open_ = true; }
  [[nodiscard]] bool body_open() const { return body_open_; }
  /// The kernel between `.entry` and '}'; null outside.
  [[nodiscard]] KernelBuilder* unfinished_kernel() { return kernel_ ? &*kernel_ : nullptr; }
  /// The kernel between '{' and '}'; a TextError that names `what` outside.
  [[nodiscard]] KernelBuilder& open_kernel(std::string_view what, Span span);
  /// '}'
  void close_kernel(LineReference where);

  /// Next free byte of a constant bank that the whole file shares.
  [[nodiscard]] std::uint32_t& constant_end(std::uint8_t bank) { return constant_end_.at(bank); }

  void report(const TextError& error, LineReference where);
  void warn(Diagnostic warning);
  /// Reported so far; a mistake inside .rept counts each time, and appears once.
  [[nodiscard]] std::uint64_t mistakes() const { return mistakes_; }
  /// Counts lines, and characters that expansions made, against the limits; also lines that are only skipped.
  void count_lines(LineReference where, std::uint64_t lines = 1);
  void count_characters(LineReference where, std::uint64_t characters);

  /// Throws InputError when anything is wrong.
  [[nodiscard]] Module finish();

 private:
  [[noreturn]] void give_up(const std::string& message, LineReference where);

  Module module_;
  Symbols symbols_;
  std::optional<KernelBuilder> kernel_;
  bool body_open_ = false;
  std::unordered_set<std::string> kernel_names_;
  std::array<std::uint32_t, 16> constant_end_{};
  std::vector<Diagnostic> diagnostics_;
  std::set<std::string> reported_;
  std::uint64_t mistakes_ = 0;
  AssemblerLimits limits_;
  std::uint64_t lines_ = 0;
  std::uint64_t characters_ = 0;
};

}  // namespace teslasim::text

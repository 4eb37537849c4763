// SPDX-License-Identifier: Apache-2.0
// The state of one run of the assembler. Lines are processed in order, once; .rept and macros feed their bodies back
// in.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/text/assembler.h"
#include "frontend/text/kernel_builder.h"
#include "frontend/text/source_line.h"
#include "frontend/text/symbols.h"
#include "isa/program.h"

namespace teslasim::text {

class Assembly {
 public:
  Assembly(std::string_view text, std::string path, const AssemblerLimits& limits);
  /// Throws InputError when anything is wrong.
  [[nodiscard]] Module run();

 private:
  using Lines = std::vector<const SourceLine*>;
  struct Macro {
    std::vector<std::string> parameters;
    Lines body;
    std::uint32_t line = 0;
  };
  using Directive = void (Assembly::*)(Cursor&, LineReference);

  // assembly.cpp: lines and statements
  void process(const Lines& lines, const Expansion* expansion);
  void process_statement(LineReference where);
  void statement(Cursor& cursor, LineReference where);
  void take_labels(Cursor& cursor, LineReference where);
  void add_instruction(Cursor& cursor, LineReference where);
  void close_kernel(LineReference where);
  void warn_of_corrections(const std::vector<std::string>& corrections);
  void report(const TextError& error, LineReference where);
  /// Counts lines against the limit; also those that are only skipped.
  void count_lines(LineReference where, std::uint64_t lines = 1);
  [[noreturn]] void give_up(const std::string& message, LineReference where);
  [[nodiscard]] KernelBuilder& open_kernel(std::string_view what, Span span);

  // expansion.cpp: .rept and .macro
  [[nodiscard]] static std::string_view directive_of(const SourceLine& line);
  /// Index of the line that closes the block opened at `start`; lines.size() when it is missing.
  [[nodiscard]] static std::size_t find_end(const Lines& lines, std::size_t start, std::string_view open,
                                            std::string_view close);
  [[nodiscard]] std::size_t process_repeat(const Lines& lines, std::size_t start, const Expansion* expansion);
  void repeat(const SourceLine& head, const Lines& body, const Expansion* expansion);
  [[nodiscard]] std::size_t define_macro(const Lines& lines, std::size_t start, const Expansion* expansion);
  void read_macro_head(const SourceLine& head, std::string& name, Macro& macro) const;
  [[nodiscard]] bool expand_macro(Cursor& cursor, LineReference where);
  [[nodiscard]] const SourceLine* substituted(LineReference where,
                                              const std::vector<std::pair<std::string, std::string>>& arguments);

  // directives.cpp
  void directive(Cursor& cursor, LineReference where);
  void directive_entry(Cursor& cursor, LineReference where);
  void directive_arch(Cursor& cursor, LineReference where);
  void directive_equ(Cursor& cursor, LineReference where);
  void directive_alias(Cursor& cursor, LineReference where);
  void directive_param(Cursor& cursor, LineReference where);
  void directive_shared(Cursor& cursor, LineReference where);
  void directive_reg(Cursor& cursor, LineReference where);
  void directive_smem(Cursor& cursor, LineReference where);
  void directive_lmem(Cursor& cursor, LineReference where);
  void directive_bar(Cursor& cursor, LineReference where);
  void directive_const(Cursor& cursor, LineReference where);
  void directive_unaligned(Cursor& cursor, LineReference where);
  void raw_words(Cursor& cursor, LineReference where);
  void declare(Cursor& cursor, LineReference where, KernelBuilder::Resource resource, std::int64_t minimum,
               std::int64_t maximum, std::string_view what);

  Module module_;
  std::deque<SourceLine> lines_;  ///< of the file and of expansions; addresses stay valid
  std::deque<Expansion> expansions_;
  Symbols symbols_;
  std::map<std::string, Macro, std::less<>> macros_;
  std::optional<KernelBuilder> kernel_;
  std::unordered_set<std::string> kernel_names_;
  bool body_open_ = false;  ///< '{' seen
  bool decuda_ = false;     ///< the file is decuda's own output
  std::map<std::pair<std::uint8_t, bool>, std::uint32_t>
      constant_end_;  ///< next free byte of a bank, per file or kernel
  std::vector<Diagnostic> diagnostics_;
  std::set<std::string> reported_;
  AssemblerLimits limits_;
  std::uint64_t processed_lines_ = 0;
  std::uint64_t expanded_characters_ = 0;
  std::uint64_t mistakes_ = 0;  ///< reported, repeated ones included
  std::uint64_t macro_uses_ = 0;
  unsigned depth_ = 0;
};

}  // namespace teslasim::text

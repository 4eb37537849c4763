// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/assembler.h"
#include "frontend/text/decuda_dialect.h"
#include "sim/base/text_file.h"
#include "sim/base/utf8.h"

namespace teslasim::text {
namespace {

constexpr std::size_t most_diagnostics = 200;

/// Ends the run after an error that makes going on pointless.
struct GiveUp {};

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

Assembly::Assembly(std::string_view text, std::string path, const AssemblerLimits& limits) : limits_(limits) {
  module_.path = std::move(path);
  module_.source_lines = split_lines(text);
  decuda_ = looks_like_decuda(text);
}

void Assembly::warn_of_corrections(const std::vector<std::string>& corrections) {
  constexpr std::size_t most_named = 8;
  if (corrections.empty()) return;
  Diagnostic warning;
  warning.severity = Diagnostic::Severity::warning;
  warning.code = "ASM-DECUDA";
  warning.message = fmt::format("{} line{} of decuda's text known to be wrong {} corrected", corrections.size(),
                                corrections.size() == 1 ? "" : "s", corrections.size() == 1 ? "was" : "were");
  warning.where.file = module_.path;
  const std::size_t named = std::min(corrections.size(), most_named);
  warning.details.assign(corrections.begin(), corrections.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < corrections.size()) warning.details.push_back(fmt::format("and {} more", corrections.size() - named));
  warning.help =
      "if this is not decuda's output, write '.arch sm_10' at its top: then every line is taken as it stands";
  module_.warnings.push_back(std::move(warning));
}

Module Assembly::run() {
  Lines all;
  std::vector<std::string> corrections;
  for (std::size_t i = 0; i < module_.source_lines.size(); ++i) {
    const std::string_view text = without_comment(module_.source_lines[i]);
    DecudaLine line = decuda_ ? corrected_decuda_line(text) : DecudaLine{std::string(text), ""};
    if (!line.remark.empty()) corrections.push_back(fmt::format("line {}: {}", i + 1, line.remark));
    lines_.push_back({std::move(line.text), static_cast<std::uint32_t>(i + 1), false});
    all.push_back(&lines_.back());
  }
  warn_of_corrections(corrections);
  try {
    process(all, nullptr);
    if (kernel_) {
      report({"ASM-SYNTAX", fmt::format("kernel '{}' is not closed", kernel_->name()), "add '}' after its last line", 0,
              1},
             kernel_->where());
    } else if (module_.kernels.empty() && diagnostics_.empty()) {
      const SourceLine empty{"", 1, false};
      report({"ASM-END", "the file has no kernel", "a kernel is '.entry name', '{', instructions, '}'", 1, 1},
             {&empty, nullptr});
    }
  } catch (const GiveUp&) {
  }
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::pair(left.where.line, left.where.column) < std::pair(right.where.line, right.where.column);
  });
  if (!diagnostics_.empty()) throw InputError(ExitCode::input, std::move(diagnostics_));
  return std::move(module_);
}

void Assembly::report(const TextError& error, LineReference where) {
  Diagnostic diagnostic = diagnose(error, where, module_.path, module_.source_lines);
  // A mistake inside .rept appears once, not once per repetition.
  if (kernel_) kernel_->mark_incomplete();
  ++mistakes_;
  const std::string key =
      fmt::format("{}:{}:{}:{}", diagnostic.where.line, diagnostic.where.column, diagnostic.code, diagnostic.message);
  if (!reported_.insert(key).second) return;
  diagnostics_.push_back(std::move(diagnostic));
  if (diagnostics_.size() >= most_diagnostics) throw GiveUp{};
}

void Assembly::give_up(const std::string& message, LineReference where) {
  report({"ASM-LIMIT", message, "check the counts of .rept, and macros that use macros", 0, 1}, where);
  throw GiveUp{};
}

void Assembly::count_lines(LineReference where, std::uint64_t lines) {
  processed_lines_ += lines;
  if (processed_lines_ > limits_.lines)
    give_up(fmt::format("the text expands to more than {} lines", limits_.lines), where);
}

void Assembly::process(const Lines& lines, const Expansion* expansion) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view word = directive_of(*lines[i]);
    if (word == ".rept") {
      i = process_repeat(lines, i, expansion);
    } else if (word == ".macro") {
      i = define_macro(lines, i, expansion);
    } else {
      process_statement({lines[i], expansion});
    }
  }
}

void Assembly::process_statement(LineReference where) {
  count_lines(where);
  const std::string& text = where.line->text;
  const std::size_t foreign = first_not_utf8(text);
  if (foreign != std::string::npos)
    report({"INPUT-ENCODING", "this byte is not UTF-8",
            "save the file as UTF-8; other encodings are possible in comments only",
            static_cast<std::uint32_t>(foreign + 1), 1},
           where);
  try {
    if (text.size() > longest_line)
      fail("ASM-LIMIT", {}, fmt::format("the line is longer than {} characters", longest_line));
    const std::size_t backslash = text.find('\\');
    if (backslash != std::string::npos) {
      Cursor cursor(text);
      cursor.advance(backslash + 1);
      const std::string_view word = cursor.take_word();
      fail("ASM-MACRO", cursor.span_from(backslash),
           fmt::format("'\\{}' is not an argument of a macro or .rept here", word),
           "\\name is replaced inside .macro and .rept only");
    }
    Cursor cursor(text);
    statement(cursor, where);
  } catch (const TextError& error) {
    report(error, where);
  }
}

void Assembly::statement(Cursor& cursor, LineReference where) {
  take_labels(cursor, where);
  if (cursor.at_end()) return;
  if (cursor.accept("{")) {
    if (!kernel_ || body_open_)
      fail("ASM-SYNTAX", {cursor.column() - 1, 1}, "'{' without .entry", "write .entry NAME before it");
    body_open_ = true;
    cursor.expect_end();
    return;
  }
  if (cursor.accept("}")) {
    if (!kernel_) fail("ASM-SYNTAX", {cursor.column() - 1, 1}, "'}' without an open kernel");
    cursor.expect_end();
    close_kernel(where);
    return;
  }
  if (cursor.look() == '.') {
    directive(cursor, where);
    return;
  }
  if (expand_macro(cursor, where)) return;
  add_instruction(cursor, where);
}

void Assembly::take_labels(Cursor& cursor, LineReference where) {
  while (is_word_character(cursor.peek())) {
    const std::size_t start = cursor.position();
    const std::string_view word = cursor.take_word();
    const Span span = cursor.span_from(start);
    if (cursor.peek() != ':') {
      cursor.rewind(start);
      return;
    }
    cursor.advance();
    if (word.front() >= '0' && word.front() <= '9')
      fail("ASM-LABEL", span, fmt::format("'{}' is not a label: a label starts with a letter", word));
    KernelBuilder& kernel = open_kernel("a label", span);
    if (!kernel.define_label(word, where))
      fail("ASM-LABEL", span, fmt::format("label '{}' is defined twice", word),
           fmt::format("the first definition is in line {}{}", kernel.label_line(word),
                       where.expansion == nullptr ? "" : "; in a macro write \\@ in the name, in .rept \\+"));
  }
}

KernelBuilder& Assembly::open_kernel(std::string_view what, Span span) {
  if (!kernel_)
    fail("ASM-SYNTAX", span, fmt::format("{} outside of a kernel", what), "write .entry NAME and '{' before it");
  if (!body_open_)
    fail("ASM-SYNTAX", span, fmt::format("{} before the '{{' of the kernel", what), "write '{' after .entry NAME");
  return *kernel_;
}

void Assembly::add_instruction(Cursor& cursor, LineReference where) {
  const std::string_view text = cursor.text();
  if (text.substr(cursor.position()).starts_with("d.")) {
    raw_words(cursor, where);
    return;
  }
  ParsedInstruction parsed = parse_instruction(cursor, symbols_, module_.sm);
  KernelBuilder& kernel = open_kernel("an instruction", parsed.where);
  kernel.add(std::move(parsed), where);
}

void Assembly::close_kernel(LineReference where) {
  std::vector<PlacedError> errors;
  module_.kernels.push_back(kernel_->finish(where, errors));
  kernel_.reset();
  body_open_ = false;
  symbols_.leave_kernel();
  std::erase_if(constant_end_, [](const auto& entry) { return entry.first.second; });
  for (const PlacedError& error : errors) {
    if (error.warning) {
      Diagnostic warning = diagnose(error.error, error.where, module_.path, module_.source_lines);
      warning.severity = Diagnostic::Severity::warning;
      module_.warnings.push_back(std::move(warning));
    } else {
      report(error.error, error.where);
    }
  }
}

}  // namespace teslasim::text

namespace teslasim {

Module assemble_text(std::string_view text, const std::string& path, const AssemblerLimits& limits) {
  return text::Assembly(text, path, limits).run();
}

Module assemble_file(const std::string& path) {
  const TextFile file = read_text_file(path);
  if (file.error.empty()) return assemble_text(file.text, path);
  Diagnostic diagnostic;
  diagnostic.code = "INPUT-FILE";
  diagnostic.message = fmt::format("the file '{}' cannot be read: {}", path, file.error);
  diagnostic.where.file = path;
  diagnostic.help = "check the name";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

}  // namespace teslasim

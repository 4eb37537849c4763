// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/assembly.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/text/assembler.h"
#include "frontend/text/decuda_dialect.h"
#include "sim/base/text_file.h"
#include "sim/base/utf8.h"

namespace teslasim::text {
Assembly::Assembly(std::string_view text, std::string path, const AssemblerLimits& limits)
    : decuda_(looks_like_decuda(text)),
      builder_(text, std::move(path), limits),
      expander_(builder_, [this](const SourceLines& lines, const Expansion* expansion) { process(lines, expansion); }) {
}

void Assembly::warn_of_corrections(const std::vector<std::string>& corrections) {
  constexpr std::size_t most_named = 8;
  if (corrections.empty()) return;
  Diagnostic warning;
  warning.code = "ASM-DECUDA";
  warning.message = fmt::format("{} line{} of decuda's text known to be wrong {} corrected", corrections.size(),
                                corrections.size() == 1 ? "" : "s", corrections.size() == 1 ? "was" : "were");
  warning.where.file = builder_.module().path;
  const std::size_t named = std::min(corrections.size(), most_named);
  warning.details.assign(corrections.begin(), corrections.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < corrections.size()) warning.details.push_back(fmt::format("and {} more", corrections.size() - named));
  warning.help =
      "if this is not decuda's output, write '.arch sm_10' at its top: then every line is taken as it stands";
  builder_.warn(std::move(warning));
}

void Assembly::take_lines() {
  std::vector<std::string> corrections;
  const std::vector<std::string>& source = builder_.module().source_lines;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view text = without_comment(source[i]);
    DecudaLine line = decuda_ ? corrected_decuda_line(text) : DecudaLine{std::string(text), ""};
    if (!line.remark.empty()) corrections.push_back(fmt::format("line {}: {}", i + 1, line.remark));
    lines_.push_back({std::move(line.text), static_cast<std::uint32_t>(i + 1), false});
  }
  warn_of_corrections(corrections);
}

Module Assembly::run() {
  take_lines();
  SourceLines all;
  for (const SourceLine& line : lines_) all.push_back(&line);
  try {
    process(all, nullptr);
    check_end();
  } catch (const GiveUp&) {
  }
  return builder_.finish();
}

void Assembly::check_end() {
  if (const KernelBuilder* kernel = builder_.unfinished_kernel()) {
    builder_.report(
        {"ASM-SYNTAX", fmt::format("kernel '{}' is not closed", kernel->name()), "add '}' after its last line", 0, 1},
        kernel->where());
  } else if (builder_.module().kernels.empty() && builder_.mistakes() == 0) {
    const SourceLine empty{"", 1, false};
    builder_.report({"ASM-END", "the file has no kernel", "a kernel is '.entry name', '{', instructions, '}'", 1, 1},
                    {&empty, nullptr});
  }
}

void Assembly::process(const SourceLines& lines, const Expansion* expansion) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view word = directive_of(*lines[i]);
    if (word == ".rept") {
      i = expander_.process_repeat(lines, i, expansion);
    } else if (word == ".macro") {
      i = expander_.define_macro(lines, i, expansion);
    } else {
      process_statement({lines[i], expansion});
    }
  }
}

void Assembly::process_statement(LineReference where) {
  builder_.count_lines(where);
  const std::string& text = where.line->text;
  const std::size_t foreign = first_not_utf8(text);
  if (foreign != std::string::npos)
    builder_.report({"INPUT-ENCODING", "this byte is not UTF-8",
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
    builder_.report(error, where);
  }
}

void Assembly::statement(Cursor& cursor, LineReference where) {
  take_labels(cursor, where);
  if (cursor.at_end()) return;
  if (cursor.accept("{")) {
    if (builder_.unfinished_kernel() == nullptr || builder_.body_open())
      fail("ASM-SYNTAX", {cursor.column() - 1, 1}, "'{' without .entry", "write .entry NAME before it");
    builder_.open_body();
    cursor.expect_end();
    return;
  }
  if (cursor.accept("}")) {
    if (builder_.unfinished_kernel() == nullptr)
      fail("ASM-SYNTAX", {cursor.column() - 1, 1}, "'}' without an open kernel");
    cursor.expect_end();
    builder_.close_kernel(where);
    return;
  }
  if (cursor.look() == '.') {
    directives_.run(cursor, where);
    return;
  }
  if (expander_.expand_macro(cursor, where)) return;
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
    KernelBuilder& kernel = builder_.open_kernel("a label", span);
    if (!kernel.define_label(word, where))
      fail("ASM-LABEL", span, fmt::format("label '{}' is defined twice", word),
           fmt::format("the first definition is in line {}{}", kernel.label_line(word),
                       where.expansion == nullptr ? "" : "; in a macro write \\@ in the name, in .rept \\+"));
  }
}

void Assembly::add_instruction(Cursor& cursor, LineReference where) {
  const std::string_view text = cursor.text();
  if (text.substr(cursor.position()).starts_with("d.")) {
    directives_.raw_words(cursor, where);
    return;
  }
  ParsedInstruction parsed = parse_instruction(cursor, builder_.symbols(), builder_.module().sm);
  KernelBuilder& kernel = builder_.open_kernel("an instruction", parsed.where);
  kernel.add(std::move(parsed), where);
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

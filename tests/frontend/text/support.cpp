// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/text/support.h"

#include <fmt/format.h>

#include "frontend/text/assembler.h"
#include "frontend/text/instruction_parser.h"

namespace teslasim::test {

Instruction instruction(const std::string& line, unsigned sm) {
  text::Cursor cursor(line);
  const text::Symbols symbols;
  return text::parse_instruction(cursor, symbols, static_cast<std::uint8_t>(sm)).instruction;
}

std::string line_error(const std::string& line, unsigned sm) {
  try {
    (void)instruction(line, sm);
  } catch (const text::TextError& error) {
    return fmt::format("{} '{}' {}", error.code, line.substr(error.column - 1, error.length), error.message);
  }
  return "";
}

Kernel kernel(const std::string& body) {
  Module module = assemble_text(".entry test {\n" + body + "\n}\n", "test.asm");
  return module.kernels.at(0);
}

std::vector<Diagnostic> diagnostics(const std::string& text) {
  try {
    (void)assemble_text(text, "test.asm");
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

namespace {
std::vector<std::string> places_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> result;
  for (const Diagnostic& d : diagnostics)
    result.push_back(fmt::format("{}@{}:{}+{}", d.code, d.where.line, d.where.column, d.where.length));
  return result;
}
}  // namespace

std::vector<std::string> places(const std::string& text) {
  return places_of(diagnostics(text));
}

std::vector<std::string> warned_places(const std::string& text) {
  return places_of(assemble_text(text, "test.asm").warnings);
}

std::string underlined(const Diagnostic& diagnostic) {
  return diagnostic.excerpt.substr(diagnostic.where.column - 1, diagnostic.where.length);
}

}  // namespace teslasim::test

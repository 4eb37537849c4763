// SPDX-License-Identifier: Apache-2.0
// All directives but .rept and .macro.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "frontend/text/assembly.h"
#include "frontend/text/expression.h"
#include "frontend/text/operand_parser.h"
#include "isa/encoding/encoding.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

using Resource = KernelBuilder::Resource;

constexpr std::int64_t shared_memory_bytes = 16 * 1024;
constexpr std::int64_t local_memory_bytes = 64 * 1024;
constexpr std::int64_t most_registers = 128;
constexpr std::int64_t most_barriers = 16;

Span take_name(Cursor& cursor, std::string_view what, std::string& name) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  name = cursor.expect_name(what);
  return cursor.span_from(start);
}

}  // namespace

void Assembly::directive(Cursor& cursor, LineReference where) {
  struct Row {
    std::string_view word;
    Directive run;
  };
  static constexpr std::array<Row, 12> rows{{{"entry", &Assembly::directive_entry},
                                             {"arch", &Assembly::directive_arch},
                                             {"equ", &Assembly::directive_equ},
                                             {"alias", &Assembly::directive_alias},
                                             {"param", &Assembly::directive_param},
                                             {"shared", &Assembly::directive_shared},
                                             {"reg", &Assembly::directive_reg},
                                             {"smem", &Assembly::directive_smem},
                                             {"lmem", &Assembly::directive_lmem},
                                             {"bar", &Assembly::directive_bar},
                                             {"const", &Assembly::directive_const},
                                             {"unaligned", &Assembly::directive_unaligned}}};
  const std::size_t start = cursor.position();
  cursor.advance();
  const std::string_view word = cursor.take_word();
  const auto found = std::find_if(rows.begin(), rows.end(), [word](const Row& row) { return row.word == word; });
  if (found != rows.end()) {
    (this->*found->run)(cursor, where);
    return;
  }
  const Span span = cursor.span_from(start);
  if (word == "endr" || word == "endm")
    fail("ASM-DIRECTIVE", span, fmt::format(".{} without {}", word, word == "endr" ? ".rept" : ".macro"));
  if (word == "rept" || word == "macro")
    fail("ASM-DIRECTIVE", span, fmt::format(".{} must stand on a line of its own", word));
  std::vector<std::string> names{"rept", "endr", "macro", "endm"};
  for (const Row& row : rows) names.emplace_back(row.word);
  const std::string near = nearest_word(std::string(word), names);
  fail("ASM-DIRECTIVE", span, fmt::format("unknown directive '.{}'", word),
       near.empty() ? "see docs/assembly.md for the list" : fmt::format("did you mean '.{}'?", near));
}

void Assembly::directive_entry(Cursor& cursor, LineReference where) {
  std::string name;
  cursor.skip_space();
  const std::size_t start = cursor.position();
  name = cursor.accept("\"") ? cursor.expect_quoted("the name of the kernel")
                             : std::string(cursor.expect_name("the name of the kernel"));
  const Span span = cursor.span_from(start);
  if (name.find_first_of(" \t{}=") != std::string::npos)
    fail("ASM-SYNTAX", span, "the name of a kernel is one word without blanks, braces and '='",
         "text cubins and traces could not hold it");
  const bool brace = cursor.accept("{");
  cursor.expect_end();
  if (kernel_) {
    report({"ASM-SYNTAX", fmt::format("kernel '{}' is not closed", kernel_->name()),
            fmt::format("add '}}' to the kernel that begins in line {}", kernel_->where().reported_line()), span.column,
            span.length},
           where);
    close_kernel(where);
  }
  const bool taken = !kernel_names_.insert(name).second;
  kernel_.emplace(name, where);
  symbols_.enter_kernel();
  body_open_ = brace;
  if (taken)
    fail("ASM-DIRECTIVE", span, fmt::format("kernel '{}' is defined twice", name),
         "kernels of one file have different names");
}

void Assembly::directive_arch(Cursor& cursor, LineReference) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.take_word();
  const Span span = cursor.span_from(start);
  if (word.size() != 5 || !word.starts_with("sm_1") || word[4] < '0' || word[4] > '3')
    fail("ASM-DIRECTIVE", span, fmt::format("unknown architecture '{}'", word), "write sm_10, sm_11, sm_12 or sm_13");
  if (kernel_ || !module_.kernels.empty()) fail("ASM-DIRECTIVE", span, ".arch must come before the first kernel");
  cursor.expect_end();
  module_.sm = static_cast<std::uint8_t>(10 + (word[4] - '0'));
}

void Assembly::directive_equ(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "a name", name);
  if (!cursor.accept(",") && !cursor.accept("="))
    fail("ASM-SYNTAX", cursor.here(), "expected ',' after the name", "write .equ NAME, VALUE");
  const Value value = parse_expression(cursor, symbols_);
  cursor.expect_end();
  const auto known = symbols_.find(name);
  if ((known && known->kind != Symbol::Kind::constant) || !symbols_.alias(name).empty())
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  symbols_.define(name, {Symbol::Kind::constant, value.number, value.is_float});
}

void Assembly::directive_alias(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "a name", name);
  if (!cursor.accept(",") && !cursor.accept("=")) cursor.expect(",", "the name");
  const ParsedOperand operand = parse_operand(cursor, symbols_);
  cursor.expect_end();
  const bool is_register = operand.is(Operand::Kind::gpr) || operand.is(Operand::Kind::address);
  if (!is_register || operand.operand.negate || operand.operand.absolute || operand.operand.invert)
    fail("ASM-DIRECTIVE", operand.where, "an alias stands for a register",
         "write .alias NAME, $r5 or .alias NAME, $ofs1");
  if (symbols_.find(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  constexpr std::array<std::string_view, 3> halves{"", ".lo", ".hi"};
  const std::string_view letters = operand.is(Operand::Kind::gpr) ? "$r" : "$ofs";
  symbols_.define_alias(name, fmt::format("{}{}{}", letters, operand.operand.index,
                                          halves[static_cast<std::size_t>(operand.operand.half)]));
}

void Assembly::directive_param(Cursor& cursor, LineReference) {
  std::string word;
  const Span type_span = take_name(cursor, "the type of the parameter", word);
  KernelBuilder& kernel = open_kernel(".param", type_span);
  const auto type = word == "ptr" ? std::optional(ValueType::u32) : parse_type(word);
  if (!type || bytes_of(*type) > 8)
    fail("ASM-TYPE", type_span, fmt::format("unknown parameter type '{}'", word),
         "write .param u32 NAME, .param ptr NAME");
  std::string name;
  const Span span = take_name(cursor, "the name of the parameter", name);
  cursor.expect_end();
  if (kernel.has_shared_variables())
    fail("ASM-DIRECTIVE", span, ".param after .shared", "parameters come first in shared memory: move it up");
  if (symbols_.known(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  const auto address = kernel.add_parameter(name, *type);
  if (!address)
    fail("ASM-RANGE", span, "the parameters take more than 256 bytes", "pass a pointer to a buffer instead");
  symbols_.define(name, {Symbol::Kind::parameter, *address, false});
}

void Assembly::directive_shared(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "the name of the variable", name);
  KernelBuilder& kernel = open_kernel(".shared", span);
  cursor.expect(",", "the name");
  const Value bytes = parse_expression(cursor, symbols_);
  const std::int64_t size = checked(bytes, 0, shared_memory_bytes, "the size");
  std::int64_t alignment = 4;
  if (cursor.accept(",")) {
    const Value value = parse_expression(cursor, symbols_);
    alignment = checked(value, 1, 1024, "the alignment");
    if ((alignment & (alignment - 1)) != 0) fail("ASM-RANGE", value.where, "the alignment is not a power of two");
  }
  cursor.expect_end();
  if (symbols_.known(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  const std::uint32_t address =
      kernel.add_shared(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(alignment));
  if (address + size > shared_memory_bytes)
    fail("ASM-RANGE", bytes.where, fmt::format("shared memory ends at {} bytes", shared_memory_bytes));
  symbols_.define(name, {Symbol::Kind::shared, address, false});
}

void Assembly::declare(Cursor& cursor, LineReference where, KernelBuilder::Resource resource, std::int64_t minimum,
                       std::int64_t maximum, std::string_view what) {
  KernelBuilder& kernel = open_kernel(what, cursor.here());
  const Value value = parse_expression(cursor, symbols_);
  const std::int64_t number = checked(value, minimum, maximum, what);
  cursor.expect_end();
  kernel.declare(resource, static_cast<std::uint32_t>(number), where, value.where);
}

void Assembly::directive_reg(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::registers, 0, most_registers, "the register count");
}
void Assembly::directive_smem(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::shared, 0, shared_memory_bytes, "the shared memory size");
}
void Assembly::directive_lmem(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::local, 0, local_memory_bytes, "the local memory size");
}
void Assembly::directive_bar(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::barriers, 0, most_barriers, "the barrier count");
}

/// For code of assemblers that do not align long instructions.
void Assembly::directive_unaligned(Cursor& cursor, LineReference) {
  cursor.expect_end();
  open_kernel(".unaligned", cursor.here()).allow_odd_addresses();
}

/// d.u32 W0, W1, ...: instruction words, decoded.
void Assembly::raw_words(Cursor& cursor, LineReference where) {
  const std::size_t start = cursor.position();
  if (!cursor.accept("d.u32") && !cursor.accept("d.b32"))
    fail("ASM-SYNTAX", cursor.here(), "raw words are written 'd.u32 0x..., 0x...'");
  std::vector<std::uint32_t> words;
  do {
    const Value value = parse_expression(cursor, symbols_);
    words.push_back(static_cast<std::uint32_t>(checked(value, 0, 0xffffffffLL, "the word")));
  } while (cursor.accept(","));
  cursor.expect_end();
  const Span span = cursor.span_from(start);
  KernelBuilder& kernel = open_kernel("an instruction", span);
  for (std::size_t i = 0; i < words.size();) {
    const bool is_long = encoded_bytes(words[i]) == 8;
    if (is_long && i + 1 == words.size()) fail("ASM-OPERAND", span, "the second word of a long instruction is missing");
    const std::uint32_t second = is_long ? words[i + 1] : 0;
    const auto decoded = decode(words[i], second, module_.sm);
    if (!decoded) {
      const unsigned level = first_sm_that_decodes(words[i], second);
      fail(level > module_.sm ? "ISA-LEVEL" : "ASM-OPCODE", span,
           fmt::format("{:08x} {:08x} is not an instruction of sm_{}", words[i], second, module_.sm),
           level > module_.sm ? fmt::format("write '.arch sm_{}' before the first kernel", level) : "");
    }
    kernel.add({*decoded, "", {}, span}, where);
    i += is_long ? 2 : 1;
  }
}

}  // namespace teslasim::text

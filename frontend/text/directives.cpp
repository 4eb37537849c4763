// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

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

void Directives::run(Cursor& cursor, LineReference where) {
  struct Row {
    std::string_view word;
    Directive run;
  };
  static constexpr std::array<Row, 12> rows{{{"entry", &Directives::entry},
                                             {"arch", &Directives::arch},
                                             {"equ", &Directives::equ},
                                             {"alias", &Directives::alias},
                                             {"param", &Directives::param},
                                             {"shared", &Directives::shared},
                                             {"reg", &Directives::reg},
                                             {"smem", &Directives::smem},
                                             {"lmem", &Directives::lmem},
                                             {"bar", &Directives::bar},
                                             {"const", &Directives::constants},
                                             {"unaligned", &Directives::unaligned}}};
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

void Directives::entry(Cursor& cursor, LineReference where) {
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
  builder_.begin_kernel(name, where, span);
  if (brace) builder_.open_body();
}

void Directives::arch(Cursor& cursor, LineReference) {
  cursor.skip_space();
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.take_word();
  const Span span = cursor.span_from(start);
  if (word.size() != 5 || !word.starts_with("sm_1") || word[4] < '0' || word[4] > '3')
    fail("ASM-DIRECTIVE", span, fmt::format("unknown architecture '{}'", word), "write sm_10, sm_11, sm_12 or sm_13");
  if (builder_.unfinished_kernel() != nullptr || !builder_.module().kernels.empty())
    fail("ASM-DIRECTIVE", span, ".arch must come before the first kernel");
  cursor.expect_end();
  builder_.module().sm = static_cast<std::uint8_t>(10 + (word[4] - '0'));
}

void Directives::equ(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "a name", name);
  if (!cursor.accept(",") && !cursor.accept("="))
    fail("ASM-SYNTAX", cursor.here(), "expected ',' after the name", "write .equ NAME, VALUE");
  const Value value = parse_expression(cursor, builder_.symbols());
  cursor.expect_end();
  const auto known = builder_.symbols().find(name);
  if ((known && known->kind != Symbol::Kind::constant) || !builder_.symbols().alias(name).empty())
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  builder_.symbols().define(name, {Symbol::Kind::constant, value.number, value.is_float});
}

void Directives::alias(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "a name", name);
  if (!cursor.accept(",") && !cursor.accept("=")) cursor.expect(",", "the name");
  const ParsedOperand operand = parse_operand(cursor, builder_.symbols());
  cursor.expect_end();
  const bool is_register = operand.is(Operand::Kind::gpr) || operand.is(Operand::Kind::address);
  if (!is_register || operand.operand.negate || operand.operand.absolute || operand.operand.invert)
    fail("ASM-DIRECTIVE", operand.where, "an alias stands for a register",
         "write .alias NAME, $r5 or .alias NAME, $ofs1");
  if (builder_.symbols().find(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  constexpr std::array<std::string_view, 3> halves{"", ".lo", ".hi"};
  const std::string_view letters = operand.is(Operand::Kind::gpr) ? "$r" : "$ofs";
  builder_.symbols().define_alias(name, fmt::format("{}{}{}", letters, operand.operand.index,
                                                    halves[static_cast<std::size_t>(operand.operand.half)]));
}

void Directives::param(Cursor& cursor, LineReference) {
  std::string word;
  const Span type_span = take_name(cursor, "the type of the parameter", word);
  KernelBuilder& kernel = builder_.open_kernel(".param", type_span);
  if (word == "bytes") return placed_parameter(cursor, kernel);
  const auto type = word == "ptr" ? std::optional(ValueType::u32) : parse_type(word);
  if (!type || bytes_of(*type) > 8)
    fail("ASM-TYPE", type_span, fmt::format("unknown parameter type '{}'", word),
         "write .param u32 NAME, .param ptr NAME, .param bytes NAME, BYTES, ADDRESS");
  std::string name;
  const Span span = take_name(cursor, "the name of the parameter", name);
  cursor.expect_end();
  if (kernel.has_shared_variables())
    fail("ASM-DIRECTIVE", span, ".param after .shared", "parameters come first in shared memory: move it up");
  if (builder_.symbols().known(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  const auto address = kernel.add_parameter(name, *type);
  if (!address)
    fail("ASM-RANGE", span, "the parameters take more than 256 bytes", "pass a pointer to a buffer instead");
  builder_.symbols().define(name, {Symbol::Kind::parameter, *address, false});
}

/// `.param bytes NAME, BYTES, ADDRESS`: as binaries describe parameters, which launches then match by place.
void Directives::placed_parameter(Cursor& cursor, KernelBuilder& kernel) {
  std::string name;
  const Span span = take_name(cursor, "the name of the parameter", name);
  cursor.expect(",", "the name");
  const std::int64_t bytes = checked(parse_expression(cursor, builder_.symbols()), 1, shared_memory_bytes, "the size");
  cursor.expect(",", "the size");
  const Value place = parse_expression(cursor, builder_.symbols());
  const std::int64_t address = checked(place, launch_header_bytes, shared_memory_bytes - bytes, "the address");
  cursor.expect_end();
  if (builder_.symbols().known(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  if (!kernel.place_parameter(name, static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(bytes)))
    fail("ASM-RANGE", place.where, "this parameter begins within the one before",
         "parameters stand in the order of their addresses");
  builder_.symbols().define(name, {Symbol::Kind::parameter, static_cast<std::uint32_t>(address), false});
}

void Directives::shared(Cursor& cursor, LineReference) {
  std::string name;
  const Span span = take_name(cursor, "the name of the variable", name);
  KernelBuilder& kernel = builder_.open_kernel(".shared", span);
  cursor.expect(",", "the name");
  const Value bytes = parse_expression(cursor, builder_.symbols());
  const std::int64_t size = checked(bytes, 0, shared_memory_bytes, "the size");
  std::int64_t alignment = 4;
  if (cursor.accept(",")) {
    const Value value = parse_expression(cursor, builder_.symbols());
    alignment = checked(value, 1, 1024, "the alignment");
    if ((alignment & (alignment - 1)) != 0) fail("ASM-RANGE", value.where, "the alignment is not a power of two");
  }
  cursor.expect_end();
  if (builder_.symbols().known(name))
    fail("ASM-SYMBOL", span, fmt::format("'{}' is already defined", name), "choose another name");
  const std::uint32_t address =
      kernel.add_shared(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(alignment));
  if (address + size > shared_memory_bytes)
    fail("ASM-RANGE", bytes.where, fmt::format("shared memory ends at {} bytes", shared_memory_bytes));
  builder_.symbols().define(name, {Symbol::Kind::shared, address, false});
}

void Directives::declare(Cursor& cursor, LineReference where, KernelBuilder::Resource resource, std::int64_t minimum,
                         std::int64_t maximum, std::string_view what) {
  KernelBuilder& kernel = builder_.open_kernel(what, cursor.here());
  const Value value = parse_expression(cursor, builder_.symbols());
  const std::int64_t number = checked(value, minimum, maximum, what);
  cursor.expect_end();
  kernel.declare(resource, static_cast<std::uint32_t>(number), where, value.where);
}

void Directives::reg(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::registers, 0, most_registers, "the register count");
}
void Directives::smem(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::shared, 0, shared_memory_bytes, "the shared memory size");
}
void Directives::lmem(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::local, 0, local_memory_bytes, "the local memory size");
}
void Directives::bar(Cursor& cursor, LineReference where) {
  declare(cursor, where, Resource::barriers, 0, most_barriers, "the barrier count");
}

void Directives::constants(Cursor& cursor, LineReference) {
  define_constants(cursor, builder_);
}

/// For code of assemblers that do not align long instructions.
void Directives::unaligned(Cursor& cursor, LineReference) {
  cursor.expect_end();
  builder_.open_kernel(".unaligned", cursor.here()).allow_odd_addresses();
}

void Directives::raw_words(Cursor& cursor, LineReference where) {
  const std::size_t start = cursor.position();
  if (!cursor.accept("d.u32") && !cursor.accept("d.b32"))
    fail("ASM-SYNTAX", cursor.here(), "raw words are written 'd.u32 0x..., 0x...'");
  std::vector<std::uint32_t> words;
  do {
    const Value value = parse_expression(cursor, builder_.symbols());
    words.push_back(static_cast<std::uint32_t>(checked(value, 0, 0xffffffffLL, "the word")));
  } while (cursor.accept(","));
  cursor.expect_end();
  const Span span = cursor.span_from(start);
  KernelBuilder& kernel = builder_.open_kernel("an instruction", span);
  for (std::size_t i = 0; i < words.size();) {
    const bool is_long = encoded_bytes(words[i]) == 8;
    if (is_long && i + 1 == words.size()) fail("ASM-OPERAND", span, "the second word of a long instruction is missing");
    const std::uint32_t second = is_long ? words[i + 1] : 0;
    const auto decoded = decode(words[i], second, builder_.module().sm);
    if (!decoded) {
      const unsigned level = first_sm_that_decodes(words[i], second);
      fail(level > builder_.module().sm ? "ISA-LEVEL" : "ASM-OPCODE", span,
           fmt::format("{:08x} {:08x} is not an instruction of sm_{}", words[i], second, builder_.module().sm),
           level > builder_.module().sm ? fmt::format("write '.arch sm_{}' before the first kernel", level) : "");
    }
    kernel.add({*decoded, "", {}, span}, where);
    i += is_long ? 2 : 1;
  }
}

}  // namespace teslasim::text

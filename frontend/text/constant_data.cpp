// SPDX-License-Identifier: Apache-2.0
// .const: bytes of constant memory.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <vector>

#include "frontend/text/directives.h"
#include "frontend/text/expression.h"
#include "isa/names.h"

namespace teslasim::text {
namespace {

constexpr std::int64_t bank_bytes = 65536;

/// One value of a .const list: in f32 and f64 lists whole decimal numbers are numbers, hexadecimal ones bit patterns.
std::uint64_t constant_bits(const Value& value, ValueType type) {
  if (type == ValueType::f32 && value.plain_decimal)
    return std::bit_cast<std::uint32_t>(static_cast<float>(value.number));
  if (type == ValueType::f64 && value.plain_decimal)
    return std::bit_cast<std::uint64_t>(static_cast<double>(value.number));
  if (type == ValueType::f64 && value.is_float) return std::bit_cast<std::uint64_t>(value.real);
  if (value.is_float && (type == ValueType::f32 || type == ValueType::b32 || type == ValueType::u32))
    return single_bits(value);
  if (value.is_float) fail("ASM-TYPE", value.where, fmt::format("a float in a list of .{}", type_name(type)));
  if ((type == ValueType::f32 || type == ValueType::f64) && !value.literal)
    fail("ASM-TYPE", value.where, fmt::format("a computed integer in a list of .{}", type_name(type)),
         "write a float, \\i for the repetition, or .b32 for bit patterns");
  const unsigned bits = bytes_of(type) * 8;
  if (bits < 64) {
    const std::int64_t minimum = -(std::int64_t{1} << (bits - 1));
    (void)checked(value, minimum, (std::int64_t{1} << bits) - 1, "the value");
  }
  return static_cast<std::uint64_t>(value.number);
}

/// c0..c15: the bank number, or -1 when `word` is not a bank.
int bank_number(std::string_view word) {
  if (word.size() < 2 || word.size() > 3 || word[0] != 'c') return -1;
  int number = 0;
  for (const char digit : word.substr(1)) {
    if (digit < '0' || digit > '9') return -1;
    number = number * 10 + (digit - '0');
  }
  return number < 16 ? number : -1;
}

std::vector<std::uint8_t> read_values(Cursor& cursor, const Symbols& symbols, ValueType type) {
  std::vector<std::uint8_t> bytes;
  do {
    const std::uint64_t bits = constant_bits(parse_expression(cursor, symbols), type);
    for (unsigned i = 0; i < bytes_of(type); ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  } while (cursor.accept(","));
  cursor.expect_end();
  return bytes;
}

}  // namespace

void define_constants(Cursor& cursor, ModuleBuilder& builder) {
  cursor.skip_space();
  std::size_t start = cursor.position();
  std::string name;
  std::string_view word = cursor.expect_name("a name or a constant bank");
  Span name_span = cursor.span_from(start);
  if (bank_number(word) < 0) {
    name = word;
    (void)cursor.accept("=");
    cursor.skip_space();
    start = cursor.position();
    word = cursor.take_word();
  }
  const int bank = bank_number(word);
  if (bank < 0)
    fail("ASM-DIRECTIVE", cursor.span_from(start),
         "constants are placed in c0 (whole file), c1 (this kernel) or another bank",
         "write .const c1[0] : u32 1, 2, 3");
  if (bank == 1) (void)builder.open_kernel("a constant of c1", cursor.span_from(start));
  KernelBuilder* kernel = builder.unfinished_kernel();
  // c0 is shared; other banks belong to the kernel in which they are written.
  const bool of_kernel = bank == 1 || (bank != 0 && kernel != nullptr);
  const auto number = static_cast<std::uint8_t>(bank);
  std::uint32_t& end = of_kernel ? kernel->constant_end(number) : builder.constant_end(number);
  std::optional<std::int64_t> offset;
  if (cursor.accept("[")) {
    offset = checked(parse_expression(cursor, builder.symbols()), 0, bank_bytes - 1, "the offset");
    cursor.expect("]", "the offset");
  }
  (void)cursor.accept(":");
  cursor.skip_space();
  start = cursor.position();
  const std::string_view type_word = cursor.expect_name("the type of the values");
  const auto type = parse_type(type_word);
  if (!type || bytes_of(*type) > 8 || *type == ValueType::f16)
    fail("ASM-TYPE", cursor.span_from(start), fmt::format("unknown type '{}'", type_word),
         "write u8, u16, u32, f32, f64 ...");
  const std::uint32_t size = bytes_of(*type);
  const std::uint32_t place = offset ? static_cast<std::uint32_t>(*offset) : (end + size - 1) / size * size;
  if (place % size != 0)
    fail("ASM-ALIGN", name_span, fmt::format("offset {:#x} is not a multiple of {}", place, size),
         "constants are naturally aligned");
  ConstantSegment segment{number, place, read_values(cursor, builder.symbols(), *type)};
  if (place + segment.bytes.size() > bank_bytes) fail("ASM-RANGE", name_span, "a constant bank has 65536 bytes");
  end = place + static_cast<std::uint32_t>(segment.bytes.size());
  if (!name.empty()) {
    const Symbol symbol{Symbol::Kind::bank_offset, place, false};
    if (builder.symbols().known(name))
      fail("ASM-SYMBOL", name_span, fmt::format("'{}' is already defined", name), "choose another name");
    if (of_kernel)
      builder.symbols().define(name, symbol);
    else
      builder.symbols().define_in_file(name, symbol);
  }
  (of_kernel ? kernel->constants() : builder.module().constants).push_back(std::move(segment));
}

}  // namespace teslasim::text

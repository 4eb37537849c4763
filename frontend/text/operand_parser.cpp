// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/operand_parser.h"

#include <fmt/format.h>

#include <optional>

#include "isa/names.h"
#include "sim/base/diagnostic.h"

namespace teslasim::text {
namespace {

using Kind = Operand::Kind;

struct RegisterName {
  Kind kind = Kind::none;  ///< gpr, address, flags, discard; none: texture or sampler
  ParsedOperand::Shape shape = ParsedOperand::Shape::operand;
  unsigned last = 0;  ///< highest number
};

std::optional<RegisterName> register_family(std::string_view letters) {
  using Shape = ParsedOperand::Shape;
  if (letters == "r") return RegisterName{Kind::gpr, Shape::operand, 127};
  if (letters == "p" || letters == "c") return RegisterName{Kind::flags, Shape::operand, 3};
  if (letters == "ofs" || letters == "a") return RegisterName{Kind::address, Shape::operand, 7};
  if (letters == "o") return RegisterName{Kind::discard, Shape::operand, 127};
  if (letters == "tex") return RegisterName{Kind::none, Shape::texture, 255};
  if (letters == "smp") return RegisterName{Kind::none, Shape::sampler, 31};
  return std::nullopt;
}

class OperandParser {
 public:
  OperandParser(Cursor& cursor, const Symbols& symbols) : cursor_(cursor), symbols_(symbols) {}

  ParsedOperand parse() {
    if (++depth_ > deepest_nesting) fail("ASM-SYNTAX", cursor_.here(), "the operand is nested too deeply");
    cursor_.skip_space();
    const std::size_t start = cursor_.position();
    ParsedOperand result = with_modifiers();
    result.where = cursor_.span_from(start);
    --depth_;
    return result;
  }

 private:
  static constexpr unsigned deepest_nesting = 4;

  ParsedOperand with_modifiers() {
    const std::size_t start = cursor_.position();
    if (cursor_.accept("~")) {
      if (!operand_follows()) return number_from(start);
      ParsedOperand inner = plain();
      inner.operand.invert = !inner.operand.invert;
      return inner;
    }
    if (cursor_.accept("-")) {
      if (!operand_follows()) return number_from(start);
      ParsedOperand inner = absolute_or_plain();
      inner.operand.negate = !inner.operand.negate;
      return inner;
    }
    return absolute_or_plain();
  }

  ParsedOperand absolute_or_plain() {
    if (!cursor_.accept("|")) return plain();
    ParsedOperand inner = plain();
    inner.operand.absolute = true;
    cursor_.expect("|", "the operand whose absolute value is taken");
    return inner;
  }

  ParsedOperand number_from(std::size_t start) {
    cursor_.rewind(start);
    return number();
  }

  /// After '-' or '~': is it an operand rather than an expression?
  bool operand_follows() {
    const char next = cursor_.peek();
    if (next == '$' || next == '|' || next == '%' || next == '{') return true;
    const std::size_t start = cursor_.position();
    const std::string_view word = cursor_.take_word();
    const bool memory = !word.empty() && cursor_.look() == '[';
    const bool alias = !symbols_.alias(word).empty();
    cursor_.rewind(start);
    return memory || alias;
  }

  ParsedOperand plain() {
    const char next = cursor_.peek();
    if (next == '$') return register_operand();
    if (next == '%') return special();
    if (next == '{') return group();
    if (next == '_' && !is_word_character(cursor_.look(1))) {
      cursor_.advance();
      return of_kind(Kind::discard);
    }
    const std::size_t start = cursor_.position();
    const std::string_view word = cursor_.take_word();
    if (!word.empty() && cursor_.look() == '[') return memory(word, start);
    const std::string_view alias = symbols_.alias(word);
    if (!alias.empty()) return aliased(alias);
    cursor_.rewind(start);
    return number();
  }

  static ParsedOperand of_kind(Kind kind) {
    ParsedOperand result;
    result.operand.kind = kind;
    return result;
  }

  ParsedOperand aliased(std::string_view meaning) {
    Cursor inner(meaning);
    ParsedOperand result = OperandParser(inner, symbols_).register_operand();
    read_half(cursor_, result.operand);
    return result;
  }

  ParsedOperand number() {
    ParsedOperand result;
    result.shape = ParsedOperand::Shape::number;
    result.value = parse_expression(cursor_, symbols_);
    result.operand.kind = Kind::immediate;
    if (cursor_.look() == '.') result.operand.negate = read_negation();
    return result;
  }

  /// `0x3f800000.neg`: the instruction negates the literal.
  bool read_negation() {
    const std::size_t start = cursor_.position();
    cursor_.advance();
    if (cursor_.take_word() == "neg") return true;
    fail("ASM-OPERAND", cursor_.span_from(start), "only '.neg' can follow a number",
         "write 0x3f800000.neg for a literal that the instruction negates");
  }

  ParsedOperand register_operand() {
    const std::size_t start = cursor_.position();
    cursor_.advance();
    const std::size_t letters_start = cursor_.position();
    while (is_word_character(cursor_.look()) && (cursor_.look() < '0' || cursor_.look() > '9')) cursor_.advance();
    const std::string_view letters = cursor_.text().substr(letters_start, cursor_.position() - letters_start);
    const auto family = register_family(letters);
    if (!family) {
      (void)cursor_.take_word();
      fail("ASM-REGISTER", cursor_.span_from(start), fmt::format("unknown register '{}'", spelling(start)),
           "registers are $r0-$r127, $p0-$p3, $ofs1-$ofs7, $o127, $tex0, $smp0");
    }
    ParsedOperand result;
    result.shape = family->shape;
    result.operand.kind = family->kind;
    const unsigned index = register_number(start, family->last);
    result.number = index;
    result.operand.index = static_cast<std::uint8_t>(index);
    if (family->kind == Kind::discard) {
      if (index != 127)
        fail("ASM-REGISTER", cursor_.span_from(start), "there are no output registers in compute programs",
             "the bit bucket is $o127 or _");
      result.operand.index = 0;
    }
    read_half(cursor_, result.operand);
    return result;
  }

  std::string spelling(std::size_t start) const {
    return std::string(cursor_.text().substr(start, cursor_.position() - start));
  }

  unsigned register_number(std::size_t start, unsigned last) {
    std::int64_t number = 0;
    if (cursor_.look() == '(') {
      cursor_.advance();
      number = parse_expression(cursor_, symbols_).number;
      cursor_.expect(")", "the register number");
    } else {
      const std::string_view digits = cursor_.take_word();
      bool valid = !digits.empty() && digits.size() <= 4;
      for (const char digit : digits) {
        valid = valid && digit >= '0' && digit <= '9';
        number = number * 10 + (digit - '0');
        if (!valid) break;
      }
      if (!valid) fail("ASM-REGISTER", cursor_.span_from(start), fmt::format("unknown register '{}'", spelling(start)));
    }
    if (number < 0 || number > static_cast<std::int64_t>(last))
      fail("ASM-REGISTER", cursor_.span_from(start),
           fmt::format("register number {} is outside 0 to {}", number, last));
    return static_cast<unsigned>(number);
  }

  static void read_half(Cursor& cursor, Operand& operand) {
    if (operand.kind != Kind::gpr || cursor.look() != '.') return;
    const std::size_t start = cursor.position();
    cursor.advance();
    const std::string_view word = cursor.take_word();
    if (word == "lo")
      operand.half = Operand::Half::low;
    else if (word == "hi")
      operand.half = Operand::Half::high;
    else
      fail("ASM-REGISTER", cursor.span_from(start), fmt::format("unknown part '.{}' of a register", word),
           "the halves are .lo and .hi");
  }

  ParsedOperand special() {
    const std::size_t start = cursor_.position();
    cursor_.advance();
    std::string name(cursor_.take_word());
    if (cursor_.look() == '.') {
      cursor_.advance();
      name += '.';
      name += cursor_.take_word();
    }
    for (const SpecialName& known : special_names) {
      if (known.name != name) continue;
      ParsedOperand result = of_kind(known.kind);
      if (known.kind == Kind::special) {
        result.operand.index = known.index;
      } else {
        result.operand.offset = known.index;
        result.operand.type = ValueType::u16;
        result.access_given = true;
      }
      return result;
    }
    return numbered_special(start, name);
  }

  /// %sr0..%sr15: special registers without a name of their own.
  ParsedOperand numbered_special(std::size_t start, const std::string& name) {
    if (name.starts_with("sr") && name.size() > 2 && name.size() <= 4) {
      unsigned index = 0;
      bool digits = true;
      for (const char digit : name.substr(2)) {
        digits = digits && digit >= '0' && digit <= '9';
        index = index * 10 + static_cast<unsigned>(digit - '0');
      }
      if (digits && index < 16) {
        ParsedOperand result = of_kind(Kind::special);
        result.operand.index = static_cast<std::uint8_t>(index);
        return result;
      }
    }
    std::vector<std::string> names;
    for (const SpecialName& known : special_names) names.emplace_back(known.name);
    const std::string near = nearest_word(name, names);
    fail("ASM-OPERAND", cursor_.span_from(start), fmt::format("unknown special name '%{}'", name),
         !near.empty()             ? fmt::format("did you mean '%{}'?", near)
         : name.starts_with("tid") ? "the thread index is packed in $r0: x in bits 15:0, y in 25:16, z in 31:26"
                                   : "names are %ntid.x, %ctaid.x, %nctaid.x, %clock, %physid, %pm0");
  }

  ParsedOperand group() {
    ParsedOperand result;
    result.shape = ParsedOperand::Shape::group;
    const std::size_t start = cursor_.position();
    cursor_.advance();
    do {
      if (cursor_.peek() == '_' && !is_word_character(cursor_.look(1))) {
        cursor_.advance();
        result.registers.push_back(-1);
        continue;
      }
      const ParsedOperand element = parse();
      if (!element.is(Kind::gpr) || element.operand.half != Operand::Half::full || element.operand.negate)
        fail("ASM-OPERAND", element.where, "a group holds registers and '_'");
      result.registers.push_back(element.operand.index);
    } while (cursor_.accept(","));
    cursor_.expect("}", "the group");
    if (result.registers.size() > 4)
      fail("ASM-OPERAND", cursor_.span_from(start), "a group has at most four registers");
    return result;
  }

  ParsedOperand memory(std::string_view word, std::size_t start) {
    ParsedOperand result;
    Operand& operand = result.operand;
    operand.kind = memory_kind(word, start, operand.bank);
    cursor_.advance();  // '['
    if (operand.kind == Kind::global) {
      read_global_address(operand);
    } else {
      read_offset_address(operand, word);
    }
    cursor_.expect("]", "the address");
    if (cursor_.look() == '.') read_access(result);
    return result;
  }

  Kind memory_kind(std::string_view word, std::size_t start, std::uint8_t& bank) {
    const char space = word.front();
    const std::string_view digits = word.substr(1);
    unsigned number = space == 'g' ? 14 : 0;
    if (!digits.empty()) {
      number = 0;
      for (const char digit : digits) {
        number = digit >= '0' && digit <= '9' && number < 16 ? number * 10 + static_cast<unsigned>(digit - '0') : 99;
      }
    }
    const bool numbered = space == 'g' || space == 'c';
    const bool known = numbered ? number < 16 && (space == 'g' || !digits.empty()) : digits.empty();
    if (!known || (!numbered && space != 's' && space != 'l'))
      fail("ASM-OPERAND", cursor_.span_from(start), fmt::format("unknown memory space '{}[]'", word),
           "spaces are s[], l[], g[] (or g0[] to g15[]), c0[] to c15[]");
    if (numbered) bank = static_cast<std::uint8_t>(number);
    if (space == 's') return Kind::shared;
    if (space == 'l') return Kind::local;
    return space == 'g' ? Kind::global : Kind::constant;
  }

  void read_global_address(Operand& operand) {
    const ParsedOperand address = parse();
    if (!address.is(Kind::gpr) || address.operand.half != Operand::Half::full || address.operand.negate)
      fail("ASM-OPERAND", address.where, "the address inside g[] is a register", "write g[$r1]");
    if (cursor_.peek() == '+' || cursor_.peek() == '-')
      fail("ASM-OPERAND", cursor_.here(), "g[] has no offset", "add it to the address register first");
    operand.index = address.operand.index;
  }

  void read_offset_address(Operand& operand, std::string_view word) {
    if (next_is_register()) {
      read_address_register(operand, word);
      if (cursor_.accept("+=")) {
        operand.post_increment = true;
        operand.offset = read_offset(1);
      } else if (cursor_.accept("+")) {
        operand.offset = read_offset(1);
      } else if (cursor_.accept("-")) {
        operand.offset = read_offset(-1);
      }
      return;
    }
    operand.offset = read_offset(1);
    if (!cursor_.accept("+")) return;
    read_address_register(operand, word);
  }

  bool next_is_register() {
    if (cursor_.peek() == '$') return true;
    const std::size_t start = cursor_.position();
    const bool alias = !symbols_.alias(cursor_.take_word()).empty();
    cursor_.rewind(start);
    return alias;
  }

  void read_address_register(Operand& operand, std::string_view word) {
    const ParsedOperand address = parse();
    if (!address.is(Kind::address))
      fail("ASM-OPERAND", address.where, fmt::format("the register inside {}[] is an address register", word),
           "move the address first: movsh.b32 $ofs1, $r1, 0");
    operand.address_register = address.operand.index;
  }

  std::int32_t read_offset(int sign) {
    Value value = parse_expression(cursor_, symbols_);
    value.number *= sign;
    return static_cast<std::int32_t>(checked(value, -0x8000, 0xffff, "the offset"));
  }

  void read_access(ParsedOperand& result) {
    const std::size_t start = cursor_.position();
    cursor_.advance();
    const std::string_view word = cursor_.take_word();
    const auto type = parse_type(word);
    const bool known = type && (*type == ValueType::u8 || *type == ValueType::u16 || *type == ValueType::s16 ||
                                *type == ValueType::b32);
    if (result.operand.kind != Kind::shared || !known)
      fail("ASM-TYPE", cursor_.span_from(start), fmt::format("unknown access type '.{}'", word),
           "s[] operands are .u8, .u16, .s16 or .b32");
    result.operand.type = *type;
    result.access_given = true;
  }

  Cursor& cursor_;
  const Symbols& symbols_;
  unsigned depth_ = 0;
};

}  // namespace

ParsedOperand parse_operand(Cursor& cursor, const Symbols& symbols) {
  return OperandParser(cursor, symbols).parse();
}

}  // namespace teslasim::text

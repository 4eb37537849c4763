// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace teslasim {
namespace {

using Addresses = std::array<std::uint32_t, warp_size>;

constexpr std::string_view blanks = " \t";
constexpr std::array<std::string_view, 3> space_names{"global", "local", "texture"};
constexpr std::array<std::string_view, 4> kind_names{"load", "store", "atomic", "reduction"};

template <typename Number>
std::optional<Number> number_of(std::string_view text, int base) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads one line; stops at the first thing that is wrong.
class LineParser {
 public:
  LineParser(std::string_view line, const Kernel& kernel, const std::vector<std::string>& texts,
             InstructionRecord& record)
      : line_(line), kernel_(kernel), texts_(texts), record_(record) {}

  TraceLineResult parse() {
    record_.divergent = record_.finished = false;
    record_.shared.lanes = record_.constant.lanes = record_.memory.lanes = 0;
    record_.texture.texels = 1;
    if (!head()) return result_;
    while (!line_.at_end()) {
      if (!part()) return result_;
    }
    return result_;
  }

 private:
  bool fail(std::size_t column, std::size_t length, std::string text, std::string help = "") {
    result_ = {column, length, std::move(text), std::move(help)};
    return false;
  }

  /// Address, masks, text.
  bool head() {
    std::size_t column = line_.column();
    std::string_view word = line_.word();
    const std::optional<std::uint32_t> pc = hexadecimal(word);
    if (!pc) return fail(column, word.size(), "expected the address of an instruction in hexadecimal");
    const auto at =
        std::lower_bound(kernel_.code.begin(), kernel_.code.end(), *pc,
                         [](const Instruction& instruction, std::uint32_t wanted) { return instruction.pc < wanted; });
    if (at == kernel_.code.end() || at->pc != *pc)
      return fail(column, word.size(), fmt::format("kernel '{}' has no instruction at {:06x}", kernel_.name, *pc));
    record_.index = static_cast<std::uint32_t>(at - kernel_.code.begin());
    column = line_.column();
    word = line_.word();
    const std::optional<std::uint32_t> active = hexadecimal(word);
    if (!active || word.size() != 8)
      return fail(column, word.size(), "expected the active lanes as eight hexadecimal digits");
    record_.active = record_.executed = *active;
    return executed_and_text();
  }

  bool executed_and_text() {
    const std::size_t column = line_.column();
    std::string_view text = line_.until(';');
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    if (const auto executed = hexadecimal(word); word.size() == 8 && executed) {
      record_.executed = *executed;
      text.remove_prefix(word.size());
      text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    }
    const std::string& expected = texts_[record_.index];
    if (text.empty() || text == expected) return true;
    return fail(column, text.size(),
                fmt::format("the code has '{}' at {:06x}", expected, kernel_.code[record_.index].pc),
                "the text may be left out");
  }

  /// What stands between two ';'.
  bool part() {
    const std::size_t column = line_.column();
    const std::string_view word = line_.word();
    if (word == "divergent" || word == "finished") {
      (word == "divergent" ? record_.divergent : record_.finished) = true;
      return end_of_part();
    }
    if (word == "shared") return access(record_.shared) && end_of_part();
    if (word == "constant") return access(record_.constant) && end_of_part();
    const auto space = std::find(space_names.begin(), space_names.end(), word);
    if (space == space_names.end())
      return fail(column, word.size(), fmt::format("'{}' is not known here", word),
                  "shared, constant, global, local, texture, divergent and finished are");
    record_.memory_space = static_cast<std::uint8_t>(space - space_names.begin());
    return device() && end_of_part();
  }

  bool end_of_part() {
    const std::size_t column = line_.column();
    const std::string_view rest = line_.until(';');
    if (rest.empty()) return true;
    return fail(column, rest.size(), "expected ';' or the end of the line");
  }

  bool device() {
    const std::size_t column = line_.column();
    const std::string_view word = line_.word();
    const auto kind = std::find(kind_names.begin(), kind_names.end(), word);
    if (kind == kind_names.end()) return fail(column, word.size(), "expected load, store, atomic or reduction");
    record_.memory_kind = static_cast<std::uint8_t>(kind - kind_names.begin());
    if (!access(record_.memory)) return false;
    record_.texture.inside = record_.memory.lanes;
    return record_.memory_space != texture_space || texels();
  }

  bool texels() {
    while (peek() == "/") {
      (void)line_.word();
      if (record_.texture.texels == TexelRecord::most_texels)
        return fail(line_.column(), 1, "a lane reads at most 8 texels");
      if (!addresses(record_.texture.further[record_.texture.texels - 1U], record_.memory.lanes)) return false;
      ++record_.texture.texels;
    }
    if (!std::has_single_bit(unsigned{record_.texture.texels}))
      return fail(line_.column(), 1, "a lane reads 1, 2, 4 or 8 texels");
    return peek() != "inside" || mask(record_.texture.inside);
  }

  [[nodiscard]] std::string_view peek() const {
    TraceLine ahead = line_;
    return ahead.word();
  }

  /// A keyword and a mask.
  bool mask(LaneMask& lanes) {
    const std::string_view keyword = line_.word();
    const std::size_t column = line_.column();
    const std::string_view word = line_.word();
    const std::optional<std::uint32_t> value = hexadecimal(word);
    if (!value) return fail(column, word.size(), fmt::format("expected lanes behind '{}'", keyword));
    lanes = *value;
    return true;
  }

  bool access(AddressRecord& record) {
    constexpr std::uint64_t widest = 16;
    const std::size_t column = line_.column();
    const std::string_view word = line_.word();
    const std::optional<std::uint64_t> bytes = decimal(word);
    if (!bytes || *bytes > widest || !std::has_single_bit(*bytes))
      return fail(column, word.size(), "expected the bytes per lane: 1, 2, 4, 8 or 16");
    record.bytes = static_cast<std::uint8_t>(*bytes);
    record.lanes = record_.executed;
    if (peek() == "lanes" && !mask(record.lanes)) return false;
    if (record.lanes == 0) return fail(column, word.size(), "an access needs at least one lane");
    return addresses(record.address, record.lanes);
  }

  bool addresses(Addresses& address, LaneMask lanes) {
    const std::size_t column = line_.column();
    const std::string_view word = line_.word();
    const std::size_t sign = word.find_first_of("+-");
    const std::size_t first_end = std::min(word.find_first_of("+-,"), word.size());
    const std::optional<std::uint32_t> first = hexadecimal(word.substr(0, first_end));
    if (!first) return fail(column, word.size(), "expected addresses: 1000, 1000+4 or 1000,1010,...");
    if (word.find(',') != std::string_view::npos) return list(address, lanes, word, column);
    std::uint32_t stride = 0;
    if (sign != std::string_view::npos) {
      const std::string_view digits = word.substr(word[sign] == '+' ? sign + 1 : sign);
      const std::optional<std::int32_t> value = number_of<std::int32_t>(digits, 10);
      if (!value) return fail(column + sign, word.size() - sign, "expected a distance in bytes, in decimal");
      stride = static_cast<std::uint32_t>(*value);
    }
    const auto lowest = static_cast<unsigned>(std::countr_zero(lanes));
    for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = *first + stride * (lane - lowest);
    return true;
  }

  bool list(Addresses& address, LaneMask lanes, std::string_view word, std::size_t column) {
    const auto wanted = static_cast<std::size_t>(std::popcount(lanes));
    const std::size_t got = 1 + static_cast<std::size_t>(std::count(word.begin(), word.end(), ','));
    if (got != wanted) return fail(column, word.size(), fmt::format("{} addresses for {} lanes", got, wanted));
    address.fill(0);
    std::size_t at = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const std::size_t comma = std::min(word.find(',', at), word.size());
      const std::optional<std::uint32_t> value = hexadecimal(word.substr(at, comma - at));
      if (!value) return fail(column + at, comma - at, "expected an address in hexadecimal");
      address[static_cast<unsigned>(std::countr_zero(rest))] = *value;
      at = comma + 1;
    }
    return true;
  }

  TraceLine line_;
  const Kernel& kernel_;
  const std::vector<std::string>& texts_;
  InstructionRecord& record_;
  TraceLineResult result_;
};

}  // namespace

void TraceLine::skip() {
  position_ = std::min(text_.find_first_not_of(blanks, position_), text_.size());
}

std::string_view TraceLine::word() {
  const std::size_t end = std::min(text_.find_first_of(" \t;", position_), text_.size());
  const std::string_view word = text_.substr(position_, end - position_);
  position_ = end;
  skip();
  return word;
}

std::string_view TraceLine::until(char end) {
  const std::size_t at = std::min(text_.find(end, position_), text_.size());
  std::string_view part = text_.substr(position_, at - position_);
  part = part.substr(0, part.find_last_not_of(blanks) + 1);
  position_ = std::min(at + 1, text_.size());
  skip();
  return part;
}

std::optional<std::uint64_t> decimal(std::string_view text) {
  return number_of<std::uint64_t>(text, 10);
}

std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  return number_of<std::uint32_t>(text, 16);
}

TraceLineResult parse_trace_line(std::string_view line, const Kernel& kernel, const std::vector<std::string>& texts,
                                 InstructionRecord& record) {
  return LineParser(line, kernel, texts, record).parse();
}

}  // namespace teslasim

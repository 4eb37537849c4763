// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/listing_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "frontend/cubin/cubin_limits.h"
#include "frontend/cubin/kernel_code.h"
#include "frontend/text/cursor.h"
#include "frontend/text/disassembly.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

constexpr std::size_t address_digits = 6;
constexpr std::size_t offset_digits = 4;
constexpr std::size_t word_digits = 8;
constexpr std::size_t most_named_lines = 8;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Exactly `digits` hexadecimal digits at the start of `text`.
std::optional<std::uint32_t> hexadecimal(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value, 16);
  if (error != std::errc{} || end != text.data() + digits) return std::nullopt;
  return value;
}

struct CodeLine {
  std::uint32_t address = 0;
  std::vector<std::uint32_t> words;
  std::string_view text;
  std::uint32_t line = 0;
};

/// `000008: d00e0201 a0c00780 mov.u32 ...`
std::optional<CodeLine> code_line(std::string_view text) {
  const auto address = hexadecimal(text, address_digits);
  if (!address || !text.substr(address_digits).starts_with(": ")) return std::nullopt;
  CodeLine line{*address, {}, {}, 0};
  text.remove_prefix(address_digits + 2);
  while (line.words.size() < 2) {
    const auto word = hexadecimal(text, word_digits);
    const bool ends = text.size() == word_digits || (text.size() > word_digits && text[word_digits] == ' ');
    if (!word || !ends) break;
    line.words.push_back(*word);
    text.remove_prefix(std::min(text.size(), word_digits + 1));
    if (encoded_bytes(line.words.front()) == 4) break;
  }
  if (line.words.empty()) return std::nullopt;
  line.text = trimmed(text::without_comment(text));
  return line;
}

/// Numbers in front of words: "3 registers, 32 B shared".
std::optional<std::uint32_t> number_before(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t start = at;
  while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + start, text.data() + at, value);
  return error == std::errc{} && end == text.data() + at ? std::optional(value) : std::nullopt;
}

class ListingReader {
 public:
  ListingReader(const std::string& path, std::string_view text, const ReadOptions& options)
      : text_(text), options_(options) {
    module_.path = path;
    module_.container = "listing";
  }

  Module read() {
    std::uint32_t number = 0;
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      take(trimmed(text_.substr(0, end)), ++number);
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    finish_kernel_code();
    if (module_.kernels.empty() && problems_.empty()) refuse(1, "", "the listing has no instructions");
    if (!problems_.empty()) throw InputError(ExitCode::input, std::move(problems_));
    if (!different_.empty()) warn_of_text();
    return std::move(module_);
  }

 private:
  void refuse(std::uint32_t line, std::string_view excerpt, std::string message) {
    Diagnostic problem;
    problem.code = "LISTING-LINE";
    problem.message = std::move(message);
    problem.where = {module_.path, line, 1, static_cast<std::uint32_t>(std::max<std::size_t>(excerpt.size(), 1))};
    problem.excerpt = excerpt;
    problem.help = "a line of a listing is: address, words, text, as in '000000: 10000001 40000780 mov.b32 $r0, ...'";
    problems_.push_back(std::move(problem));
  }

  void take(std::string_view line, std::uint32_t number) {
    if (line.empty() || line.starts_with('|')) return;  // a second opinion below a line
    if (line.starts_with("//") || line.starts_with('#')) return comment(trimmed(line.substr(line[0] == '#' ? 1 : 2)));
    if (segment_ != nullptr && constant_row(line)) return;
    if (auto code = code_line(line)) {
      code->line = number;
      return instruction(*code, line);
    }
    const bool label = line.ends_with(':') && line.find(' ') == std::string_view::npos;
    if (!label) refuse(number, line, "this line of the listing is not understood");
  }

  void comment(std::string_view text) {
    if (text.starts_with("segment: const (")) return open_segment(text);
    if (text == "constants of all kernels") {
      finish_kernel_code();
      of_all_kernels_ = true;
      return;
    }
    if (text.starts_with("parameter ")) return parameter(text);
    constexpr std::string_view name_mark = ", kernel ";
    const std::size_t at = text.find(name_mark);
    const std::size_t colon = text.rfind(": ");
    const auto registers = number_before(text, " registers");
    if (at == std::string_view::npos || !registers || colon == std::string_view::npos || colon < at) return;
    finish_kernel_code();
    kernel_ = Kernel{};
    kernel_.name = text.substr(at + name_mark.size(), colon - at - name_mark.size());
    kernel_.registers = std::min(*registers, cubin::most_registers);
    kernel_.shared_bytes = std::min(number_before(text, " B shared").value_or(0), cubin::most_shared);
    kernel_.local_bytes = std::min(number_before(text, " B local").value_or(0), cubin::most_local);
    kernel_.barriers = std::min(number_before(text, " barriers").value_or(0), cubin::most_barriers);
    kernel_.parameters_named = false;
    described_ = true;
    for (std::uint8_t sm = lowest_sm; sm <= highest_sm; ++sm) {
      if (text.find(fmt::format(", sm_{},", sm)) != std::string_view::npos) module_.sm = sm;
    }
  }

  /// `parameter p0: 8 bytes at s[0x0010]`
  void parameter(std::string_view text) {
    constexpr std::size_t name_start = 10;
    const std::size_t colon = text.find(": ");
    const std::size_t place = text.find("s[0x");
    const auto bytes = number_before(text, " bytes");
    if (colon == std::string_view::npos || place == std::string_view::npos || !bytes) return;
    const auto address = hexadecimal(text.substr(place + 4), offset_digits);
    if (!address || *address < launch_header_bytes || *bytes == 0 || *bytes > cubin::most_shared) return;
    const ValueType type = *bytes == 4 ? ValueType::b32 : *bytes == 8 ? ValueType::b64 : ValueType::none;
    kernel_.parameters.push_back(
        {std::string(text.substr(name_start, colon - name_start)), type, *address - launch_header_bytes, *bytes});
  }

  /// `segment: const (1:0000)`
  void open_segment(std::string_view text) {
    constexpr std::size_t bank_start = 16;
    std::uint32_t bank = 0;
    const std::size_t colon = text.find(':', bank_start);
    if (colon == std::string_view::npos) return;
    const auto offset = hexadecimal(text.substr(colon + 1), offset_digits);
    const auto [end, error] = std::from_chars(text.data() + bank_start, text.data() + colon, bank);
    if (error != std::errc{} || end != text.data() + colon || !offset || bank > cubin::last_bank) return;
    auto& segments = of_all_kernels_ ? module_.constants : kernel_.constants;
    segments.push_back({static_cast<std::uint8_t>(bank), *offset, {}});
    segment_ = &segments.back();
  }

  /// `0000: 80000000 3f800000`
  bool constant_row(std::string_view line) {
    if (!hexadecimal(line, offset_digits) || !line.substr(offset_digits).starts_with(": ")) return false;
    line.remove_prefix(offset_digits + 2);
    while (const auto word = hexadecimal(line, word_digits)) {
      if (segment_->offset + segment_->bytes.size() + 4 > cubin::most_constant) return false;
      for (unsigned i = 0; i < 4; ++i) segment_->bytes.push_back(static_cast<std::uint8_t>(*word >> (8 * i)));
      line = trimmed(line.substr(word_digits));
    }
    return line.empty();
  }

  void instruction(const CodeLine& line, std::string_view whole) {
    if (line.address == 0 && !words_.empty()) {
      finish_kernel_code();
      kernel_ = Kernel{};
      described_ = false;
    }
    segment_ = nullptr;
    const auto expected = static_cast<std::uint32_t>(words_.size() * cubin::word_bytes);
    if (line.address != expected) {
      refuse(line.line, whole, fmt::format("address {:#x} where {:#x} is next", line.address, expected));
      words_.resize(line.address / cubin::word_bytes < cubin::most_code_bytes ? line.address / cubin::word_bytes : 0);
    }
    words_.insert(words_.end(), line.words.begin(), line.words.end());
    lines_.push_back(line);
  }

  void finish_kernel_code() {
    segment_ = nullptr;
    if (words_.empty() || !problems_.empty()) return;  // after a wrong line, code only looks wrong
    if (kernel_.name.empty()) {
      kernel_.name = std::filesystem::path(module_.path).stem().string();
      if (!module_.kernels.empty()) kernel_.name += fmt::format("_{}", module_.kernels.size());
    }
    const std::uint8_t sm = described_ ? module_.sm : std::max(options_.machine_sm, lowest_sm);
    DecodedCode decoded = decode_code(words_, described_ ? sm : highest_sm, options_.machine_sm);
    if (!described_) {
      for (const Instruction& i : decoded.code) module_.sm = std::max(module_.sm, required_sm(i));
    }
    const CodePlace place{kernel_.name, {module_.path, lines_.front().line, 0, 1}, ""};
    std::vector<Diagnostic> found = problems_of(decoded, place, module_.sm, options_);
    problems_.insert(problems_.end(), found.begin(), found.end());
    if (found.empty()) {
      compare_text(decoded.code);
      adopt_code(kernel_, std::move(decoded));
      if (!described_) settle_resources();
      module_.kernels.push_back(std::move(kernel_));
    }
    kernel_ = Kernel{};
    words_.clear();
    lines_.clear();
  }

  /// Without a head line: what the code itself shows.
  void settle_resources() {
    constexpr unsigned first_zero_register = 124;
    for (const Instruction& i : kernel_.code) {
      for (unsigned r = 0; r < first_zero_register; ++r) {
        if ((((i.writes.words[r >> 6U] | i.reads.words[r >> 6U]) >> (r & 63U)) & 1U) != 0)
          kernel_.registers = std::max(kernel_.registers, r + 1);
      }
      if (i.opcode == Opcode::bar)
        kernel_.barriers = std::max<std::uint32_t>(kernel_.barriers, i.barrier().number + 1U);
    }
  }

  void compare_text(const std::vector<Instruction>& code) {
    for (std::size_t i = 0; i < std::min(code.size(), lines_.size()); ++i) {
      const CodeLine& line = lines_[i];
      if (line.text.empty() || line.text == to_text(code[i]) || says_the_same(line.text, code[i], module_.sm)) continue;
      // Labels before the text, as decuda has them.
      const std::size_t colon = line.text.find(": ");
      if (colon != std::string_view::npos && says_the_same(line.text.substr(colon + 2), code[i], module_.sm)) continue;
      different_.push_back(fmt::format("line {}: '{}' means {}", line.line, line.text, to_text(code[i])));
    }
  }

  void warn_of_text() {
    Diagnostic warning;
    warning.severity = Diagnostic::Severity::warning;
    warning.code = "LISTING-TEXT";
    warning.message = fmt::format("the text of {} instruction{} differs from the words, which were taken",
                                  different_.size(), different_.size() == 1 ? "" : "s");
    warning.where.file = module_.path;
    const std::size_t named = std::min(different_.size(), most_named_lines);
    warning.details.assign(different_.begin(), different_.begin() + static_cast<std::ptrdiff_t>(named));
    if (named < different_.size()) warning.details.push_back(fmt::format("and {} more", different_.size() - named));
    warning.help =
        "decuda prints some instructions wrongly (docs/assembly.md); to change code, assemble text without words";
    module_.warnings.push_back(std::move(warning));
  }

  std::string_view text_;
  const ReadOptions& options_;
  Module module_;
  Kernel kernel_;
  bool described_ = false;  ///< a head line named the kernel and its resources
  bool of_all_kernels_ = false;
  ConstantSegment* segment_ = nullptr;
  std::vector<std::uint32_t> words_;
  std::vector<CodeLine> lines_;
  std::vector<std::string> different_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

bool looks_like_listing(std::string_view text) {
  constexpr unsigned most_lines_before = 64;
  for (unsigned i = 0; i < most_lines_before && !text.empty(); ++i) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (code_line(trimmed(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

Module read_listing(const std::string& path, std::string_view text, const ReadOptions& options) {
  return ListingReader(path, text, options).read();
}

}  // namespace teslasim

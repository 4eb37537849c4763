// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/portable_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace teslasim::cuda {
namespace {

constexpr std::string_view mark = "teslasim CUDA image 1 ";

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

void append_part(std::string& text, std::string_view part) {
  text += fmt::format("{}\n{}", part.size(), part);
}

/// Takes parts, "N\n" and N bytes, off the front of a text; `ok` once nothing was missing.
class Parts {
 public:
  explicit Parts(std::string_view text) : text_(text) {}
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return text_.empty(); }

  std::string_view next() {
    const std::size_t end = text_.find('\n');
    const std::optional<std::size_t> bytes =
        end == std::string_view::npos ? std::nullopt : number(text_.substr(0, end));
    if (!bytes || *bytes > text_.size() - end - 1) {
      ok_ = false;
      return {};
    }
    const std::string_view part = text_.substr(end + 1, *bytes);
    text_.remove_prefix(end + 1 + *bytes);
    return part;
  }
  std::size_t next_number() {
    const std::optional<std::size_t> value = number(next());
    ok_ = ok_ && value;
    return value.value_or(0);
  }

 private:
  std::string_view text_;
  bool ok_ = true;
};

}  // namespace

std::string packed(std::span<const PortableCode> codes) {
  std::string body;
  for (const PortableCode& code : codes) {
    for (const std::string* part : {&code.path, &code.full_path, &code.source, &code.ptx, &code.definitions})
      append_part(body, *part);
    const compiler::CompileOptions& chosen = code.code;
    for (const unsigned value : {unsigned{chosen.sm}, chosen.optimization, chosen.maximum_registers,
                                 unsigned{chosen.contract}, unsigned{chosen.fast_math}})
      append_part(body, std::to_string(value));
  }
  std::string head = fmt::format("{}{}", mark, body.size());
  head.resize(packed_head_bytes - 1, ' ');
  return head + "\n" + body;
}

std::optional<std::size_t> packed_bytes(std::string_view start) {
  if (start.size() < packed_head_bytes || !start.starts_with(mark)) return std::nullopt;
  const std::string_view digits = start.substr(mark.size(), packed_head_bytes - 1 - mark.size());
  const std::optional<std::size_t> body = number(digits.substr(0, digits.find(' ')));
  if (!body) return std::nullopt;
  return packed_head_bytes + *body;
}

std::optional<std::vector<PortableCode>> unpacked(std::string_view text) {
  const std::optional<std::size_t> bytes = packed_bytes(text);
  if (!bytes || *bytes != text.size()) return std::nullopt;
  Parts parts(text.substr(packed_head_bytes));
  std::vector<PortableCode> codes;
  while (parts.ok() && !parts.at_end()) {
    PortableCode code;
    for (std::string* part : {&code.path, &code.full_path, &code.source, &code.ptx, &code.definitions})
      *part = parts.next();
    code.code.sm = static_cast<std::uint8_t>(parts.next_number());
    code.code.optimization = static_cast<unsigned>(parts.next_number());
    code.code.maximum_registers = static_cast<unsigned>(parts.next_number());
    code.code.contract = parts.next_number() != 0;
    code.code.fast_math = parts.next_number() != 0;
    code.code.source_file = code.full_path;
    codes.push_back(std::move(code));
  }
  if (!parts.ok() || codes.empty()) return std::nullopt;
  return codes;
}

}  // namespace teslasim::cuda

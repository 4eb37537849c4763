// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/warp_order.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr std::string_view shared_pointer = " addrspace(3)* ";

/// The operand that begins at `at`: a name, or a constant expression with its brackets.
std::string_view operand_at(std::string_view line, std::size_t at) {
  int depth = 0;
  std::size_t end = at;
  for (; end < line.size(); ++end) {
    if (line[end] == '(') ++depth;
    if (line[end] == ')' && --depth < 0) break;
    if (depth == 0 && line[end] == ',') break;
  }
  return line.substr(at, end - at);
}

/// The address of "  store i32 %1, i32 addrspace(3)* %p, align 4" or of a load; nothing for others and volatile ones.
std::optional<std::string_view> shared_address(std::string_view line, std::string_view operation) {
  const std::size_t at = line.find(operation);
  const bool is_volatile = line.find(" volatile ") != std::string_view::npos;
  if (!line.starts_with("  ") || at == std::string_view::npos || is_volatile) return std::nullopt;
  const std::size_t comma = line.find(", ", at);
  const std::size_t pointer = line.find(shared_pointer, comma == std::string_view::npos ? line.size() : comma);
  if (pointer == std::string_view::npos) return std::nullopt;
  return operand_at(line, pointer + shared_pointer.size());
}

class WarpOrder {
 public:
  std::string rewritten(const std::string& code) {
    std::vector<std::string> lines = lines_of(code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("define ")) start_function(lines, i);
      if (!lines[i].empty() && lines[i][0] != ' ') start_block(lines[i]);
      look_at(lines, i);
      if (turns_back(lines[i])) look_again(lines, i);
    }
    if (marked_.empty()) return code;
    std::string result;
    for (const auto& [line, operation] : marked_) {
      lines[line].insert(lines[line].find(operation) + operation.size(), "volatile ");
    }
    for (const std::string& line : lines) result += line + '\n';
    return result;
  }

 private:
  struct Store {
    std::size_t line = 0;
    std::string_view address{};
    std::string parts{};
  };
  static constexpr std::string_view load = " load ", store = "  store ";
  static constexpr unsigned most_steps = 64;

  /// Where each value of the function is made.
  void start_function(const std::vector<std::string>& lines, std::size_t first) {
    made_at_.clear();
    stores_.clear();
    for (std::size_t i = first; i < lines.size() && lines[i] != "}"; ++i) {
      const std::string_view line = lines[i];
      const std::size_t end = line.find(" = ");
      if (line.starts_with("  %") && end != std::string_view::npos) made_at_[line.substr(2, end - 2)] = line;
    }
    label_ = "";
  }

  /// "12:      ; preds = %7": only what the block above alone leads to comes behind its stores.
  void start_block(std::string_view line) {
    const std::size_t preds = line.find("; preds = %");
    const bool follows = preds != std::string_view::npos && line.substr(preds + 11) == label_;
    if (!follows) stores_.clear();
    label_ = line.substr(0, line.find(':'));
    first_line_ = 0;
  }

  void look_at(const std::vector<std::string>& lines, std::size_t i) {
    const std::string_view line = lines[i];
    if (first_line_ == 0) first_line_ = i;
    if (line.find("barrier") != std::string_view::npos && line.find("call ") != std::string_view::npos) stores_.clear();
    if (const auto address = shared_address(line, store)) stores_.push_back({i, *address, parts_of(*address)});
    if (const auto address = shared_address(line, load)) note_load(i, *address);
  }

  void note_load(std::size_t line, std::string_view address) {
    const std::string parts = parts_of(address);
    for (const Store& other : stores_) {
      if (other.address == address || other.parts != parts) continue;
      marked_[line] = load;
      marked_[other.line] = store;
    }
  }

  [[nodiscard]] bool turns_back(std::string_view line) const {
    const std::size_t target = line.find("label %" + std::string(label_));
    if (!line.starts_with("  br ") || label_.empty() || target == std::string_view::npos) return false;
    const std::size_t end = target + 7 + label_.size();
    return end == line.size() || line[end] == ',';
  }
  /// The second turn of a loop of one block.
  void look_again(const std::vector<std::string>& lines, std::size_t last) {
    for (std::size_t i = first_line_; i < last; ++i) look_at(lines, i);
  }

  /// What an address is made of, but for constants: a variable or another pointer, and the values that count elements.
  [[nodiscard]] std::string parts_of(std::string_view address) const {
    std::string parts;
    for (unsigned steps = 0; steps < most_steps; ++steps) {
      if (const std::size_t at = address.find('@'); at != std::string_view::npos) {
        const std::string_view name = address.substr(at);
        return parts.append(name.substr(0, name.find_first_of(" ,)")));
      }
      const std::string_view line = made_at(address);
      const bool counts = line.find(" = getelementptr ") != std::string_view::npos;
      const std::size_t pointer = line.find(shared_pointer);
      if ((!counts && line.find(" = bitcast ") == std::string_view::npos) || pointer == std::string_view::npos) break;
      address = operand_at(line, pointer + shared_pointer.size());
      if (counts) add_counts(line.substr(pointer + shared_pointer.size() + address.size()), parts);
      if (address.starts_with('%')) address = address.substr(0, address.find(' '));
    }
    return parts.append(address);
  }
  /// ", i64 0, i64 %5, !dbg !3": the values among the numbers.
  void add_counts(std::string_view rest, std::string& parts) const {
    for (std::size_t at = rest.find(" %"); at != std::string_view::npos; at = rest.find(" %", at + 1)) {
      const std::string_view name = rest.substr(at + 1);
      parts.append(without_constants(name.substr(0, name.find(',')))).append(" ");
    }
  }
  /// The value to which constants were added, in any width.
  [[nodiscard]] std::string_view without_constants(std::string_view value) const {
    for (unsigned steps = 0; steps < most_steps; ++steps) {
      const std::string_view line = made_at(value);
      const auto is = [&](std::string_view operation) { return line.find(operation) != std::string_view::npos; };
      const std::size_t operand = line.find(" %", line.find(" = ") + 3);
      if (operand == std::string_view::npos) return value;
      const std::string_view rest = line.substr(operand + 1);
      const std::string_view name = rest.substr(0, rest.find_first_of(" ,"));
      const std::size_t second = name.size() + 2;
      const bool adds = is(" = add ") || is(" = sub ") || is(" = or ");
      const bool adds_constant = adds && second < rest.size() && rest[second] != '%';
      if (!is(" = zext ") && !is(" = sext ") && !adds_constant) return value;
      value = name;
    }
    return value;
  }
  [[nodiscard]] std::string_view made_at(std::string_view value) const {
    const auto found = made_at_.find(value);
    return found == made_at_.end() ? std::string_view{} : found->second;
  }

  std::map<std::string_view, std::string_view> made_at_;
  std::vector<Store> stores_;  ///< that came before, in the block, since its last barrier
  std::string_view label_{};
  std::size_t first_line_ = 0;
  std::map<std::size_t, std::string_view> marked_;
};

}  // namespace

std::string with_warp_order(const std::string& code) {
  return WarpOrder().rewritten(code);
}

}  // namespace teslasim::cuda

// SPDX-License-Identifier: Apache-2.0
// One line of a text trace as an instruction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"
#include "sim/trace/instruction_record.h"

namespace teslasim {

/// The words of a line and where they stand.
class TraceLine {
 public:
  explicit TraceLine(std::string_view text) : text_(text) { skip(); }
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] std::size_t column() const { return position_; }
  /// The next word, empty at the end.
  std::string_view word();
  /// The rest up to `end`, without blanks around it.
  std::string_view until(char end);

 private:
  void skip();
  std::string_view text_;
  std::size_t position_ = 0;
};

[[nodiscard]] std::optional<std::uint64_t> decimal(std::string_view text);
[[nodiscard]] std::optional<std::uint32_t> hexadecimal(std::string_view text);

/// Where and why a line is wrong; `problem` is empty when it is right. Columns count from 0.
struct TraceLineResult {
  std::size_t column = 0, length = 0;
  std::string problem, help;
};

/// Reads "000018 ffffffff mov.u32 $r2, g[$r1] ; global load 4 1000+4" into `record`. `texts` are those of the kernel's
/// instructions: a line may leave the text out, but not have another one.
[[nodiscard]] TraceLineResult parse_trace_line(std::string_view line, const Kernel& kernel,
                                               const std::vector<std::string>& texts, InstructionRecord& record);

}  // namespace teslasim

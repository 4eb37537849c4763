// SPDX-License-Identifier: Apache-2.0
// The plain-text twin of a trace: a header as JSON, then one line per warp instruction (docs/trace-format.md).
//
// Conversion is lossless: binary to text and back gives the same bytes. Reading and writing keep one segment in memory.
// Errors: InputError (exit code `input`), codes TRACE-FILE, TRACE-TEXT, with line, column and excerpt, at most 20 of a
// file.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/record_check.h"
#include "sim/trace/text_lines.h"
#include "sim/trace/trace_file.h"

namespace teslasim {

inline constexpr std::string_view trace_text_mark = "teslasim.trace-text/2";

/// The lines before the first instruction.
[[nodiscard]] std::string trace_text_header(const TraceReader& reader);
/// The line that begins a segment.
[[nodiscard]] std::string trace_text_segment(const SegmentInfo& segment);
/// One instruction, with newline. `text` is that of the instruction.
[[nodiscard]] std::string trace_text_line(const Kernel& kernel, const InstructionRecord& record, std::string_view text);

/// The code of a trace as a module and as a text cubin.
struct TraceCode {
  Module module;
  std::string cubin;
};
/// Reads the code of a text trace, a text cubin or assembly; throws InputError.
using TraceCodeReader = std::function<TraceCode(const std::string& text)>;

class TraceTextReader : private TextLines {
 public:
  /// Reads the header. `path` is for messages.
  TraceTextReader(std::string path, std::unique_ptr<std::istream> text, const TraceCodeReader& read_code);

  [[nodiscard]] const TraceHeader& header() const { return header_; }
  [[nodiscard]] const std::optional<std::vector<std::vector<OrderedLoad>>>& ordered_loads() const {
    return ordered_loads_;
  }
  /// The next run of instructions, or false at the end. Throws at the end, or at the 20th problem, what was wrong.
  [[nodiscard]] bool next_segment();
  [[nodiscard]] const SegmentInfo& segment() const { return segment_; }
  [[nodiscard]] std::string_view bytes() const { return encoder_->bytes(); }
  [[nodiscard]] std::uint32_t instructions() const { return encoder_->instructions(); }
  using TextLines::position;

 private:
  /// What the instructions of one kernel need.
  struct KernelText {
    const Kernel* kernel = nullptr;
    std::unique_ptr<RecordCheck> check;
    std::unique_ptr<SegmentEncoder> encoder;
    std::vector<std::string> texts;
  };

  void read_header(const TraceCodeReader& read_code);
  void parse_header(const std::string& text, std::size_t first_line, const TraceCodeReader& read_code);
  void prepare_kernels();
  void start_warp();
  void add_instruction();

  TraceHeader header_;
  Module module_;
  std::optional<std::vector<std::vector<OrderedLoad>>> ordered_loads_;
  std::vector<KernelText> kernels_;
  std::vector<std::size_t> kernel_of_launch_;
  bool line_waits_ = false;  ///< `line_` begins the next segment
  bool warp_known_ = false;
  bool finished_ = false;  ///< the warp of the present lines has finished
  SegmentInfo segment_;
  SegmentEncoder* encoder_ = nullptr;
  const KernelText* now_ = nullptr;
  InstructionRecord record_;
};

/// True for bytes that begin as a text trace does.
[[nodiscard]] bool looks_like_trace_text(std::string_view bytes);

}  // namespace teslasim

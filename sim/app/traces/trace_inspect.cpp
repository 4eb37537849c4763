// SPDX-License-Identifier: Apache-2.0
// `teslasim trace info|cat|verify`: what a trace holds.
#include <fmt/format.h>

#include "isa/disassembler.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/traces/trace_actions.h"
#include "sim/base/diagnostic.h"
#include "sim/report/text/format.h"
#include "sim/run/action_progress.h"
#include "sim/run/trace_info.h"
#include "sim/trace/record_check.h"
#include "sim/trace/trace_contents.h"
#include "sim/trace/trace_text.h"

namespace teslasim::trace_actions {
int info(const ParsedOptions& options) {
  const TraceReader reader(input_of(options));
  print_result(trace_info_text(reader, code_of(reader)));
  return 0;
}

int verify(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = code_of(reader);
  std::uint64_t instructions = 0;
  ActionProgress progress("verify", console_options(options).progress, reader.file_bytes());
  for (std::uint32_t i = 0; i < reader.chunks().size(); ++i) {
    (void)reader.chunk(i);
    progress.look(reader.chunks()[i].offset / 2);
  }
  for (const SegmentInfo& segment : reader.segments()) {
    const Kernel& kernel = kernel_of_segment(reader, module, segment);
    const RecordCheck check(kernel);
    instructions += for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      if (!check.fits(record)) throw TraceDamage(check.problem(record));
    });
    progress.look((reader.file_bytes() + reader.chunks()[segment.chunk].offset) / 2);
  }
  print_result(fmt::format("{}: {} chunks and {} warp instructions are as they were written{}\n", reader.path(),
                           reader.chunks().size(), grouped(instructions),
                           reader.truncated() ? "; TRUNCATED: the writer did not finish" : ""));
  return static_cast<int>(reader.truncated() ? ExitCode::check_failed : ExitCode::done);
}

int cat(const ParsedOptions& options) {
  TraceReader reader(input_of(options));
  const Module module = code_of(reader);
  const TraceSelection selection = selection_of(options, &reader.header());
  std::uint64_t lines = 0;
  for (const SegmentInfo& segment : reader.segments()) {
    if (!selection.contains(segment)) continue;
    const Kernel& kernel = kernel_of_segment(reader, module, segment);
    std::string text;
    (void)for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      if (!selection.touches(record)) return;
      text += trace_text_line(kernel, record, to_text(kernel.code[record.index], &kernel));
      ++lines;
    });
    if (!text.empty()) print_result(trace_text_segment(segment) + text);
  }
  if (lines == 0) print_notice("nothing of the trace is in the ranges\n");
  return 0;
}

}  // namespace teslasim::trace_actions

// SPDX-License-Identifier: Apache-2.0
// `teslasim trace cut|convert`: a trace from a trace.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "isa/disassembler.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/traces/trace_actions.h"
#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/report/text/format.h"
#include "sim/run/action_progress.h"
#include "sim/run/trace_blocks.h"
#include "sim/run/trace_import.h"
#include "sim/run/trace_workload.h"
#include "sim/trace/trace_contents.h"
#include "sim/trace/trace_text.h"

namespace teslasim::trace_actions {
namespace {

/// What a cut keeps, and the header that goes with it.
struct Cut {
  TraceSelection selection;
  bool by_block = false;
  std::set<BlockName> blocks;
  TraceHeader header;
  std::vector<std::uint32_t> new_launch;  ///< by old number
  std::optional<std::vector<std::vector<OrderedLoad>>> ordered_loads;

  [[nodiscard]] bool keeps(const SegmentInfo& segment) const {
    return selection.contains(segment) && (!by_block || blocks.contains({segment.launch, segment.block}));
  }
};

Cut plan_cut(TraceReader& reader, const ParsedOptions& options, ProgressStyle style) {
  Cut cut;
  cut.selection = selection_of(options, &reader.header());
  cut.header = reader.header();
  cut.header.launches.clear();
  if (reader.ordered_loads()) cut.ordered_loads.emplace();
  for (std::uint32_t i = 0; i < reader.header().launches.size(); ++i) {
    cut.new_launch.push_back(static_cast<std::uint32_t>(cut.header.launches.size()));
    if (!cut.selection.launches.contains(i)) continue;
    cut.header.launches.push_back(reader.header().launches[i]);
    if (cut.ordered_loads && i < reader.ordered_loads()->size())
      cut.ordered_loads->push_back((*reader.ordered_loads())[i]);
  }
  const Module module = code_of(reader);
  const std::vector<std::string> labels = cut.selection.labels();
  cut.header.sampled.insert(cut.header.sampled.end(), labels.begin(), labels.end());
  if (!cut.selection.addresses.all()) {
    cut.by_block = true;
    cut.blocks = blocks_that_touch(reader, module, cut.selection, style);
  }
  if (!reader.truncated()) return cut;
  cut.header.sampled.emplace_back("complete blocks of a truncated trace");
  const std::set<BlockName> complete = complete_blocks(reader, module);
  if (cut.by_block) {
    std::erase_if(cut.blocks, [&](const BlockName& name) { return !complete.contains(name); });
  } else {
    cut.by_block = true;
    cut.blocks = complete;
  }
  return cut;
}

int report(const std::string& path, std::uint64_t instructions, std::uint64_t bytes, bool quiet) {
  if (!quiet)
    print_result(fmt::format("{}: {} warp instructions, {} bytes\n", path, grouped(instructions), grouped(bytes)));
  return 0;
}

int to_text_file(const std::string& input, const std::string& output, const ConsoleOptions& console) {
  TraceReader reader(input);
  const Module module = code_of(reader);
  OutputFile file(output);
  std::uint64_t bytes = 0;
  const auto put = [&](const std::string& text) {
    file.write(text);
    bytes += text.size();
  };
  put(trace_text_header(reader));
  ActionProgress progress("convert", console.progress, reader.file_bytes());
  std::uint64_t instructions = 0;
  const Kernel* kernel = nullptr;
  std::vector<std::string> texts;
  for (const SegmentInfo& segment : reader.segments()) {
    const Kernel& present = kernel_of_segment(reader, module, segment);
    if (kernel != &present) {
      kernel = &present;
      texts.clear();
      for (const Instruction& instruction : present.code) texts.push_back(to_text(instruction, &present));
    }
    std::string text = trace_text_segment(segment);
    instructions += for_each_instruction(reader, module, segment, [&](const InstructionRecord& record) {
      text += trace_text_line(present, record, texts[record.index]);
    });
    put(text);
    progress.look(reader.chunks()[segment.chunk].offset);
  }
  file.finish();
  return report(output, instructions, bytes, console.quiet);
}

TraceCode code_from(const std::string& path, const std::string& text) {
  TraceCode code{read_module_bytes(path, text), text};
  if (!looks_like_text_cubin(text)) code.cubin = write_text_cubin(code.module);
  return code;
}

/// 0, without progress, for a pipe.
std::uint64_t length_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  return error ? 0 : bytes;
}

int from_text_file(const std::string& input, const std::string& output, const ConsoleOptions& console) {
  note_input(input);
  TraceTextReader reader(input, std::make_unique<std::ifstream>(input, std::ios::binary),
                         [&input](const std::string& text) { return code_from(input, text); });
  ActionProgress progress("convert", console.progress, length_of(input));
  TraceWriter writer(output, reader.header(), OutputMode::replace);
  while (reader.next_segment()) {
    writer.add(reader.segment(), reader.bytes(), reader.instructions());
    progress.look(reader.position());
  }
  if (reader.ordered_loads()) writer.set_ordered_loads(*reader.ordered_loads());
  writer.finish();
  return report(output, writer.instructions(), writer.file_bytes(), console.quiet);
}

}  // namespace

int cut(const ParsedOptions& options) {
  const std::string output = output_of(options);
  const ConsoleOptions console = console_options(options);
  TraceReader reader(input_of(options));
  const Cut cut = plan_cut(reader, options, console.progress);
  std::uint64_t kept = 0, written = 0;
  for (const SegmentInfo& segment : reader.segments()) kept += cut.keeps(segment) ? segment.bytes : 0;
  if (kept == 0)
    usage_error("CLI-VALUE", "nothing of the trace is in the ranges", "teslasim trace info " + reader.path());
  TraceWriter writer(output, cut.header, OutputMode::replace);
  ActionProgress progress("cut", console.progress, kept);
  for (const SegmentInfo& segment : reader.segments()) {
    if (!cut.keeps(segment)) continue;
    SegmentInfo where = segment;
    where.launch = cut.new_launch[segment.launch];
    writer.add(where, reader.bytes_of_segment(segment), segment.instructions);
    written += segment.bytes;
    progress.look(written);
  }
  if (cut.ordered_loads) writer.set_ordered_loads(*cut.ordered_loads);
  writer.finish();
  return report(output, writer.instructions(), writer.file_bytes(), console.quiet);
}

int convert(const ParsedOptions& options) {
  const std::string input = input_of(options);
  const std::string output = output_of(options);
  const ConsoleOptions console = console_options(options);
  if (is_trace_file(input)) return to_text_file(input, output, console);
  if (is_foreign_trace(input)) return import_trace(input, output, console);
  return from_text_file(input, output, console);
}

}  // namespace teslasim::trace_actions

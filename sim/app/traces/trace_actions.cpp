// SPDX-License-Identifier: Apache-2.0
#include "sim/app/traces/trace_actions.h"

#include <algorithm>

#include "frontend/cubin/text_cubin.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_place.h"
#include "sim/run/block_choice.h"

namespace teslasim::trace_actions {
namespace {

/// Ranges of addresses or names of buffers, separated by commas.
NumberRanges addresses_of(const std::string& text, const TraceHeader* header) {
  NumberRanges result;
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    at = comma + 1;
    const TracedBuffer* named = nullptr;
    if (header != nullptr) {
      for (const TracedBuffer& buffer : header->buffers) named = buffer.name == part ? &buffer : named;
    }
    if (named != nullptr) {
      result.ranges.push_back({named->address, named->address + std::max<std::uint64_t>(named->bytes, 1) - 1});
      continue;
    }
    const NumberRanges numbers = parse_ranges("addresses", part);
    result.ranges.insert(result.ranges.end(), numbers.ranges.begin(), numbers.ranges.end());
  }
  return result;
}

}  // namespace

std::string input_of(const ParsedOptions& options) {
  if (options.inputs().size() != 2)
    usage_error("CLI-INPUT", "trace takes an action and one file", "teslasim trace info FILE.wtrace");
  return options.inputs()[1];
}

std::string output_of(const ParsedOptions& options) {
  const std::string path = options.text("output");
  if (path.empty()) usage_error("CLI-VALUE", "the action needs a file to write", "add -o FILE.wtrace");
  if (look_up_output(path).kind == OutputPlace::Kind::regular)
    usage_error("CLI-VALUE", "'" + path + "' exists: traces are never overwritten", "choose another name");
  return path;
}

TraceSelection selection_of(const ParsedOptions& options, const TraceHeader* header) {
  TraceSelection selection;
  selection.launches = parse_ranges("launches", options.text("launches"));
  selection.blocks = parse_ranges("blocks", options.text("blocks"));
  selection.warps = parse_ranges("warps", options.text("warps"));
  selection.sms = parse_ranges("sms", options.text("sms"));
  selection.addresses = addresses_of(options.text("addresses"), header);
  if (header != nullptr && !selection.sms.all() && !header->timed)
    usage_error("CLI-VALUE", "--sms: the trace was recorded without time, its blocks ran on no SM",
                "record with --mode timing");
  return selection;
}

Module code_of(const TraceReader& reader) {
  return read_text_cubin(reader.path(), reader.header().code);
}

}  // namespace teslasim::trace_actions

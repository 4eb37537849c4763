// SPDX-License-Identifier: Apache-2.0
#include "sim/app/traces/trace_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "frontend/cubin/text_cubin.h"
#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/base/output_place.h"
#include "sim/run/block_choice.h"
#include "sim/run/signals.h"

namespace teslasim::trace_actions {
namespace {

using Seconds = std::chrono::duration<double>;

std::string progress_json(const std::string& action, std::uint64_t percent, double seconds, std::uint64_t left) {
  nlohmann::ordered_json json;
  json["action"] = action;
  json["percent"] = percent;
  json["seconds"] = std::round(seconds * 10.0) / 10.0;
  json["eta_s"] = left;
  return json_text(json);
}

Seconds period_of(ProgressStyle style) {
  constexpr Seconds tty{0.2}, json{2.0}, plain{30.0};
  return style == ProgressStyle::tty ? tty : style == ProgressStyle::json ? json : plain;
}

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

ActionProgress::ActionProgress(std::string action, ProgressStyle style, std::uint64_t total)
    : action_(std::move(action)), style_(style), total_(total), start_(Clock::now()), shown_(start_) {
  catch_signals();
}

ActionProgress::~ActionProgress() {
  if (line_open_) print_notice("\r\x1b[K");
}

void ActionProgress::look(std::uint64_t done) {
  if (caught_signal() != 0) throw Interrupted{caught_signal()};
  const Clock::time_point now = Clock::now();
  if (style_ == ProgressStyle::none || now - shown_ < period_of(style_) || done == 0 || total_ == 0) return;
  shown_ = now;
  const double seconds = Seconds(now - start_).count();
  const auto left = static_cast<std::uint64_t>(seconds * static_cast<double>(total_ - std::min(done, total_)) /
                                               static_cast<double>(done));
  const std::uint64_t percent = 100 * done / total_;
  if (style_ == ProgressStyle::json) return print_notice(progress_json(action_, percent, seconds, left) + "\n");
  const std::string line =
      fmt::format("{}  {} %  {:.1f} s  ETA {}:{:02}", action_, percent, seconds, left / 60, left % 60);
  print_notice(style_ == ProgressStyle::tty ? "\r\x1b[K" + line : "progress: " + line + "\n");
  line_open_ = style_ == ProgressStyle::tty;
}

}  // namespace teslasim::trace_actions

// SPDX-License-Identifier: Apache-2.0
// The reading side of the text twin: the header, and where a segment begins and ends.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "isa/disassembler.h"
#include "sim/base/json_text.h"
#include "sim/trace/trace_line.h"
#include "sim/trace/trace_parts.h"
#include "sim/trace/trace_recorder.h"
#include "sim/trace/trace_text.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_line = 1U << 16U;
constexpr std::size_t longest_header = 16U << 20U;

std::string joined(const Json& lines) {
  std::string text;
  for (const Json& line : lines) {
    if (line.is_null()) {
      text.pop_back();
    } else {
      text += line.get<std::string>() + "\n";
    }
  }
  return text;
}

/// Keys that a person or program may leave out.
void set_defaults(Json& json) {
  const auto otherwise = [&json](const char* key, const Json& value) {
    if (!json.contains(key)) json[key] = value;
  };
  otherwise("generator", "");
  otherwise("machine", "");
  otherwise("timed", false);
  otherwise("approximate", false);
  for (const char* key : {"sampled", "unmapped", "listing", "buffers"}) otherwise(key, Json::array());
}

std::vector<std::string> listing_of(const Module& module) {
  std::vector<std::string> lines;
  for (const Kernel& kernel : module.kernels) {
    std::istringstream text(listing(kernel));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
  }
  return lines;
}

}  // namespace

TraceTextReader::TraceTextReader(std::string path, std::unique_ptr<std::istream> text, const TraceCodeReader& read_code)
    : TextLines(std::move(path), std::move(text), "TRACE-TEXT") {
  if (!readable()) {
    Diagnostic problem;
    problem.code = "TRACE-FILE";
    problem.message = "the trace '" + path_ + "' cannot be read";
    problem.where.file = path_;
    problem.help = "check the name";
    throw InputError(ExitCode::input, std::move(problem));
  }
  read_header(read_code);
  throw_problems();
  prepare_kernels();
}

void TraceTextReader::read_header(const TraceCodeReader& read_code) {
  if (!read_line() || line_ != trace_text_mark)
    return problem(0, line_.size(), fmt::format("a text trace begins with '{}'", trace_text_mark));
  std::string json;
  const std::size_t first_line = line_number_ + 1;
  while (read_line()) {
    json += line_ + "\n";
    if (line_ == "}") return parse_header(json, first_line, read_code);
    if (json.size() > longest_header) break;
  }
  problem(0, 1, "the header does not end", "it is JSON, and its last line is '}' alone");
}

void TraceTextReader::parse_header(const std::string& text, std::size_t first_line, const TraceCodeReader& read_code) {
  try {
    Json json = Json::parse(shallow_json(text));
    set_defaults(json);
    json["schema"] = "teslasim.trace/2";
    TraceCode code = read_code(joined(json.at("code")));
    json["code"] = code.cubin;
    if (json.at("listing").empty()) json["listing"] = listing_of(code.module);
    header_ = trace::header_from(json_text(json));
    module_ = std::move(code.module);
    if (!json.contains("ordered_loads")) return;
    ordered_loads_.emplace();
    for (const Json& launch : json.at("ordered_loads")) {
      std::vector<OrderedLoad>& loads = ordered_loads_->emplace_back();
      for (const Json& load : launch)
        loads.push_back({load.at("index"), load.at("from_warps"), load.at("from_blocks")});
    }
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min<std::size_t>(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    line_number_ = first_line + static_cast<std::size_t>(
                                    std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    line_ = text.substr(line_start, text.find('\n', line_start) - line_start);
    problem(at - line_start, 1, "the header is not JSON here");
  } catch (const Json::exception& error) {
    problem(0, 1, fmt::format("the header lacks something or has it in the wrong form: {}", json_problem(error)),
            "docs/trace-format.md lists what a header has");
  } catch (const TraceDamage& damage) {
    problem(0, 1, damage.what(), "docs/trace-format.md lists what a header has");
  }
}

void TraceTextReader::prepare_kernels() {
  for (const Kernel& kernel : module_.kernels) {
    KernelText& known = kernels_.emplace_back();
    known.kernel = &kernel;
    known.check = std::make_unique<RecordCheck>(kernel);
    known.encoder = std::make_unique<SegmentEncoder>(kernel);
    for (const Instruction& instruction : kernel.code) known.texts.push_back(to_text(instruction, &kernel));
  }
  for (const TracedLaunch& launch : header_.launches) {
    const auto named = [&launch](const KernelText& known) { return known.kernel->name == launch.kernel; };
    const auto found = std::find_if(kernels_.begin(), kernels_.end(), named);
    if (found == kernels_.end()) problem(0, 1, fmt::format("the code has no kernel '{}'", launch.kernel));
    kernel_of_launch_.push_back(static_cast<std::size_t>(found - kernels_.begin()));
  }
  throw_problems();
}

/// "warp launch=0 block=3 warp=1", and sm=2 when it is known.
void TraceTextReader::start_warp() {
  segment_ = {};
  warp_known_ = finished_ = false;
  now_ = nullptr;
  TraceLine line(line_);
  (void)line.word();
  unsigned found = 0;
  while (!line.at_end()) {
    const std::size_t column = line.column();
    const std::string_view word = line.word();
    const std::size_t sign = word.find('=');
    const std::string_view key = word.substr(0, sign);
    const std::optional<std::uint64_t> value =
        sign == std::string_view::npos ? std::nullopt : decimal(word.substr(sign + 1));
    if (!value) return problem(column, word.size(), "expected 'key=number'", "warp launch=0 block=0 warp=0");
    const auto narrow = static_cast<std::uint32_t>(*value);
    if (key == "launch") {
      segment_.launch = narrow;
    } else if (key == "block") {
      segment_.block = *value;
    } else if (key == "warp") {
      segment_.warp = narrow;
    } else if (key == "sm") {
      segment_.sm = narrow;
    } else {
      return problem(column, key.size(), fmt::format("'{}' is not known here", key), "launch, block, warp and sm are");
    }
    found |= key == "launch" ? 1U : key == "block" ? 2U : key == "warp" ? 4U : 0U;
  }
  if (found != 7)
    return problem(0, line_.size(), "a warp needs launch, block and warp", "warp launch=0 block=0 warp=0");
  if (segment_.launch >= kernel_of_launch_.size())
    return problem(0, line_.size(), fmt::format("the header describes no launch {}", segment_.launch));
  const TracedLaunch& launch = header_.launches[segment_.launch];
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  if (segment_.block >= blocks || segment_.warp * std::uint64_t{warp_size} >= threads)
    return problem(0, line_.size(),
                   fmt::format("launch {} has {} blocks of {} threads", segment_.launch, blocks, threads));
  now_ = &kernels_[kernel_of_launch_[segment_.launch]];
  warp_known_ = true;
}

void TraceTextReader::add_instruction() {
  if (now_ == nullptr) {
    if (warp_known_ || !has_problems()) problem(0, line_.size(), "an instruction before any 'warp' line");
    return;
  }
  const TraceLineResult result = parse_trace_line(line_, *now_->kernel, now_->texts, record_);
  if (!result.problem.empty()) return problem(result.column, result.length, result.problem, result.help);
  if (const std::string wrong = now_->check->problem(record_); !wrong.empty()) return problem(0, line_.size(), wrong);
  if (finished_) return problem(0, line_.size(), "an instruction of a warp that has finished");
  finished_ = record_.finished;
  encoder_->add(record_);
}

bool TraceTextReader::next_segment() {
  constexpr std::size_t mark_length = 5;
  if (encoder_ != nullptr) encoder_->clear();
  while (line_waits_ || read_line()) {
    const bool begins = line_.compare(0, mark_length, "warp ") == 0;
    if (begins && !line_waits_ && encoder_ != nullptr && encoder_->instructions() != 0) {
      line_waits_ = true;
      return true;
    }
    line_waits_ = false;
    if (line_.size() > longest_line) {
      problem(0, 1, "the line is longer than any instruction");
    } else if (begins) {
      start_warp();
      if (now_ != nullptr) {
        encoder_ = now_->encoder.get();
        encoder_->clear();
      }
    } else if (line_.find_first_not_of(" \t") != std::string::npos && line_[0] != '#') {
      add_instruction();
      if (encoder_ != nullptr && encoder_->bytes().size() >= trace_segment_bytes) return true;
    }
  }
  throw_problems();
  return encoder_ != nullptr && encoder_->instructions() != 0;
}

}  // namespace teslasim

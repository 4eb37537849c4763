// SPDX-License-Identifier: Apache-2.0
// The writing side of the text twin.
#include "sim/trace/trace_text.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/base/json_text.h"
#include "sim/trace/trace_parts.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;
using Addresses = std::array<std::uint32_t, warp_size>;

constexpr std::array<std::string_view, 3> space_names{"global", "local", "texture"};
constexpr std::array<std::string_view, 4> kind_names{"load", "store", "atomic", "reduction"};

/// "1000", "1000+4" (one lane number to the next), or one address per lane.
void put_addresses(std::string& line, const Addresses& address, LaneMask lanes) {
  const auto out = std::back_inserter(line);
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  const LaneMask rest = lanes & (lanes - 1);
  const unsigned second = rest == 0 ? first : static_cast<unsigned>(std::countr_zero(rest));
  const auto step = static_cast<std::int32_t>(address[second] - address[first]);
  const auto distance = static_cast<std::int32_t>(second - first);
  const std::int32_t stride = distance == 0 ? 0 : step / distance;
  bool regular = true;
  for (unsigned lane = first; lane < warp_size; ++lane) {
    if ((lanes >> lane & 1U) != 0)
      regular = regular && address[lane] == address[first] + static_cast<std::uint32_t>(stride) * (lane - first);
  }
  fmt::format_to(out, " {:x}", address[first]);
  if (regular && stride != 0) fmt::format_to(out, "{:+}", stride);
  if (regular) return;
  for (LaneMask left = rest; left != 0; left &= left - 1)
    fmt::format_to(out, ",{:x}", address[static_cast<unsigned>(std::countr_zero(left))]);
}

void put_access(std::string& line, std::string_view what, const AddressRecord& access, LaneMask executed) {
  if (access.lanes == 0) return;
  fmt::format_to(std::back_inserter(line), " ; {} {}", what, access.bytes);
  if (access.lanes != executed) fmt::format_to(std::back_inserter(line), " lanes {:08x}", access.lanes);
  put_addresses(line, access.address, access.lanes);
}

Json lines_of(const std::string& text) {
  Json lines = Json::array();
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (!text.ends_with('\n') && !lines.empty()) lines.push_back(nullptr);  // the last line has no end
  return lines;
}

}  // namespace

bool looks_like_trace_text(std::string_view bytes) {
  return bytes.starts_with("teslasim.trace-text/");
}

std::string trace_text_header(const TraceReader& reader) {
  Json json = Json::parse(trace::header_text(reader.header()));
  json.erase("schema");
  json["code"] = lines_of(reader.header().code);
  if (reader.ordered_loads()) {
    json["ordered_loads"] = Json::array();
    for (const std::vector<OrderedLoad>& launch : *reader.ordered_loads()) {
      Json loads = Json::array();
      for (const OrderedLoad& load : launch)
        loads.push_back({{"index", load.index}, {"from_warps", load.from_warps}, {"from_blocks", load.from_blocks}});
      json["ordered_loads"].push_back(std::move(loads));
    }
  }
  return fmt::format("{}\n{}\n", trace_text_mark, json_text(json, 1));
}

std::string trace_text_segment(const SegmentInfo& segment) {
  std::string line = fmt::format("warp launch={} block={} warp={}", segment.launch, segment.block, segment.warp);
  if (segment.sm != no_sm) line += fmt::format(" sm={}", segment.sm);
  return line + '\n';
}

std::string trace_text_line(const Kernel& kernel, const InstructionRecord& record, std::string_view text) {
  std::string line = fmt::format("{:06x} {:08x}", kernel.code[record.index].pc, record.active);
  if (record.executed != record.active) fmt::format_to(std::back_inserter(line), " {:08x}", record.executed);
  line += ' ';
  line += text;
  put_access(line, "shared", record.shared, record.executed);
  put_access(line, "constant", record.constant, record.executed);
  if (record.memory.lanes != 0) {
    put_access(line, fmt::format("{} {}", space_names.at(record.memory_space), kind_names.at(record.memory_kind)),
               record.memory, record.executed);
    if (record.memory_space == texture_space) {
      for (unsigned i = 0; i + 1 < record.texture.texels; ++i) {
        line += " /";
        put_addresses(line, record.texture.further[i], record.memory.lanes);
      }
      if (record.texture.inside != record.memory.lanes)
        fmt::format_to(std::back_inserter(line), " inside {:08x}", record.texture.inside);
    }
  }
  if (record.divergent) line += " ; divergent";
  if (record.finished) line += " ; finished";
  return line + '\n';
}

}  // namespace teslasim

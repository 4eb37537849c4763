// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/effect_text.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "sim/report/timeline/lane_values.h"

namespace teslasim {
namespace {

using Output = std::back_insert_iterator<std::string>;

/// Words of a lane, the lowest first.
std::string words_text(LaneMask lanes, const std::vector<InstructionEffects::Row>& words) {
  std::string text;
  for (const InstructionEffects::Row& row : words) text += (text.empty() ? "" : ";") + lane_values_text(lanes, row);
  return text;
}

char letter_of(LaneAccess::Space space) {
  return space == LaneAccess::Space::shared ? 's' : (space == LaneAccess::Space::local ? 'l' : 'g');
}

std::string stored_text(LaneMask lanes, const InstructionEffects::Stored& stored) {
  std::string text = fmt::format("{}[{}]", letter_of(stored.space), lane_values_text(lanes, stored.address));
  if (!stored.operation.empty()) text += fmt::format(".{}", stored.operation);
  text += "=" + words_text(lanes, stored.words);
  if (!stored.exchanged.empty()) text += "/" + words_text(lanes, stored.exchanged);
  return text;
}

/// Of each group of lanes that is served at once; 0: it has no lane.
std::string passes_text(const LaneAccess& access) {
  const auto group = static_cast<unsigned>(warp_size / access.passes.size());
  const LaneMask lanes_of_group = group == warp_size ? all_lanes : (LaneMask{1} << group) - 1;
  std::string text;
  for (unsigned i = 0; i < access.passes.size(); ++i) {
    const bool used = (access.lanes & lanes_of_group << i * group) != 0;
    text += fmt::format("{}{}", i == 0 ? "" : ",", used ? access.passes[i] : 0);
  }
  return text;
}

std::string cycles_text(const std::vector<SmCycle>& cycles) {
  std::string text;
  for (const SmCycle cycle : cycles) text += fmt::format("{}{}", text.empty() ? "" : ",", sp_cycles(cycle).count());
  return text;
}

}  // namespace

std::string effect_text(const PipelineEvents::Instruction& one, const InstructionEffects& effects) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (one.lanes == 0) add("dropped");
  for (const InstructionEffects::Register& each : effects.registers)
    add(fmt::format("{}{}={}", each.address ? "$ofs" : "$r", each.index, lane_values_text(one.lanes, each.value)));
  for (const InstructionEffects::Flags& each : effects.flags) {
    add(fmt::format("$p{}=z:{:08x},s:{:08x},c:{:08x},o:{:08x}", each.index, each.zero & one.lanes,
                    each.sign & one.lanes, each.carry & one.lanes, each.overflow & one.lanes));
  }
  if (effects.stored) add(stored_text(one.lanes, *effects.stored));
  if (effects.awaited) add("awaited");
  if (!effects.known) add("unknown");
  if (effects.divergent) add("diverges");
  if (effects.finished) add("ends");
  return text;
}

std::string issue_text(const PipelineEvents::Instruction& one) {
  static constexpr std::array<const char*, 4> units{"SP", "SFU", "DP", "LSU"};
  std::string text = fmt::format("unit={}", one.unit < units.size() ? units[one.unit] : "none");
  if (!one.replays.empty()) text += " replays=" + cycles_text(one.replays);
  if (one.collected != 0) text += fmt::format(" operands={}", sp_cycles(one.collected).count());
  if (one.written != 0) text += fmt::format(" written={}", sp_cycles(one.written).count());
  return text;
}

std::string access_text(const PipelineEvents::Instruction& one, const LaneAccess& access) {
  std::string text = fmt::format("{} {} bytes={}", name_of(access.space), name_of(access.kind), access.bytes);
  if (!access.passes.empty()) text += " passes=" + passes_text(access);
  if (access.space == LaneAccess::Space::texture) text += fmt::format(" requests={}", one.transactions);
  for (std::size_t i = 0; i < access.segments.size(); ++i) {
    const LaneAccess::Segment& segment = access.segments[i];
    fmt::format_to(Output(text), "{}{}@0x{:x}", i == 0 ? " transactions=" : ",", segment.bytes, segment.address);
  }
  if (one.written != 0) text += fmt::format(" written={}", sp_cycles(one.written).count());
  return text;
}

}  // namespace teslasim

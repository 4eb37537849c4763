// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/views/pipeline_text.h"

#include <fmt/format.h>

#include <array>

#include "isa/disassembler.h"
#include "sim/report/timeline/effect_text.h"
#include "sim/sm/sm.h"

namespace teslasim {
namespace {

std::string instruction_text(WarpSlot warp, const Instruction& instruction, const Kernel& kernel) {
  return fmt::format("warp {:>2}  {:#06x}  {}", warp, instruction.pc, to_text(instruction, &kernel));
}

std::string line(std::string_view unit, const std::string& text) {
  return fmt::format("{:<13}{}\n", unit, text);
}

std::string port_text(const Sm& sm, const SmEvents& events, const Kernel& kernel, SmCycle now) {
  if (now == 0) return line("issue port", "no cycle has been run");
  const SlotReason use = sm.accounting().slot_in(now - 1);
  const auto& last = events.last_issue();
  if (use == SlotReason::issued && last)
    return line("issue port", instruction_text(last->warp, *last->instruction, kernel));
  const bool replays = info(use).group == ReasonGroup::replay;
  return line("issue port", fmt::format("{}{}", replays ? "a further pass: " : "nothing: ", info(use).name));
}

std::string use_text(const SmEvents::Use& use, const Kernel& kernel, SmCycle now) {
  const SmObserver::Occupation& what = use.occupation;
  std::string text = instruction_text(use.warp, kernel.code.at(what.instruction), kernel);
  if (what.collected > now) text += fmt::format("  reads operands until cycle {}", sp_cycles(what.collected).count());
  text += fmt::format("  {} cycles {}-{}", what.begin > now ? "will take" : "takes", sp_cycles(what.begin).count(),
                      sp_cycles(what.end).count());
  return text;
}

std::string units_text(const SmEvents& events, const Kernel& kernel, SmCycle now) {
  static constexpr std::array<std::string_view, 4> units{"MAD", "SFU", "DP", "memory path"};
  const std::vector<SmEvents::Use> uses = events.uses(now);
  std::string text;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    bool first = true;
    for (const SmEvents::Use& use : uses) {
      if (use.occupation.unit != unit) continue;
      text += line(first ? units[unit] : "", use_text(use, kernel, now));
      first = false;
    }
    if (first) text += line(units[unit], "free");
  }
  return text;
}

}  // namespace

std::string pipeline_text(const Sm& sm, const SmEvents& events, const Kernel& kernel, SmCycle now) {
  std::string text = port_text(sm, events, kernel, now) + units_text(events, kernel, now);
  bool first = true;
  for (const SmEvents::Awaited& one : events.awaited()) {
    text +=
        line(first ? "results due" : "",
             fmt::format("{}  issued in cycle {}", instruction_text(one.warp, kernel.code.at(one.instruction), kernel),
                         sp_cycles(one.issued).count()));
    first = false;
  }
  if (first) text += line("results due", "none");
  std::vector<std::string> queues;
  sm.describe_queues(queues);
  first = true;
  for (const std::string& queue : queues) {
    text += line(first ? "queues" : "", queue.substr(queue.find(": ") + 2));
    first = false;
  }
  if (first) text += line("queues", "empty");
  return text;
}

std::string issue_line(const SmEvents::Issue& issue, const Kernel& kernel) {
  PipelineEvents::Instruction one;
  one.lanes = issue.executed;
  const std::string effects = effect_text(one, issue.effects);
  return fmt::format("cycle {}  warp {} (block {})  {:#06x}  {}  {:08x} |{}{}\n", sp_cycles(issue.when).count(),
                     issue.warp, issue.block, issue.instruction->pc, to_text(*issue.instruction, &kernel),
                     issue.executed, effects.empty() ? "" : " ", effects);
}

}  // namespace teslasim

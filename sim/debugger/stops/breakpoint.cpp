// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/stops/breakpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/clang/kernel_names.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

bool at_place(const DebugPlace& place, const Kernel& kernel, std::size_t index) {
  const Instruction& instruction = kernel.code[index];
  switch (place.kind) {
    case DebugPlace::Kind::pc:
      return instruction.pc == place.number;
    case DebugPlace::Kind::line: {
      const auto in_line = [&](const Instruction& one) {
        return one.source_line != 0 && one.source_line == place.number;
      };
      return in_line(instruction) && (index == 0 || !in_line(kernel.code[index - 1]));
    }
    case DebugPlace::Kind::label: {
      const auto label = kernel.labels.find(instruction.pc);
      return label != kernel.labels.end() && label->second == place.label;
    }
    case DebugPlace::Kind::kernel:
      return index == 0 && cuda::is_called(kernel.name, place.label);
    default:
      return false;
  }
}

MissingPlace missing_line(const DebugPlace& place, const Kernel& kernel) {
  std::uint32_t next = 0, last = 0;
  for (const Instruction& instruction : kernel.code) {
    const std::uint32_t line = instruction.source_line;
    last = std::max(last, line);
    if (line > place.number && (next == 0 || line < next)) next = line;
  }
  const std::string message = fmt::format("kernel '{}' has no instruction of line {}", kernel.name, place.number);
  if (last == 0) return {message, "its input tells no lines: use an address, see list all"};
  if (next == 0) return {message, fmt::format("its last line with instructions is {}", last)};
  return {message, fmt::format("the next line with instructions is {}", next)};
}

std::string condition_text(const StopCondition& condition) {
  static constexpr std::array<std::string_view, 4> subjects{"mask", "warp", "block", "sm"};
  const std::string_view subject = subjects[static_cast<unsigned>(condition.subject)];
  const char* const relation = condition.equal ? "==" : "!=";
  if (condition.subject != StopCondition::Subject::mask)
    return fmt::format("{}{}{}", subject, relation, condition.value);
  return condition.full ? fmt::format("mask{}full", relation) : fmt::format("mask{}{:08x}", relation, condition.value);
}

bool holds(const StopCondition& condition, const StandingWarp& warp) {
  std::uint64_t value = 0;
  switch (condition.subject) {
    case StopCondition::Subject::mask:
      return (warp.active == (condition.full ? warp.launched : condition.value)) == condition.equal;
    case StopCondition::Subject::warp:
      value = warp.number;
      break;
    case StopCondition::Subject::block:
      value = warp.block;
      break;
    case StopCondition::Subject::sm:
      value = warp.sm;
      break;
  }
  return (value == condition.value) == condition.equal;
}

}  // namespace

std::vector<std::uint32_t> instructions_at(const DebugPlace& place, const Kernel& kernel) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    if (at_place(place, kernel, i)) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

MissingPlace missing_place(const DebugPlace& place, const Kernel& kernel, const std::vector<std::string>& kernels) {
  if (place.kind == DebugPlace::Kind::line) return missing_line(place, kernel);
  if (place.kind == DebugPlace::Kind::pc) {
    const std::string message = fmt::format("no instruction of '{}' stands at {:#06x}", kernel.name, place.number);
    const auto next = std::find_if(kernel.code.begin(), kernel.code.end(),
                                   [&](const Instruction& instruction) { return instruction.pc > place.number; });
    const Instruction& near = next == kernel.code.end() ? kernel.code.back() : *next;
    return {message, fmt::format("the {} one is at {:#06x}; list all shows them",
                                 next == kernel.code.end() ? "last" : "next", near.pc)};
  }
  const bool only_kernel = place.kind == DebugPlace::Kind::kernel;
  std::vector<std::string> names = kernels;
  for (const auto& [pc, label] : kernel.labels) {
    if (!only_kernel) names.push_back(label);
  }
  const std::string message = only_kernel ? fmt::format("no launch is of a kernel '{}'", place.label)
                                          : fmt::format("kernel '{}' has no label '{}'{}", kernel.name, place.label,
                                                        kernels.empty() ? "" : ", and no launch is of such a kernel");
  const std::string near = nearest_word(place.label, names);
  if (!near.empty()) return {message, fmt::format("did you mean '{}'?", near)};
  return {message,
          only_kernel && !kernels.empty() ? "one is of '" + kernels.front() + "'" : "list all shows the labels"};
}

void Breakpoint::resolve(const Kernel& kernel) {
  instructions_ = instructions_at(place_, kernel);
  pcs_.clear();
  for (const std::uint32_t index : instructions_) pcs_.push_back(kernel.code[index].pc);
  at_join_ = std::any_of(instructions_.begin(), instructions_.end(),
                         [&kernel](std::uint32_t index) { return kernel.code[index].join; }) &&
             std::any_of(conditions_.begin(), conditions_.end(), [](const StopCondition& condition) {
               return condition.subject == StopCondition::Subject::mask;
             });
}

bool Breakpoint::stops(std::uint32_t instruction, const StandingWarp& warp) const {
  if (!std::binary_search(instructions_.begin(), instructions_.end(), instruction)) return false;
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&warp](const StopCondition& condition) { return holds(condition, warp); });
}

std::string Breakpoint::text() const {
  std::string text;
  for (const std::uint32_t pc : pcs_) text += fmt::format("{}{:#06x}", text.empty() ? "" : ", ", pc);
  if (place_.kind == DebugPlace::Kind::line) text = fmt::format("line {} at {}", place_.number, text);
  if (place_.kind == DebugPlace::Kind::label) text = fmt::format("label {} at {}", place_.label, text);
  if (place_.kind == DebugPlace::Kind::kernel) text = fmt::format("kernel {} at {}", place_.label, text);
  if (place_.kind == DebugPlace::Kind::pc && text.empty()) text = fmt::format("{:#06x}", place_.number);
  if (pcs_.empty()) text += place_.kind == DebugPlace::Kind::kernel ? "its launch" : " (not in this kernel)";
  for (std::size_t i = 0; i < conditions_.size(); ++i)
    text += (i == 0 ? " if " : " and ") + condition_text(conditions_[i]);
  return text;
}

}  // namespace teslasim

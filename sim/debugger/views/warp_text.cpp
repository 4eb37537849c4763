// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/views/warp_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "isa/disassembler.h"
#include "sim/base/slot_reason.h"
#include "sim/report/timeline/lane_values.h"

namespace teslasim {
namespace {

constexpr unsigned flag_registers = 4, word_bits = 64;

RegisterSet registers_of(const Kernel& kernel) {
  RegisterSet set;
  for (const Instruction& instruction : kernel.code) {
    for (std::size_t word = 0; word < set.words.size(); ++word)
      set.words[word] |= instruction.reads.words[word] | instruction.writes.words[word];
  }
  return set;
}

template <typename Each>
void for_each_bit(std::uint64_t bits, Each each) {
  for (; bits != 0; bits &= bits - 1) each(static_cast<unsigned>(std::countr_zero(bits)));
}

std::string value_text(const std::uint32_t* row, LaneMask lanes, std::optional<unsigned> lane) {
  if (lane) {
    const std::uint32_t value = row[*lane];
    return fmt::format("{:#010x}  {:>11}  {}", value, static_cast<std::int32_t>(value), std::bit_cast<float>(value));
  }
  std::array<std::uint32_t, warp_size> values{};
  std::copy_n(row, warp_size, values.begin());
  return lane_values_text(lanes, values);
}

std::string flag_text(const FlagPlanes& flags, LaneMask lanes, std::optional<unsigned> lane) {
  if (!lane) {
    return fmt::format("z:{:08x},s:{:08x},c:{:08x},o:{:08x}", flags.zero & lanes, flags.sign & lanes,
                       flags.carry & lanes, flags.overflow & lanes);
  }
  const auto bit = [&](LaneMask plane) { return plane >> *lane & 1U; };
  return fmt::format("z:{},s:{},c:{},o:{}", bit(flags.zero), bit(flags.sign), bit(flags.carry), bit(flags.overflow));
}

std::string_view type_text(StackEntry::Type type) {
  static constexpr std::array<std::string_view, 6> names{"branch", "call", "call.lim", "break", "quadon", "join"};
  return names[static_cast<unsigned>(type)];
}

std::string place_text(const Kernel& kernel, std::uint32_t index) {
  if (index >= kernel.code.size()) return "end";
  const std::uint32_t pc = kernel.code[index].pc;
  const auto label = kernel.labels.find(pc);
  return fmt::format("{:#06x}{}", pc, label == kernel.labels.end() ? "" : fmt::format(" ({})", label->second));
}

}  // namespace

LaneMask launched_lanes(const Launch& launch, unsigned number) {
  const unsigned first = number * warp_size, threads = launch.threads_per_block();
  if (threads <= first) return 0;
  return threads - first >= warp_size ? all_lanes : (LaneMask{1} << (threads - first)) - 1;
}

std::string warp_table(const std::vector<WarpView>& warps, const Kernel& kernel, WarpSlot current) {
  if (warps.empty()) return "no warps are here\n";
  std::string text = fmt::format("  {:>4}  {:>8}  {:>6}  {:6}  {:8}  {:<24}  {:>11}  {}\n", "warp", "block", "number",
                                 "pc", "lanes", "state", "since cycle", "next instruction");
  for (const WarpView& warp : warps) {
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{} {:>4}  {:>8}  {:>6}  ", warp.slot == current ? '*' : ' ', warp.slot, warp.block,
                   warp.number);
    const std::uint64_t since = sp_cycles(warp.since).count();
    if (warp.next == nullptr) {
      fmt::format_to(out, "{:6}  {:8}  {:<24}  {:>11}\n", "-", "-", info(SlotReason::finished).name, since);
      continue;
    }
    fmt::format_to(out, "{:#06x}  {:08x}  {:<24}  {:>11}  {}{}\n", warp.next->pc, warp.active, info(warp.state).name,
                   since, to_text(*warp.next, &kernel), warp.begun ? "  (further passes)" : "");
  }
  return text;
}

std::string state_counts(const std::vector<WarpView>& warps) {
  std::array<unsigned, slot_reason_count> counts{};
  for (const WarpView& warp : warps)
    ++counts[static_cast<unsigned>(warp.next == nullptr ? SlotReason::finished : warp.state)];
  std::string text;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (counts[i] != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], slot_reasons[i].name);
  }
  return text;
}

std::string register_text(const Kernel& kernel, const WarpValues& values, LaneMask lanes,
                          std::optional<unsigned> lane) {
  if (!values.known()) return "values are not known: the input is a recorded trace\n";
  const RegisterSet used = registers_of(kernel);
  std::string text;
  const auto out = std::back_inserter(text);
  for (unsigned word = 0; word < 2; ++word) {
    for_each_bit(used.words[word], [&](unsigned bit) {
      const unsigned index = word * word_bits + bit;
      if (index < values.registers)
        fmt::format_to(out, "{:<6} {}\n", fmt::format("$r{}", index), value_text(values.general(index), lanes, lane));
    });
  }
  for_each_bit(used.words[2] >> flag_registers, [&](unsigned index) {
    fmt::format_to(out, "{:<6} {}\n", fmt::format("$ofs{}", index), value_text(values.address(index), lanes, lane));
  });
  for_each_bit(used.words[2] & ((1U << flag_registers) - 1), [&](unsigned index) {
    fmt::format_to(out, "{:<6} {}\n", fmt::format("$p{}", index), flag_text(values.flags[index], lanes, lane));
  });
  return text;
}

std::string stack_text(const Kernel& kernel, const WarpView& warp, std::span<const StackEntry> entries) {
  std::string text = fmt::format("runs    {:08x}  {}\n", warp.active,
                                 warp.next == nullptr ? "finished" : place_text(kernel, warp.next->index));
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    text += fmt::format("{:<8}{:08x}  {}\n", type_text(entry->type), entry->mask, place_text(kernel, entry->index));
  }
  if (entries.empty()) text += "the stack is empty\n";
  return text;
}

std::string code_text(const Kernel& kernel, const std::vector<WarpView>& warps, std::size_t first, std::size_t end,
                      std::optional<std::uint32_t> marked) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = first; i < end && i < kernel.code.size(); ++i) {
    const Instruction& instruction = kernel.code[i];
    const auto label = kernel.labels.find(instruction.pc);
    if (label != kernel.labels.end()) fmt::format_to(out, "          {}:\n", label->second);
    std::string here;
    for (const WarpView& warp : warps) {
      if (warp.next == &instruction) here += fmt::format("{}{}", here.empty() ? "   <- warp " : ",", warp.slot);
    }
    fmt::format_to(out, "{} {:#06x}  {}{}\n", marked && *marked == i ? "->" : "  ", instruction.pc,
                   to_text(instruction, &kernel), here);
  }
  return text;
}

}  // namespace teslasim

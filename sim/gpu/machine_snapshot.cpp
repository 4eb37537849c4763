// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/machine_snapshot.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "isa/disassembler.h"
#include "sim/gpu/floor_plan/gpu.h"

namespace teslasim {
namespace {

using Lines = std::vector<std::string>;

void add_warp(const WarpView& warp, const Kernel& kernel, std::string& text) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  {:>8}  {:>4}  ", warp.block, warp.number);
  const std::uint64_t since = sp_cycles(warp.since).count();
  if (warp.next == nullptr) {
    fmt::format_to(out, "{:6}  {:8}  {:<20}  {:>12}\n", "-", "-", "finished", since);
    return;
  }
  fmt::format_to(out, "{:#06x}  {:08x}  {:<20}  {:>12}  {}\n", warp.next->pc, warp.active, info(warp.state).name, since,
                 to_text(*warp.next, &kernel));
}

void add_sm(const Sm& sm, unsigned number, const Kernel& kernel, std::string& text) {
  std::vector<WarpView> warps;
  sm.view_warps(warps);
  Lines queues;
  sm.describe_queues(queues);
  if (warps.empty() && queues.empty()) return;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "SM {}: {} blocks, {} warps; last issue in cycle {}\n", number, sm.blocks().resident(),
                 warps.size(), sp_cycles(sm.last_issue()).count());
  for (const std::string& line : queues) fmt::format_to(out, "  {}\n", line.substr(line.find(": ") + 2));
  if (warps.empty()) return;
  fmt::format_to(out, "  {:>8}  {:>4}  {:6}  {:8}  {:<20}  {:>12}  {}\n", "block", "warp", "pc", "lanes", "state",
                 "since cycle", "next instruction");
  for (const WarpView& warp : warps) add_warp(warp, kernel, text);
}

template <class Unit>
void add_unit(const char* name, const Unit& unit, std::string& text) {
  Lines lines;
  unit.describe_pending(lines);
  for (const std::string& line : lines) fmt::format_to(std::back_inserter(text), "{}: {}\n", name, line);
}

}  // namespace

std::string machine_snapshot(const Gpu& gpu, const Launch& launch) {
  std::string text;
  for (unsigned sm = 0; sm < gpu.sms().size(); ++sm) add_sm(gpu.sms()[sm]->core(), sm, *launch.kernel, text);
  const auto add = [&text](const auto& unit) { add_unit(unit.name(), unit, text); };
  for (const auto& tpc : gpu.tpcs()) add(*tpc);
  for (const auto& cache : gpu.constant_l2s()) add(*cache);
  add(gpu.constant_l3());
  add(gpu.management());
  add(gpu.crossbar());
  for (const auto& partition : gpu.partitions()) add(*partition);
  add(gpu.block_scheduler());
  return text;
}

}  // namespace teslasim

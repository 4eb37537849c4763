// SPDX-License-Identifier: Apache-2.0
// warp_states.csv: what each recorded warp was at, cycle by cycle.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/csv.h"
#include "sim/base/launch_statistics.h"
#include "sim/report/timeline/timeline.h"
#include "sim/report/timeline/warp_events.h"

namespace teslasim {
namespace {

using Instruction = PipelineEvents::Instruction;

/// A warp was in one state; `instruction` is what it issued then, or issues next.
struct StateSpan {
  SmCycle begin = 0, end = 0;
  SlotReason state = SlotReason::issued;
  std::uint32_t instruction = PipelineEvents::no_instruction, producer = PipelineEvents::no_instruction;
};

std::vector<StateSpan> passes_of(const WarpEvents& warp) {
  std::vector<StateSpan> passes;
  for (const Instruction* one : warp.instructions) {
    passes.push_back({one->issued, one->issued + 1, SlotReason::issuing, one->index});
    for (const SmCycle replay : one->replays)
      passes.push_back({replay, replay + 1, SlotReason::issuing_replay, one->index});
  }
  std::sort(passes.begin(), passes.end(), [](const StateSpan& a, const StateSpan& b) { return a.begin < b.begin; });
  return passes;
}

std::vector<StateSpan> spans_of(const WarpEvents& warp) {
  const std::vector<StateSpan> passes = passes_of(warp);
  std::vector<StateSpan> spans = passes;
  for (const PipelineEvents::Wait* wait : warp.waits) {
    StateSpan span{wait->begin, wait->end, wait->state, PipelineEvents::no_instruction, wait->producer};
    const auto next = std::lower_bound(passes.begin(), passes.end(), wait->end,
                                       [](const StateSpan& pass, SmCycle cycle) { return pass.begin < cycle; });
    // The next instruction of the slot is another block's once the warp has finished.
    if (next != passes.end() && wait->state != SlotReason::finished) span.instruction = next->instruction;
    spans.push_back(span);
  }
  std::sort(spans.begin(), spans.end(), [](const StateSpan& a, const StateSpan& b) { return a.begin < b.begin; });
  return spans;
}

class WarpStatesWriter {
 public:
  WarpStatesWriter(const Timeline& timeline, const TimelineSink& sink) : timeline_(timeline), sink_(sink) {}

  TimelineFile write() {
    lines_ = csv_row({"launch", "sm", "warp", "cycle_begin", "cycle_end", "state", "pc", "blamed_pc"});
    for (std::size_t number = 0; number < timeline_.launches.size(); ++number) launch(number);
    give_away();
    return file_;
  }

 private:
  void launch(std::size_t number) {
    const TimelineLaunch& launch = timeline_.launches[number];
    if (launch.events == nullptr) return;
    file_.dropped += launch.events->dropped;
    for (const WarpEvents& warp : events_of_warps(*launch.events)) {
      const std::string head =
          fmt::format("{},{},{}", launch.result->index.value_or(number), warp.key.sm, warp.key.warp);
      for (const StateSpan& span : spans_of(warp)) add(head, span, launch.result->listing);
    }
  }

  void add(const std::string& head, const StateSpan& span, const std::vector<ListingLine>& listing) {
    if (given_away_ + lines_.size() >= timeline_.most_bytes) {
      ++file_.dropped;
      return;
    }
    fmt::format_to(std::back_inserter(lines_), "{},{},{},{},", head, sp_cycles(span.begin).count(),
                   sp_cycles(span.end).count(), name_of_warp_state(static_cast<std::size_t>(span.state)));
    add_pc(span.instruction, listing);
    lines_ += ',';
    add_pc(span.producer, listing);
    lines_ += '\n';
    ++file_.events;
    if (lines_.size() >= piece) give_away();
  }

  void add_pc(std::uint32_t index, const std::vector<ListingLine>& listing) {
    if (index < listing.size()) fmt::format_to(std::back_inserter(lines_), "0x{:04x}", listing[index].pc);
  }

  void give_away() {
    given_away_ += lines_.size();
    sink_(lines_);
    lines_.clear();
  }

  static constexpr std::size_t piece = 1'000'000;
  const Timeline& timeline_;
  const TimelineSink& sink_;
  std::string lines_;
  std::uint64_t given_away_ = 0;
  TimelineFile file_;
};

}  // namespace

TimelineFile warp_states_file(const Timeline& timeline, const TimelineSink& sink) {
  return WarpStatesWriter(timeline, sink).write();
}

}  // namespace teslasim

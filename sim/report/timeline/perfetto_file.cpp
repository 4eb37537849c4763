// SPDX-License-Identifier: Apache-2.0
// The tree of tracks: kernels, DRAM, crossbar, and per SM issue slots, warps, units and blocks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "sim/report/timeline/timeline.h"
#include "sim/report/timeline/track_events.h"

namespace teslasim {
namespace {

using Track = TrackEvents::Track;
using Instruction = PipelineEvents::Instruction;
using Wait = PipelineEvents::Wait;
constexpr std::array<const char*, 4> unit_track_names{"SP", "SFU", "DP", "LSU"};

struct WarpEvents {
  std::vector<const Instruction*> instructions;
  std::vector<const Wait*> waits;
};

class PerfettoWriter {
 public:
  explicit PerfettoWriter(const Timeline& timeline) : timeline_(timeline), out_(timeline.most_bytes) {}
  TimelineFile write();

 private:
  struct SmTracks {
    Track sm = 0, issue = 0, active = 0, eligible = 0, units = 0, blocks = 0, warps = 0;
    std::array<Track, 4> unit{};
    std::map<unsigned, Track> warp, slot;
  };
  [[nodiscard]] std::uint64_t time(Cycle cycle) const { return 2 * (start_ + cycle); }
  SmTracks& tracks_of(unsigned sm);
  Track warp_track(unsigned sm, unsigned warp);
  void kernels();
  void memory_counters();
  void sm_counters();
  void blocks();
  void phases(Track track, const PipelineEvents::Block& block);
  void dram_commands();
  Track bank_track(unsigned partition, unsigned bank);
  void window();
  void warp(const WarpKey& key, const WarpEvents& events);
  void flows_of(const WarpEvents& events, std::map<const Instruction*, std::vector<std::uint64_t>>& flows);
  [[nodiscard]] std::vector<TrackEvents::Note> notes_of(const Instruction& instruction) const;

  const Timeline& timeline_;
  TrackEvents out_;
  Track gpu_ = 0, kernels_ = 0;
  std::map<unsigned, Track> tpcs_;
  std::map<unsigned, SmTracks> sms_;
  struct Partition {
    Track track = 0, traffic = 0, queue = 0;
  };
  std::vector<Partition> partitions_;
  std::map<std::pair<unsigned, unsigned>, Track> banks_;
  std::map<std::pair<unsigned, unsigned>, std::vector<Cycle>> openings_;  ///< of barriers, by SM and block slot
  Track noc_requests_ = 0, noc_replies_ = 0;
  Cycle start_ = 0;
  const LaunchResult* result_ = nullptr;
  const PipelineEvents* events_ = nullptr;
  std::uint64_t next_flow_ = 1;
};

PerfettoWriter::SmTracks& PerfettoWriter::tracks_of(unsigned sm) {
  const auto found = sms_.find(sm);
  if (found != sms_.end()) return found->second;
  const unsigned tpc = sm / timeline_.sms_per_tpc;
  if (!tpcs_.contains(tpc)) tpcs_[tpc] = out_.track(gpu_, fmt::format("TPC {}", tpc));
  SmTracks tracks;
  tracks.sm = out_.track(tpcs_[tpc], fmt::format("SM {}", sm));
  tracks.issue = out_.track(tracks.sm, "issue");
  tracks.eligible = out_.counter(tracks.sm, "eligible warps", "warps");
  tracks.active = out_.counter(tracks.sm, "active warps", "warps");
  tracks.units = out_.track(tracks.sm, "units");
  for (std::size_t i = 0; i < tracks.unit.size(); ++i) tracks.unit[i] = out_.track(tracks.units, unit_track_names[i]);
  tracks.blocks = out_.track(tracks.sm, "CTA slots");
  tracks.warps = out_.track(tracks.sm, "warps");
  return sms_.emplace(sm, std::move(tracks)).first->second;
}

Track PerfettoWriter::warp_track(unsigned sm, unsigned warp) {
  SmTracks& tracks = tracks_of(sm);
  const auto found = tracks.warp.find(warp);
  if (found != tracks.warp.end()) return found->second;
  return tracks.warp[warp] = out_.track(tracks.warps, fmt::format("w{:02}", warp));
}

void PerfettoWriter::kernels() {
  const LaunchStatistics& launch = result_->statistics;
  out_.slice(kernels_, launch.kernel, time(0), time(launch.shader_cycles / 2),
             {{"grid", fmt::format("{} x {}", launch.grid[0], launch.grid[1])},
              {"block", fmt::format("{} x {} x {}", launch.block[0], launch.block[1], launch.block[2])},
              {"occupancy", fmt::format("{} of {} warps", launch.occupancy.warps, launch.occupancy.max_warps)}});
}

void PerfettoWriter::memory_counters() {
  const IntervalSeries& series = result_->statistics.intervals.memory;
  if (!series.recorded()) return;
  const double cycle_ns = 2e3 / timeline_.shader_mhz;
  const auto width = static_cast<double>(series.width());
  for (std::size_t row = 0; row < series.rows(); ++row) {
    const std::uint64_t when = time(row * series.width());
    for (unsigned i = 0; i < partitions_.size(); ++i) {
      const unsigned own = interval_memory_columns + interval_partition_columns * i;
      out_.value(partitions_[i].traffic, when, static_cast<double>(series.at(row, own)) / (width * cycle_ns));
      out_.value(partitions_[i].queue, when,
                 static_cast<double>(series.at(row, own + 1)) * timeline_.memory_period_per_sm_period / width);
    }
    out_.value(noc_requests_, when, static_cast<double>(series.at(row, interval_noc_requests)) / width);
    out_.value(noc_replies_, when, static_cast<double>(series.at(row, interval_noc_replies)) / width);
  }
}

void PerfettoWriter::sm_counters() {
  const IntervalStatistics& intervals = result_->statistics.intervals;
  for (const auto& [sm, tracks] : sms_) {
    const IntervalSeries& series = intervals.sms.empty() ? intervals.gpu : intervals.sms[sm];
    const auto width = static_cast<double>(series.width());
    for (std::size_t row = 0; row < series.rows(); ++row) {
      const std::uint64_t when = time(row * series.width());
      out_.value(tracks.active, when, static_cast<double>(series.at(row, interval_active)) / width);
      out_.value(tracks.eligible, when, static_cast<double>(series.at(row, interval_eligible)) / width);
    }
  }
}

void PerfettoWriter::blocks() {
  openings_.clear();
  for (const PipelineEvents::Opening& one : events_->openings) openings_[{one.sm, one.slot}].push_back(one.when);
  for (const PipelineEvents::Block& block : events_->blocks) {
    SmTracks& tracks = tracks_of(block.sm);
    const auto found = tracks.slot.find(block.slot);
    const Track track = found != tracks.slot.end()
                            ? found->second
                            : tracks.slot[block.slot] = out_.track(tracks.blocks, fmt::format("slot {}", block.slot));
    const bool open =
        out_.open(track, fmt::format("CTA {}", block.block), time(block.begin),
                  {{"warps", fmt::format("{} to {}", block.first_warp, block.first_warp + block.warps - 1)}});
    phases(track, block);
    if (open) out_.close(track, time(block.end));
  }
}

/// What lies between the barriers of a block, inside its slice.
void PerfettoWriter::phases(Track track, const PipelineEvents::Block& block) {
  const std::vector<Cycle>& of_slot = openings_[{block.sm, block.slot}];
  const auto first = std::upper_bound(of_slot.begin(), of_slot.end(), block.begin);
  const auto last = std::lower_bound(first, of_slot.end(), block.end);
  if (first == last) return;
  std::vector<Cycle> bounds{block.begin};
  std::unique_copy(first, last, std::back_inserter(bounds));
  bounds.push_back(block.end);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    out_.slice(track, fmt::format("phase {}", i), time(bounds[i]), time(bounds[i + 1]));
  }
}

/// Commands to the chips, one track per bank. A command ends at the latest where the bank's next one begins.
void PerfettoWriter::dram_commands() {
  using Command = PipelineEvents::DramCommand;
  constexpr std::array<const char*, 5> names{"ACT", "RD", "WR", "PRE", "REF"};
  std::map<std::pair<unsigned, unsigned>, std::vector<const Command*>> banks;
  for (const Command& one : events_->dram_commands) banks[{one.partition, one.bank}].push_back(&one);
  const double shader_cycles = 2 * timeline_.memory_period_per_sm_period;
  const auto when = [&](Cycle cycle) {
    return time(0) + static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle) * shader_cycles));
  };
  for (auto& [place, commands] : banks) {
    std::stable_sort(commands.begin(), commands.end(),
                     [](const Command* left, const Command* right) { return left->begin < right->begin; });
    const Track track = bank_track(place.first, place.second);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const Command& one = *commands[i];
      const Cycle end = i + 1 < commands.size() ? std::min(one.end, commands[i + 1]->begin) : one.end;
      if (when(end) <= when(one.begin)) continue;
      std::vector<TrackEvents::Note> notes;
      if (one.kind == PipelineEvents::DramCommandKind::activate) notes.push_back({"row", std::to_string(one.row)});
      if (one.kind == PipelineEvents::DramCommandKind::read || one.kind == PipelineEvents::DramCommandKind::write) {
        notes = {{"row", std::to_string(one.row)}, {"bytes", std::to_string(one.bytes)}};
      }
      out_.slice(track, names[static_cast<std::size_t>(one.kind)], when(one.begin), when(end), notes);
    }
  }
}

Track PerfettoWriter::bank_track(unsigned partition, unsigned bank) {
  const auto [known, is_new] = banks_.try_emplace({partition, bank}, Track{0});
  if (is_new) known->second = out_.track(partitions_.at(partition).track, fmt::format("bank {}", bank));
  return known->second;
}

std::vector<TrackEvents::Note> PerfettoWriter::notes_of(const Instruction& instruction) const {
  const std::string place = place_of(*result_, instruction.index);
  const std::size_t colon = place.find(": ");
  std::vector<TrackEvents::Note> notes{{"pc", place.substr(0, colon)},
                                       {"text", colon == std::string::npos ? "" : place.substr(colon + 2)},
                                       {"mask", fmt::format("0x{:08x}", instruction.lanes)},
                                       {"lanes", std::to_string(std::popcount(instruction.lanes))},
                                       {"cta", std::to_string(instruction.block)}};
  if (instruction.address != 0) notes.push_back({"address of lane 0", fmt::format("0x{:08x}", instruction.address)});
  if (!instruction.replays.empty()) notes.push_back({"passes", std::to_string(1 + instruction.replays.size())});
  if (instruction.transactions != 0) notes.push_back({"transactions", std::to_string(instruction.transactions)});
  if (instruction.written != 0)
    notes.push_back({"result after", fmt::format("{} cycles", 2 * (instruction.written - instruction.issued))});
  return notes;
}

/// Arrows: from an instruction to the one that waited for its result, and from an arrival at a barrier to the release.
void PerfettoWriter::flows_of(const WarpEvents& events,
                              std::map<const Instruction*, std::vector<std::uint64_t>>& flows) {
  for (const Wait* wait : events.waits) {
    const bool barrier = wait->state == SlotReason::sync_barrier;
    if (wait->producer == PipelineEvents::no_instruction && !barrier) continue;
    const auto after = std::partition_point(events.instructions.begin(), events.instructions.end(),
                                            [wait](const Instruction* one) { return one->issued < wait->end; });
    if (after == events.instructions.begin() || after == events.instructions.end()) continue;
    const Instruction* source = nullptr;
    for (auto one = after; one != events.instructions.begin() && source == nullptr;) {
      --one;
      if (barrier || (*one)->index == wait->producer) source = *one;
    }
    if (source == nullptr) continue;
    flows[source].push_back(next_flow_);
    flows[*after].push_back(next_flow_++);
  }
}

void PerfettoWriter::warp(const WarpKey& key, const WarpEvents& events) {
  const Track track = warp_track(key.sm, key.warp);
  std::map<const Instruction*, std::vector<std::uint64_t>> flows;
  flows_of(events, flows);
  for (const Instruction* one : events.instructions) {
    const Cycle last = one->replays.empty() ? one->issued : one->replays.back();
    const std::string place = place_of(*result_, one->index);
    out_.slice(track, place, time(one->issued), time(last + 1), notes_of(*one), flows[one]);
    const bool load = one->transactions != 0 && one->written != 0;
    if (load && !flows[one].empty()) out_.instant(track, "data returned", time(one->written), flows[one]);
  }
  for (const Wait* wait : events.waits) {
    std::vector<TrackEvents::Note> notes;
    if (wait->producer != PipelineEvents::no_instruction)
      notes.push_back({"blamed", place_of(*result_, wait->producer)});
    const SlotReasonInfo& reason = info(wait->state);
    const std::string name = (reason.views == ReasonViews::AB ? "wait." : "") + std::string(reason.name);
    out_.slice(track, name, time(wait->begin), time(wait->end), notes);
  }
}

void PerfettoWriter::window() {
  for (const PipelineEvents::Slots& slots : events_->slots) {
    out_.slice(tracks_of(slots.sm).issue, std::string(info(slots.reason).name), time(slots.begin), time(slots.end));
  }
  for (const PipelineEvents::Unit& unit : events_->units) {
    out_.slice(tracks_of(unit.sm).unit[unit.unit], place_of(*result_, unit.index), time(unit.begin), time(unit.end));
  }
  std::map<WarpKey, WarpEvents> warps;
  for (const Instruction& one : events_->instructions) warps[{one.sm, one.warp}].instructions.push_back(&one);
  for (const Wait& wait : events_->waits) warps[{wait.sm, wait.warp}].waits.push_back(&wait);
  for (const auto& [key, events] : warps) warp(key, events);
}

TimelineFile PerfettoWriter::write() {
  gpu_ = out_.track(TrackEvents::root, fmt::format("GPU  {} - 1 ns = 1 shader cycle", timeline_.machine));
  kernels_ = out_.track(gpu_, "Kernels");
  const Track dram = out_.track(gpu_, "DRAM");
  const std::size_t count = timeline_.launches.empty() ? 0 : timeline_.launches[0].result->statistics.partitions.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Track partition = out_.track(dram, fmt::format("partition {}", i));
    partitions_.push_back({partition, out_.counter(partition, fmt::format("partition {} traffic", i), "GB/s"),
                           out_.counter(partition, fmt::format("partition {} queue", i), "transactions")});
  }
  const Track noc = out_.track(gpu_, "NoC");
  noc_requests_ = out_.counter(noc, "requests waiting in the crossbar", "transactions");
  noc_replies_ = out_.counter(noc, "replies waiting in the crossbar", "transactions");
  std::uint64_t not_recorded = 0;
  for (const TimelineLaunch& launch : timeline_.launches) {
    start_ = launch.start;
    result_ = launch.result;
    events_ = launch.events;
    kernels();
    if (events_ != nullptr) {
      blocks();
      window();
      dram_commands();
      not_recorded += events_->dropped;
    }
    if (result_->statistics.intervals.recorded()) {
      sm_counters();
      memory_counters();
    }
  }
  const Cycle end = result_ == nullptr ? 0 : result_->statistics.shader_cycles / 2;
  out_.say_dropped(kernels_, time(end), not_recorded);
  TimelineFile file{{}, out_.events(), out_.dropped() + not_recorded};
  file.bytes = out_.take();
  return file;
}

}  // namespace

std::string place_of(const LaunchResult& launch, std::uint32_t index) {
  if (index >= launch.listing.size()) return "";
  return fmt::format("0x{:04x}: {}", launch.listing[index].pc, launch.listing[index].text);
}

TimelineFile perfetto_file(const Timeline& timeline) {
  return PerfettoWriter(timeline).write();
}

}  // namespace teslasim

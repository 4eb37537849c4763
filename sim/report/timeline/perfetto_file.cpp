// SPDX-License-Identifier: Apache-2.0
// The tree of tracks: kernels, DRAM, crossbar, and per SM issue slots, warps, units and blocks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "sim/report/timeline/timeline.h"
#include "sim/report/timeline/track_events.h"
#include "sim/report/timeline/warp_events.h"

namespace teslasim {
namespace {

using Track = TrackEvents::Track;
using Instruction = PipelineEvents::Instruction;
using Wait = PipelineEvents::Wait;
constexpr std::array<const char*, 4> unit_track_names{"SP", "SFU", "DP", "LSU"};

/// The notes of one event, without memory of their own.
class NoteList {
 public:
  void number(TrackEvents::Label label, std::uint64_t value) { add({label, TrackEvents::Note::Kind::number, value}); }
  void pointer(TrackEvents::Label label, std::uint64_t value) { add({label, TrackEvents::Note::Kind::pointer, value}); }
  void text(TrackEvents::Label label, TrackEvents::Text value) {
    add({label, TrackEvents::Note::Kind::text, static_cast<std::uint64_t>(value)});
  }
  [[nodiscard]] TrackEvents::Notes notes() const { return {notes_.data(), count_}; }

 private:
  void add(TrackEvents::Note note) { notes_.at(count_++) = note; }
  std::array<TrackEvents::Note, 10> notes_;
  std::size_t count_ = 0;
};

class PerfettoWriter {
 public:
  PerfettoWriter(const Timeline& timeline, const TimelineSink& sink)
      : timeline_(timeline), out_(timeline.most_bytes, sink) {}
  TimelineFile write();

 private:
  struct SmTracks {
    Track sm = 0, issue = 0, active = 0, eligible = 0, units = 0, blocks = 0, warps = 0;
    std::array<Track, 4> unit{};
    std::map<unsigned, Track> warp, slot;
  };
  /// The numbers of an instruction's texts.
  struct Place {
    TrackEvents::Name name{};
    TrackEvents::Text whole{}, text{};
    std::uint32_t pc = 0;
  };
  /// An arrow that begins or ends at an instruction of the warp that is being written.
  struct FlowEnd {
    std::size_t instruction = 0;  ///< position in the warp's list
    std::uint64_t flow = 0;
    friend bool operator<(const FlowEnd& left, const FlowEnd& right) {
      return std::pair(left.instruction, left.flow) < std::pair(right.instruction, right.flow);
    }
  };
  [[nodiscard]] std::uint64_t time(SmCycle cycle) const { return sp_cycles(start_ + cycle).count(); }
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
  void warp(const WarpEvents& events);
  void waits(Track track, const WarpEvents& events);
  void flows_of(const WarpEvents& events);
  [[nodiscard]] NoteList notes_of(const Instruction& instruction);
  void begin_launch(const TimelineLaunch& launch);
  const Place& place(std::uint32_t instruction);
  TrackEvents::Name reason_name(SlotReason reason);
  TrackEvents::Name wait_name(SlotReason reason);

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
  std::map<std::pair<unsigned, unsigned>, std::vector<SmCycle>> openings_;  ///< of barriers, by SM and block slot
  Track noc_requests_ = 0, noc_replies_ = 0;
  SmCycle start_ = 0;
  const LaunchResult* result_ = nullptr;
  const PipelineEvents* events_ = nullptr;
  std::uint64_t next_flow_ = 1;
  std::vector<Place> places_;  ///< of the launch's listing, and one for what is not in it; without name: not known yet
  PerReason<TrackEvents::Name> reasons_, waits_;
  std::vector<FlowEnd> flow_ends_;
  std::vector<std::uint64_t> flows_;  ///< of one instruction
  const TrackEvents::Label pc_ = out_.label("pc"), text_ = out_.label("text"), mask_ = out_.label("mask"),
                           lanes_ = out_.label("lanes"), cta_ = out_.label("cta"),
                           address_ = out_.label("address of lane 0"), passes_ = out_.label("passes"),
                           transactions_ = out_.label("transactions"),
                           result_after_ = out_.label("result after cycles"), blamed_ = out_.label("blamed"),
                           row_ = out_.label("row"), bytes_ = out_.label("bytes");
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
  tracks.blocks = out_.track(tracks.sm, "block slots");
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
  const auto text = [this](const std::string& words) { return out_.text(words); };
  NoteList notes;
  notes.text(out_.label("grid"), text(fmt::format("{} x {}", launch.grid[0], launch.grid[1])));
  notes.text(out_.label("block"), text(fmt::format("{} x {} x {}", launch.block[0], launch.block[1], launch.block[2])));
  notes.text(out_.label("occupancy"),
             text(fmt::format("{} of {} warps", launch.occupancy.warps, launch.occupancy.max_warps)));
  out_.slice(kernels_, out_.name(launch.kernel), time(0), time(whole_sm_cycles(launch.shader_cycles)), notes.notes());
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
    NoteList notes;
    notes.text(out_.label("warps"),
               out_.text(fmt::format("{} to {}", block.first_warp, block.first_warp + block.warps - 1)));
    const bool open =
        out_.open(track, out_.name(fmt::format("block {}", block.block)), time(block.begin), notes.notes());
    phases(track, block);
    if (open) out_.close(track, time(block.end));
  }
}

/// What lies between the barriers of a block, inside its slice.
void PerfettoWriter::phases(Track track, const PipelineEvents::Block& block) {
  const std::vector<SmCycle>& of_slot = openings_[{block.sm, block.slot}];
  const auto first = std::upper_bound(of_slot.begin(), of_slot.end(), block.begin);
  const auto last = std::lower_bound(first, of_slot.end(), block.end);
  if (first == last) return;
  std::vector<SmCycle> bounds{block.begin};
  std::unique_copy(first, last, std::back_inserter(bounds));
  bounds.push_back(block.end);
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    out_.slice(track, out_.name(fmt::format("phase {}", i)), time(bounds[i]), time(bounds[i + 1]));
  }
}

/// Commands to the chips, one track per bank. A command ends at the latest where the bank's next one begins.
void PerfettoWriter::dram_commands() {
  using Command = PipelineEvents::DramCommand;
  const std::array<TrackEvents::Name, 5> names{out_.name("ACT"), out_.name("RD"), out_.name("WR"), out_.name("PRE"),
                                               out_.name("REF")};
  std::map<std::pair<unsigned, unsigned>, std::vector<const Command*>> banks;
  for (const Command& one : events_->dram_commands) banks[{one.partition, one.bank}].push_back(&one);
  const double shader_cycles = 2 * timeline_.memory_period_per_sm_period;
  const auto when = [&](MemoryCycle cycle) {
    return time(0) + static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle) * shader_cycles));
  };
  for (auto& [place, commands] : banks) {
    std::stable_sort(commands.begin(), commands.end(),
                     [](const Command* left, const Command* right) { return left->begin < right->begin; });
    const Track track = bank_track(place.first, place.second);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const Command& one = *commands[i];
      const MemoryCycle end = i + 1 < commands.size() ? std::min(one.end, commands[i + 1]->begin) : one.end;
      if (when(end) <= when(one.begin)) continue;
      NoteList notes;
      const bool moves =
          one.kind == PipelineEvents::DramCommandKind::read || one.kind == PipelineEvents::DramCommandKind::write;
      if (moves || one.kind == PipelineEvents::DramCommandKind::activate) notes.number(row_, one.row);
      if (moves) notes.number(bytes_, one.bytes);
      out_.slice(track, names[static_cast<std::size_t>(one.kind)], when(one.begin), when(end), notes.notes());
    }
  }
}

Track PerfettoWriter::bank_track(unsigned partition, unsigned bank) {
  const auto [known, is_new] = banks_.try_emplace({partition, bank}, Track{0});
  if (is_new) known->second = out_.track(partitions_.at(partition).track, fmt::format("bank {}", bank));
  return known->second;
}

void PerfettoWriter::begin_launch(const TimelineLaunch& launch) {
  start_ = launch.start;
  result_ = launch.result;
  events_ = launch.events;
  places_.assign(result_->listing.size() + 1, Place{});
}

const PerfettoWriter::Place& PerfettoWriter::place(std::uint32_t instruction) {
  Place& place = places_[std::min<std::size_t>(instruction, places_.size() - 1)];
  if (place.name != TrackEvents::Name{}) return place;
  const std::string whole = place_of(*result_, instruction);
  place.name = out_.name(whole);
  place.whole = out_.text(whole);
  const bool listed = instruction < result_->listing.size();
  place.text = out_.text(listed ? result_->listing[instruction].text : "");
  if (listed) place.pc = result_->listing[instruction].pc;
  return place;
}

TrackEvents::Name PerfettoWriter::reason_name(SlotReason reason) {
  TrackEvents::Name& name = reasons_[reason];
  if (name == TrackEvents::Name{}) name = out_.name(info(reason).name);
  return name;
}

TrackEvents::Name PerfettoWriter::wait_name(SlotReason reason) {
  TrackEvents::Name& name = waits_[reason];
  if (name != TrackEvents::Name{}) return name;
  const SlotReasonInfo& words = info(reason);
  return name = out_.name((words.views == ReasonViews::AB ? "wait." : "") + std::string(words.name));
}

NoteList PerfettoWriter::notes_of(const Instruction& instruction) {
  const Place& where = place(instruction.index);
  NoteList notes;
  notes.pointer(pc_, where.pc);
  notes.text(text_, where.text);
  notes.pointer(mask_, instruction.lanes);
  notes.number(lanes_, static_cast<unsigned>(std::popcount(instruction.lanes)));
  notes.number(cta_, instruction.block);
  if (instruction.address != 0) notes.pointer(address_, instruction.address);
  if (!instruction.replays.empty()) notes.number(passes_, 1 + instruction.replays.size());
  if (instruction.transactions != 0) notes.number(transactions_, instruction.transactions);
  if (instruction.written != 0)
    notes.number(result_after_, sp_cycles(instruction.written - instruction.issued).count());
  return notes;
}

/// Arrows: from an instruction to the one that waited for its result, and from an arrival at a barrier to the release.
void PerfettoWriter::flows_of(const WarpEvents& events) {
  flow_ends_.clear();
  const std::vector<const Instruction*>& all = events.instructions;
  for (const Wait* wait : events.waits) {
    const bool barrier = wait->state == SlotReason::sync_barrier;
    if (wait->producer == PipelineEvents::no_instruction && !barrier) continue;
    const auto after = static_cast<std::size_t>(
        std::partition_point(all.begin(), all.end(),
                             [wait](const Instruction* one) { return one->issued < wait->end; }) -
        all.begin());
    if (after == all.size()) continue;
    std::size_t behind_source = after;
    while (behind_source != 0 && !barrier && all[behind_source - 1]->index != wait->producer) --behind_source;
    if (behind_source == 0) continue;
    flow_ends_.push_back({behind_source - 1, next_flow_});
    flow_ends_.push_back({after, next_flow_++});
  }
  std::sort(flow_ends_.begin(), flow_ends_.end());
}

void PerfettoWriter::warp(const WarpEvents& events) {
  const Track track = warp_track(events.key.sm, events.key.warp);
  flows_of(events);
  auto flow = flow_ends_.cbegin();
  for (std::size_t i = 0; i < events.instructions.size(); ++i) {
    const Instruction& one = *events.instructions[i];
    flows_.clear();
    for (; flow != flow_ends_.cend() && flow->instruction == i; ++flow) flows_.push_back(flow->flow);
    const SmCycle last = one.replays.empty() ? one.issued : one.replays.back();
    out_.slice(track, place(one.index).name, time(one.issued), time(last + 1), notes_of(one).notes(), flows_);
    const bool load = one.transactions != 0 && one.written != 0;
    if (load && !flows_.empty()) out_.instant(track, out_.name("data returned"), time(one.written), flows_);
  }
  waits(track, events);
}

void PerfettoWriter::waits(Track track, const WarpEvents& events) {
  for (const Wait* wait : events.waits) {
    NoteList notes;
    if (wait->producer != PipelineEvents::no_instruction) notes.text(blamed_, place(wait->producer).whole);
    out_.slice(track, wait_name(wait->state), time(wait->begin), time(wait->end), notes.notes());
  }
}

void PerfettoWriter::window() {
  for (const PipelineEvents::Slots& slots : events_->slots) {
    out_.slice(tracks_of(slots.sm).issue, reason_name(slots.reason), time(slots.begin), time(slots.end));
  }
  for (const PipelineEvents::Unit& unit : events_->units) {
    out_.slice(tracks_of(unit.sm).unit[unit.unit], place(unit.index).name, time(unit.begin), time(unit.end));
  }
  for (const WarpEvents& one : events_of_warps(*events_)) warp(one);
}

TimelineFile PerfettoWriter::write() {
  gpu_ = out_.track(TrackEvents::root, fmt::format("GPU  {} - 1 ns = 1 SP cycle", timeline_.machine));
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
    begin_launch(launch);
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
  const SmCycle end = result_ == nullptr ? 0 : whole_sm_cycles(result_->statistics.shader_cycles);
  out_.say_dropped(kernels_, time(end), not_recorded);
  out_.give_away();
  return {out_.events(), out_.dropped() + not_recorded};
}

}  // namespace

std::string place_of(const LaunchResult& launch, std::uint32_t index) {
  if (index >= launch.listing.size()) return "";
  return fmt::format("0x{:04x}: {}", launch.listing[index].pc, launch.listing[index].text);
}

TimelineFile perfetto_file(const Timeline& timeline, const TimelineSink& sink) {
  return PerfettoWriter(timeline, sink).write();
}

}  // namespace teslasim

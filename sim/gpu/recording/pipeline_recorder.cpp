// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/pipeline_recorder.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "isa/disassembler.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"
#include "sim/gpu/recording/effect_capture.h"
#include "sim/gpu/recording/observer_pair.h"

namespace teslasim {
namespace {

/// "mem" stands for "mem.global", "mem.shared"...
bool matches(std::string_view wanted, std::string_view reason) {
  if (!reason.starts_with(wanted)) return false;
  return reason.size() == wanted.size() || reason[wanted.size()] == '.';
}

template <typename Event>
void prune_before(std::deque<Event>& events, decltype(Event::end) oldest, std::uint64_t& kept) {
  while (!events.empty() && events.front().end < oldest) {
    events.pop_front();
    --kept;
  }
}

template <typename Event>
void append(const std::deque<Event>& from, decltype(Event::end) begin, decltype(Event::end) end,
            std::vector<Event>& to) {
  std::copy_if(from.begin(), from.end(), std::back_inserter(to),
               [begin, end](const Event& event) { return event.end > begin && event.begin < end; });
}

std::uint32_t first_address(const WarpInst& record) {
  const auto first = [](LaneMask lanes) { return static_cast<std::size_t>(std::countr_zero(lanes)); };
  if (record.memory != nullptr && record.memory->lanes != 0) return record.memory->address[first(record.memory->lanes)];
  if (record.shared.lanes != 0) return record.shared.address[record.shared.uniform ? 0 : first(record.shared.lanes)];
  return 0;
}

}  // namespace

SmRecorder::SmRecorder(PipelineRecorder& recorder, SmIndex sm, const WarpStream* stream, bool decides)
    : recorder_(recorder), sm_(static_cast<std::uint16_t>(sm)), stream_(stream), decides_(decides) {
  for (std::vector<Awaited>& awaited : awaited_) awaited.reserve(most_awaited);
}

bool SmRecorder::wanted(SmCycle begin, SmCycle end) const {
  if (recorder_.options_.window.kind == RecordingWindow::Kind::nothing) return false;
  if (!recorder_.known_) return true;
  return end > recorder_.begin_ && begin < recorder_.end_;
}

bool SmRecorder::room() {
  if (kept_ < recorder_.part()) {
    ++kept_;
    return true;
  }
  ++dropped_;
  return false;
}

/// Before the window is known only the youngest events are held.
void SmRecorder::prune(SmCycle now) {
  if (recorder_.known_ || now < PipelineRecorder::kept_back) return;
  const SmCycle oldest = now - PipelineRecorder::kept_back;
  prune_before(waits_, oldest, kept_);
  prune_before(slots_, oldest, kept_);
  prune_before(units_, oldest, kept_);
  while (!instructions_.empty() && instructions_.front().issued < oldest) {
    instructions_.pop_front();
    if (!effects_.empty()) effects_.pop_front();
    ++pruned_;
    --kept_;
  }
}

void SmRecorder::look_for_stall(SlotReason reason, SmCycle begin, SmCycle end) {
  const RecordingWindow& window = recorder_.options_.window;
  if (!decides_ || recorder_.known_ || window.kind != RecordingWindow::Kind::stall) return;
  const bool counts = matches(window.reason, info(reason).name);
  while (begin < end) {
    const SmCycle stop = std::min(end, bucket_ + RecordingWindow::stall_bucket);
    if (counts) in_bucket_ += stop - begin;
    begin = stop;
    if (stop < bucket_ + RecordingWindow::stall_bucket) return;
    if (static_cast<double>(in_bucket_) > window.share * static_cast<double>(RecordingWindow::stall_bucket)) {
      return recorder_.match(bucket_, "SM " + std::to_string(sm_) + ", " + window.reason);
    }
    bucket_ = stop;
    in_bucket_ = 0;
  }
}

void SmRecorder::slots(SlotReason reason, SmCycle begin, SmCycle end) {
  look_for_stall(reason, begin, end);
  if (!recorder_.options_.events.slots || !wanted(begin, end)) return;
  if (!slots_.empty() && slots_.back().reason == reason && slots_.back().end == begin) {
    slots_.back().end = end;
  } else if (room()) {
    slots_.push_back({sm_, reason, begin, end});
  }
  prune(end);
}

void SmRecorder::warp_state(WarpSlot warp, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t producer) {
  const bool waits = state != SlotReason::issuing && state != SlotReason::issuing_replay;
  if (!waits || !recorder_.options_.events.waits || !wanted(begin, end) || !room()) return;
  waits_.push_back({sm_, static_cast<std::uint8_t>(warp), state, producer, begin, end});
}

void SmRecorder::block_started(unsigned slot, BlockIndex block, WarpSlot first_warp, unsigned warps, SmCycle now) {
  for (WarpSlot warp = first_warp; warp < std::min(first_warp + warps, most_warps); ++warp) {
    block_of_[warp] = block;
    slot_free_[warp] = now;
    last_[warp] = 0;
    awaited_[warp].clear();
  }
  if (!room()) return;
  blocks_.push_back({sm_, static_cast<std::uint8_t>(slot), static_cast<std::uint8_t>(first_warp),
                     static_cast<std::uint8_t>(warps), block, now, never});
}

void SmRecorder::block_finished(unsigned slot, SmCycle now) {
  const auto open = std::find_if(blocks_.rbegin(), blocks_.rend(), [slot](const PipelineEvents::Block& block) {
    return block.slot == slot && block.end == never;
  });
  if (open != blocks_.rend()) open->end = now;
}

void SmRecorder::barrier_opened(unsigned slot, SmCycle now) {
  if (room()) openings_.push_back({sm_, static_cast<std::uint8_t>(slot), now + 1});
}

void SmRecorder::fetched(WarpSlot warp, SmCycle when) {
  if (warp < most_warps) fetched_[warp] = when;
}

void SmRecorder::look_for_address(WarpSlot warp, const WarpInst& record, SmCycle now) {
  const RecordingWindow& window = recorder_.options_.window;
  if (!decides_ || recorder_.known_ || window.kind != RecordingWindow::Kind::address) return;
  if (record.instruction->pc != window.pc || ++seen_ != window.occurrence) return;
  recorder_.match(now, "SM " + std::to_string(sm_) + ", warp " + std::to_string(warp));
}

void SmRecorder::issued(WarpSlot warp, const WarpInst& record, SmCycle now) {
  look_for_address(warp, record, now);
  recorder_.record_lanes(sm_, warp, record, now);
  if (warp >= most_warps) return;
  const SmCycle queued = slot_free_[warp];
  slot_free_[warp] = now + 1;
  last_[warp] = 0;
  if (!recorder_.options_.events.instructions || !wanted(now, now + 1) || !room()) return;
  Instruction event;
  event.index = record.instruction->index;
  event.sm = sm_;
  event.warp = static_cast<std::uint8_t>(warp);
  event.issue_class = static_cast<std::uint8_t>(record.instruction->row().issue_class);
  event.block = block_of_[warp];
  event.lanes = record.executed;
  event.address = first_address(record);
  event.queued = queued;
  event.fetched = fetched_[warp];
  event.issued = now;
  const bool has_results = record.executed != 0 && !record.instruction->writes.empty();
  if (has_results) await(warp, {pruned_ + instructions_.size(), event.index});
  instructions_.push_back(std::move(event));
  last_[warp] = pruned_ + instructions_.size();
  if (recorder_.options_.events.effects) keep_effects(warp, record);
}

void SmRecorder::keep_effects(WarpSlot warp, const WarpInst& record) {
  InstructionEffects effects = effects_of(record, stream_ == nullptr ? WarpValues{} : stream_->values(warp));
  effects.accesses = accesses_of(record, *recorder_.rules_, recorder_.banks_);
  // A row takes the room of two other events, and results that are awaited bring one.
  const std::size_t stored = effects.stored ? 1 + effects.stored->words.size() + effects.stored->exchanged.size() : 0;
  kept_ += 2 * (1 + effects.registers.size() + effects.accesses.size() + stored + (effects.awaited ? 1 : 0));
  effects_.push_back(std::move(effects));
}

/// The warp's newest instruction, if it is still held and is `instruction` (or any will do).
PipelineEvents::Instruction* SmRecorder::open(WarpSlot warp, std::uint32_t instruction) {
  if (warp >= most_warps || last_[warp] <= pruned_) return nullptr;
  Instruction& newest = instructions_[last_[warp] - pruned_ - 1];
  return instruction == no_instruction || newest.index == instruction ? &newest : nullptr;
}

void SmRecorder::sent(WarpSlot warp, unsigned transactions, SmCycle) {
  Instruction* instruction = open(warp, no_instruction);
  if (instruction != nullptr) instruction->transactions = static_cast<std::uint16_t>(transactions);
}

void SmRecorder::replayed(WarpSlot warp, SmCycle now) {
  Instruction* instruction = open(warp, no_instruction);
  if (instruction != nullptr) instruction->replays.push_back(now);
  if (warp < most_warps) slot_free_[warp] = now + 1;
}

void SmRecorder::occupied(WarpSlot warp, const Occupation& what) {
  Instruction* instruction = open(warp, what.instruction);
  if (instruction != nullptr && instruction->interval == 0) {
    instruction->collected = what.collected;
    instruction->interval = what.end - what.begin;
    instruction->unit = static_cast<std::uint8_t>(what.unit);
  }
  if (!recorder_.options_.events.units || !wanted(what.begin, what.end) || !room()) return;
  units_.push_back({sm_, static_cast<std::uint8_t>(what.unit), what.instruction, what.begin, what.end});
}

/// A warp's instruction at an address does not issue again before its results are written: one that is still here had
/// none.
void SmRecorder::await(WarpSlot warp, Awaited one) {
  std::vector<Awaited>& awaited = awaited_[warp];
  const auto before =
      std::find_if(awaited.begin(), awaited.end(), [&one](const Awaited& other) { return other.index == one.index; });
  if (before != awaited.end()) {
    awaited.erase(before);
  } else if (awaited.size() == most_awaited) {
    awaited.erase(awaited.begin());
  }
  awaited.push_back(one);
}

/// Results may arrive after later instructions have issued.
void SmRecorder::written(WarpSlot warp, std::uint32_t instruction, SmCycle now) {
  if (warp >= most_warps) return;
  std::vector<Awaited>& awaited = awaited_[warp];
  const auto found = std::find_if(awaited.begin(), awaited.end(),
                                  [instruction](const Awaited& one) { return one.index == instruction; });
  if (found == awaited.end()) return;
  if (found->number >= pruned_) {
    const std::uint64_t position = found->number - pruned_;
    instructions_[position].written = now;
    if (!effects_.empty() && effects_[position].awaited)
      take_registers(recorder_.launch_->kernel->code[instruction], stream_->values(warp), effects_[position]);
  }
  awaited.erase(found);
}

void SmRecorder::finish(SmCycle end, PipelineEvents& events) {
  for (PipelineEvents::Block& block : blocks_) {
    if (block.end == never) block.end = end;
  }
  events.blocks.insert(events.blocks.end(), blocks_.begin(), blocks_.end());
  events.openings.insert(events.openings.end(), openings_.begin(), openings_.end());
  events.dropped += dropped_;
  if (!recorder_.known_) return;
  append(waits_, recorder_.begin_, recorder_.end_, events.waits);
  append(slots_, recorder_.begin_, recorder_.end_, events.slots);
  append(units_, recorder_.begin_, recorder_.end_, events.units);
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    if (instructions_[i].issued < recorder_.begin_ || instructions_[i].issued >= recorder_.end_) continue;
    events.instructions.push_back(std::move(instructions_[i]));
    if (!effects_.empty()) events.effects.push_back(std::move(effects_[i]));
  }
}

MemoryCycle DramRecorder::memory_cycles(SmCycle sm_cycles) const {
  if (sm_cycles > never / clocks_.sm_period) return never;
  return sm_cycles * clocks_.sm_period / clocks_.memory_period;
}

void DramRecorder::command(const PipelineEvents::DramCommand& command) {
  const bool known = recorder_.known_;
  if (known && (command.end <= memory_cycles(recorder_.begin_) || command.begin >= memory_cycles(recorder_.end_)))
    return;
  const MemoryCycle kept_back = memory_cycles(PipelineRecorder::kept_back);
  while (!known && !commands_.empty() && commands_.front().end + kept_back < command.begin) commands_.pop_front();
  if (commands_.size() < recorder_.part()) {
    commands_.push_back(command);
  } else {
    ++dropped_;
  }
}

void DramRecorder::finish(PipelineEvents& events) const {
  events.dropped += dropped_;
  if (recorder_.known_)
    append(commands_, memory_cycles(recorder_.begin_), memory_cycles(recorder_.end_), events.dram_commands);
}

PipelineRecorder::PipelineRecorder(RecordingOptions options)
    : options_(std::move(options)), most_events_(options_.most_events) {
  if (options_.beside) beside_ = std::make_unique<PipelineRecorder>(*options_.beside);
}

void PipelineRecorder::begin_launch(const Launch& launch, const CoalescingRules& rules, SharedBanks banks,
                                    RecordedClocks clocks) {
  if (beside_) beside_->begin_launch(launch, rules, banks, clocks);
  launch_ = &launch;
  rules_ = &rules;
  banks_ = banks;
  sms_.clear();
  pairs_.clear();
  dram_ = options_.dram_commands ? std::make_unique<DramRecorder>(*this, clocks) : nullptr;
  matched_.clear();
  const RecordingWindow& window = options_.window;
  // One window per run: the first launch that has it.
  const bool found_before =
      !options_.every_launch &&
      std::any_of(launches_.begin(), launches_.end(), [](const PipelineEvents& events) { return events.end != 0; });
  known_ =
      window.kind == RecordingWindow::Kind::cycles || window.kind == RecordingWindow::Kind::nothing || found_before;
  begin_ = end_ = 0;
  shown_from_ = never;
  if (window.kind == RecordingWindow::Kind::cycles && !found_before) {
    begin_ = window.begin;
    end_ = window.length > never - window.begin ? never : window.begin + window.length;
  }
}

void PipelineRecorder::begin_within(std::size_t before, SmCycle now, const Launch& launch, const CoalescingRules& rules,
                                    SharedBanks banks, RecordedClocks clocks) {
  launches_.resize(before);
  options_.window.kind = RecordingWindow::Kind::cycles;
  options_.window.begin = now;
  options_.window.length = never - now;
  begin_launch(launch, rules, banks, clocks);
}

SmObserver* PipelineRecorder::own_observer(SmIndex sm, const WarpStream* stream) {
  const auto found = std::find(options_.sms.begin(), options_.sms.end(), sm);
  if (found == options_.sms.end()) return nullptr;
  sms_.push_back(std::make_unique<SmRecorder>(*this, sm, stream, found == options_.sms.begin()));
  return sms_.back().get();
}

SmObserver* PipelineRecorder::observe(SmIndex sm, const WarpStream* stream) {
  SmObserver* const own = own_observer(sm, stream);
  SmObserver* const other = beside_ ? beside_->observe(sm, stream) : nullptr;
  if (own == nullptr || other == nullptr) return own == nullptr ? other : own;
  pairs_.push_back(std::make_unique<ObserverPair>(*own, *other));
  return pairs_.back().get();
}

void PipelineRecorder::match(SmCycle begin, std::string where) {
  known_ = true;
  begin_ = begin;
  end_ = begin + options_.window.length;
  matched_ = std::move(where);
}

bool PipelineRecorder::shows(SmCycle now) {
  if (!known_) return false;
  if (shown_from_ == never) shown_from_ = std::max(begin_, now);
  return now >= shown_from_ && now - shown_from_ < end_ - begin_;
}

void PipelineRecorder::finish_launch(SmCycle end) {
  PipelineEvents events;
  events.kernel = launch_->kernel->name;
  events.begin = begin_;
  events.end = known_ ? std::min(end, end_) : 0;
  events.matched = matched_;
  for (const auto& sm : sms_) {
    sm->finish(end, events);
    if (options_.every_launch) most_events_ -= std::min(most_events_, sm->kept());
  }
  if (dram_) dram_->finish(events);
  sms_.clear();
  launches_.push_back(std::move(events));
  if (beside_) beside_->finish_launch(end);
}

void PipelineRecorder::add_lane_record(LaneRecord record) {
  const auto same = std::count_if(lanes_.records.begin(), lanes_.records.end(),
                                  [&record](const LaneRecord& old) { return old.pc == record.pc; });
  if (static_cast<std::size_t>(same) >= options_.most_lane_records) {
    ++lanes_.dropped;
  } else {
    lanes_.records.push_back(std::move(record));
  }
}

void PipelineRecorder::record_lanes(SmIndex sm, WarpSlot warp, const WarpInst& record, SmCycle now) {
  const std::uint32_t pc = record.instruction->pc;
  if (std::find(options_.lane_pcs.begin(), options_.lane_pcs.end(), pc) == options_.lane_pcs.end()) return;
  for (LaneAccess& access : accesses_of(record, *rules_, banks_)) {
    if (access.space == LaneAccess::Space::texture) continue;
    LaneRecord row;
    static_cast<LaneAccess&>(row) = std::move(access);
    row.pc = pc;
    row.text = to_text(*record.instruction, launch_->kernel);
    row.sm = sm;
    row.warp = warp;
    row.cycle = now;
    row.banks = banks_.banks;
    row.group = banks_.group;
    add_lane_record(std::move(row));
  }
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Records what happens in the pipelines of chosen SMs during a window of time.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "memory/traffic_observer.h"
#include "sim/base/lane_record.h"
#include "sim/base/pipeline_events.h"
#include "sim/gpu/recording/lane_accesses.h"
#include "sim/sm/observer.h"

namespace teslasim {

struct Launch;
class WarpStream;

/// When to record. Cycles are SM cycles.
struct RecordingWindow {
  enum class Kind : std::uint8_t { nothing, cycles, address, stall };
  Kind kind = Kind::nothing;
  SmCycle begin = 0;
  SmCycle length = 0;       ///< from the match on, or from `begin`
  std::uint32_t pc = 0;     ///< address
  unsigned occurrence = 1;  ///< which of its issues
  std::string reason;       ///< stall: name of a reason or the first word of several
  double share = 0.0;       ///< 0..1, within `stall_bucket` cycles
  static constexpr SmCycle stall_bucket = 128;
};

/// Which events, for what shows only some: the limit on events is for those that are wanted.
struct RecordedEvents {
  bool instructions = true, waits = true, slots = true, units = true;
  bool effects = false;  ///< of instructions: values, stores, accesses
};

struct RecordingOptions {
  std::vector<unsigned> sms{0};  ///< the first one decides where a window by address or stall begins
  RecordingWindow window;
  std::uint64_t most_events = 3'000'000;
  bool dram_commands = false;           ///< also record those, in the window
  std::vector<std::uint32_t> lane_pcs;  ///< instructions whose lanes are recorded
  std::size_t most_lane_records = 64;   ///< per instruction
  RecordedEvents events;
  bool every_launch = false;  ///< the window is one of each launch rather than of the first that has it
  /// Of another recording at the same time, with SMs and a window of its own; null: there is none.
  std::shared_ptr<const RecordingOptions> beside;
};

class PipelineRecorder;

/// Lengths of the cycles that events are counted in.
struct RecordedClocks {
  Femtoseconds sm_period = 1, memory_period = 1;
};

/// The observer of all memory controllers. Commands that were issued before the window is known are held like those of
/// the SMs, for `kept_back` SM cycles.
class DramRecorder final : public DramCommandObserver {
 public:
  DramRecorder(const PipelineRecorder& recorder, RecordedClocks clocks) : recorder_(recorder), clocks_(clocks) {}
  void command(const PipelineEvents::DramCommand& command) override;
  void finish(PipelineEvents& events) const;

 private:
  [[nodiscard]] MemoryCycle memory_cycles(SmCycle sm_cycles) const;

  const PipelineRecorder& recorder_;
  RecordedClocks clocks_;
  std::deque<PipelineEvents::DramCommand> commands_;
  std::uint64_t dropped_ = 0;
};

/// The observer of one SM.
class SmRecorder final : public SmObserver {
 public:
  SmRecorder(PipelineRecorder& recorder, SmIndex sm, const WarpStream* stream, bool decides);
  void slots(SlotReason reason, SmCycle begin, SmCycle end) override;
  void warp_state(WarpSlot warp, SlotReason state, SmCycle begin, SmCycle end, std::uint32_t producer) override;
  void block_started(unsigned slot, BlockIndex block, WarpSlot first_warp, unsigned warps, SmCycle now) override;
  void block_finished(unsigned slot, SmCycle now) override;
  void barrier_opened(unsigned slot, SmCycle now) override;
  void fetched(WarpSlot warp, SmCycle when) override;
  void issued(WarpSlot warp, const WarpInst& record, SmCycle now) override;
  void sent(WarpSlot warp, unsigned transactions, SmCycle now) override;
  void replayed(WarpSlot warp, SmCycle now) override;
  void occupied(WarpSlot warp, const Occupation& occupation) override;
  void written(WarpSlot warp, std::uint32_t instruction, SmCycle now) override;
  /// Appends what lies in the window to `events`.
  void finish(SmCycle end, PipelineEvents& events);
  /// How much of the limit on events it has used.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }

 private:
  static constexpr unsigned most_warps = 64;
  using Instruction = PipelineEvents::Instruction;

  void look_for_address(WarpSlot warp, const WarpInst& record, SmCycle now);
  void look_for_stall(SlotReason reason, SmCycle begin, SmCycle end);
  [[nodiscard]] bool wanted(SmCycle begin, SmCycle end) const;
  [[nodiscard]] bool room();
  void keep_effects(WarpSlot warp, const WarpInst& record);
  void prune(SmCycle now);
  Instruction* open(WarpSlot warp, std::uint32_t instruction);

  PipelineRecorder& recorder_;
  std::uint16_t sm_;
  const WarpStream* stream_;  ///< null: values are not known
  bool decides_;
  std::uint64_t kept_ = 0, dropped_ = 0;
  std::deque<Instruction> instructions_;
  std::deque<InstructionEffects> effects_;  ///< of each of them, or none
  std::uint64_t pruned_ = 0;                ///< instructions that were removed from the front
  std::deque<PipelineEvents::Wait> waits_;
  std::deque<PipelineEvents::Slots> slots_;
  std::deque<PipelineEvents::Unit> units_;
  std::vector<PipelineEvents::Block> blocks_;
  std::vector<PipelineEvents::Opening> openings_;
  std::array<std::uint64_t, most_warps> last_{};  ///< number of the warp's newest instruction + 1
  /// Instructions whose results may still come, one per address, oldest first.
  struct Awaited {
    std::uint64_t number = 0;
    std::uint32_t index = 0;
  };
  static constexpr std::size_t most_awaited = 64;
  std::array<std::vector<Awaited>, most_warps> awaited_;
  void await(WarpSlot warp, Awaited one);
  std::array<SmCycle, most_warps> slot_free_{};  ///< when the warp's instruction slot became free
  std::array<SmCycle, most_warps> fetched_{};    ///< the instruction in it
  std::array<std::uint64_t, most_warps> block_of_{};
  unsigned seen_ = 0;
  SmCycle bucket_ = 0;
  SmCycle in_bucket_ = 0;
};

/// All recorded SMs of a run. A window by address or stall share begins where the first SM matches; until then the last
/// `kept_back` cycles of every SM are held, so that the recording does not depend on how far SMs run ahead of each
/// other. With a limit on events each SM may keep its part of them; later ones are counted.
class PipelineRecorder {
 public:
  static constexpr SmCycle kept_back = 1024;

  explicit PipelineRecorder(RecordingOptions options);

  void begin_launch(const Launch& launch, const CoalescingRules& rules, SharedBanks banks, RecordedClocks clocks = {});
  /// The same in the midst of a launch that `before` others preceded: the window begins in cycle `now` and ends with
  /// `finish_launch`. Once.
  void begin_within(std::size_t before, SmCycle now, const Launch& launch, const CoalescingRules& rules,
                    SharedBanks banks, RecordedClocks clocks);
  /// The observer for the memory controllers; null when their commands are not recorded.
  [[nodiscard]] DramCommandObserver* observe_dram() { return dram_.get(); }
  /// The observer for SM `sm`; null when it is not recorded. `stream` has its warps, to read values from; it outlives
  /// the launch.
  [[nodiscard]] SmObserver* observe(SmIndex sm, const WarpStream* stream = nullptr);
  /// Whether `now` lies in the window, for what is written cycle by cycle during the launch. A window that is
  /// known late begins when it is known, and is as long.
  [[nodiscard]] bool shows(SmCycle now);
  void finish_launch(SmCycle end);

  [[nodiscard]] const std::vector<PipelineEvents>& launches() const { return launches_; }
  [[nodiscard]] const LaneRecords& lanes() const { return lanes_; }
  [[nodiscard]] const RecordingOptions& options() const { return options_; }
  /// RecordingOptions::beside; null: there is none.
  [[nodiscard]] const PipelineRecorder* beside() const { return beside_.get(); }

 private:
  friend class SmRecorder;
  friend class DramRecorder;
  /// Events that each recorded SM, and the memory side, may keep.
  [[nodiscard]] std::uint64_t part() const {
    return most_events_ / (options_.sms.size() + (options_.dram_commands ? 1 : 0));
  }
  [[nodiscard]] SmObserver* own_observer(SmIndex sm, const WarpStream* stream);
  void match(SmCycle begin, std::string where);
  void record_lanes(SmIndex sm, WarpSlot warp, const WarpInst& record, SmCycle now);
  void add_lane_record(LaneRecord record);

  RecordingOptions options_;
  std::vector<std::unique_ptr<SmRecorder>> sms_;
  std::unique_ptr<DramRecorder> dram_;
  std::unique_ptr<PipelineRecorder> beside_;
  std::vector<std::unique_ptr<SmObserver>> pairs_;  ///< where both record an SM
  std::uint64_t most_events_ = 0;                   ///< that are left
  const CoalescingRules* rules_ = nullptr;
  SharedBanks banks_;
  const Launch* launch_ = nullptr;
  bool known_ = false;  ///< the window is
  SmCycle begin_ = 0, end_ = 0;
  SmCycle shown_from_ = never;  ///< see shows
  std::string matched_;
  std::vector<PipelineEvents> launches_;
  LaneRecords lanes_;
};

}  // namespace teslasim

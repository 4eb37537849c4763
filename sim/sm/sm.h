// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memory/transaction.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"
#include "sim/exec/barrier.h"
#include "sim/exec/barrier_report.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"
#include "sim/sm/accounting/cycle_accounting.h"
#include "sim/sm/calendar.h"
#include "sim/sm/fetch_unit.h"
#include "sim/sm/instruction_record.h"
#include "sim/sm/issue/scoreboard.h"
#include "sim/sm/issue/warp_scheduler.h"
#include "sim/sm/memory/constant_port.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/memory/shared_memory.h"
#include "sim/sm/operands/register_file.h"
#include "sim/sm/sm_spec.h"
#include "sim/sm/units/execution_units.h"
#include "sim/sm/units/pipe_accounts.h"
#include "sim/sm/write_back.h"

namespace teslasim {

/// Told when all warps of `block` have finished; `when` is the SM's time of the first cycle without the block.
class BlockCompletionReceiver {
 public:
  virtual ~BlockCompletionReceiver() = default;
  virtual void block_completed(unsigned sm, std::uint64_t block, Femtoseconds when) = 0;
  /// With early release, before the completion of the same block: its place may be given to another one.
  virtual void block_released(unsigned /*sm*/, Femtoseconds /*when*/) {}
};

/// What an SM is built from.
struct SmParameters {
  const SmSpec* spec = nullptr;
  CoalescingRules coalescing{};
  MemoryLink link;
  LineLink lines;  ///< to the second-level cache; its receiver comes with the launch
  unsigned warp_slots = 32;
  unsigned block_slots = 8;
  unsigned block_launch_cycles = 8;  ///< SM cycles to set up one block
  bool early_release = false;        ///< give a block's place back when half of its warps have finished
  bool sleeping = true;              ///< false: tick every cycle while a block is resident (never changes a result)
};

/// What all SMs share during a launch. Immutable but for the counters.
struct SmLaunch {
  const Launch* launch = nullptr;
  const std::vector<InstructionTiming>* timing = nullptr;
  std::vector<PcStatistics>* pcs = nullptr;
  WarpStream* stream = nullptr;        ///< this SM's own
  SmStatistics* statistics = nullptr;  ///< this SM's own
  TransactionReceiver* memory = nullptr;
  BlockCompletionReceiver* completion = nullptr;
  LineReceiver* lines = nullptr;              ///< may be null when both first-level caches are ideal
  unsigned block_limit = 1;                   ///< blocks that fit, for early release
  Address code = 0;                           ///< device address of the kernel's first instruction
  ProfilerCounters* sm_profile = nullptr;     ///< where the SM that the profiler watches counts, else null
  ProfilerCounters* tpc_profile = nullptr;    ///< the same for the SMs of the TPC that it watches
  SmObserver* observer = nullptr;             ///< told what happens here; null: nobody
  NarrowIntervalSeries* intervals = nullptr;  ///< where slots are counted over time; null: nowhere
  /// Where the stream describes what an instruction did, until its record holds what the units need. SMs that run one
  /// after the other may share it, which keeps it in the host's cache; null: the SM has its own.
  WarpInst* performed = nullptr;
};

/// Stands for one SM of a Tesla-class GPU: instruction queue with one slot per warp, scoreboard, scheduler (one issue
/// per SM cycle), register banks and operand collectors, MAD, SFU and DP pipes, shared memory and constant cache with
/// replays, load/store path, barriers, block slots (Collange 2010, sections 7-10). In each cycle: messages, results and
/// filled slots, then one issue. Between cycles in which something happens it sleeps; all waiting is arithmetic. Values
/// change at issue (registers, shared, constant, local memory) or, as the program sees it, when a load's response
/// arrives (global). Not modelled here: the register reads of replays. Units: SM cycles (two SP cycles).
class Sm {
 public:
  explicit Sm(const SmParameters& parameters);

  void begin(const SmLaunch& launch);
  /// Block `block` arrives; usable from cycle `when` on. Calls come in the order of `when`. The clock counter of the
  /// TPC has stood still for `clock_stopped` cycles of the launch.
  void receive_block(Cycle when, std::uint64_t block, Cycle clock_stopped = 0);
  /// A transaction comes back. False: that changes nothing in cycle `when`, the SM need not run.
  bool receive_response(Cycle when, std::uint16_t tag);
  /// A place in the memory unit of the TPC becomes free. False: as above.
  bool receive_credit(Cycle when);
  /// A line from the second-level cache.
  void receive_line(Cycle when, LineKind kind, Address line);

  /// Works through the cycles [now, end). Returns the next cycle (>= end) in which something will happen, or `never`.
  Cycle run(Cycle now, Cycle end);
  /// The launch is over after `end` cycles: closes the accounting. Precondition: end is not before any cycle run.
  void finish(Cycle end);

  [[nodiscard]] bool has_blocks() const { return resident_blocks_ != 0 || !arrivals_.empty(); }
  [[nodiscard]] Cycle last_issue() const { return last_issue_; }
  /// The cycle that `run` works on or worked on last: where a kernel error happened.
  [[nodiscard]] Cycle running() const { return running_; }
  [[nodiscard]] const LoadStoreUnit& load_store() const { return load_store_; }
  [[nodiscard]] const ExecutionUnits& units() const { return units_; }
  [[nodiscard]] const FetchUnit& fetch() const { return fetch_; }
  [[nodiscard]] const ConstantPort& constants() const { return constants_; }
  /// Blocks, warps and barriers that wait, one line each, for the report of a stuck kernel.
  void describe_pending(std::vector<std::string>& lines) const;
  /// Why a barrier that warps of this SM wait at can never open; empty when that is not known.
  [[nodiscard]] std::string barrier_cause() const;

  struct LaneCounters {
    std::uint64_t active = 0;  ///< lanes active before the guard
    std::uint64_t barriers = 0;
  };
  [[nodiscard]] const LaneCounters& lane_counters() const { return lanes_; }
  [[nodiscard]] const RegisterFile& register_file() const { return registers_; }

 private:
  enum class WarpState : std::uint8_t { absent, waiting, blocked, limited, ready, at_barrier, finished };
  struct WarpSlot {
    InstructionRecord* record = nullptr;  ///< of the instruction in the warp's slot of the queue
    Cycle finish_cycle = 0;
    std::uint32_t last_pc = 0;
    WarpState state = WarpState::absent;
    std::uint8_t block_slot = 0;
    std::uint8_t loads_in_flight = 0;
    SlotReason waiting_for = SlotReason::dep_alu;  ///< while blocked
  };
  struct BlockSlot {
    std::uint64_t block = 0;
    unsigned running_warps = 0;  ///< not yet finished
    unsigned loads_in_flight = 0;
    bool resident = false;
    bool released = false;  ///< its place was given back
    std::size_t times = 0;  ///< its place in SmStatistics::block_times; past the end: not kept
    BlockBarriers barriers;
  };
  struct Arrival {
    Cycle when;
    std::uint64_t block;
    Cycle clock_stopped;
  };
  struct Line {
    Cycle when;
    Address address;
    LineKind kind;
  };

  void tick(Cycle now);
  [[nodiscard]] IssueCandidates find_candidates(Cycle now) const;
  [[nodiscard]] Cycle next_wanted(Cycle now) const;

  // sm.cpp: messages, events, readiness
  void receive(Cycle now);
  void deliver(const SmEvent& event, Cycle now);
  void evaluate(unsigned warp, Cycle now, std::uint32_t producer);
  void make_ready(unsigned warp, Pipe pipe, Cycle now, std::uint32_t producer);
  void set_ready(unsigned warp, Pipe pipe) {
    ready_[static_cast<unsigned>(pipe)] |= LaneMask{1} << warp;
    ready_pipes_ |= 1U << static_cast<unsigned>(pipe);
  }
  void finish_load(InstructionRecord& record, Cycle now);

  // sm_fetch.cpp: the instruction slot is filled; lines of code and constants arrive
  void fetch_next(unsigned warp, Cycle now, Cycle earliest, Cycle expected);
  void fetch_through_cache(unsigned warp, Cycle now);
  void fetch_again(unsigned warp, Cycle now);
  void arrive(const Line& line, Cycle now);
  void retry_constant(unsigned warp, Cycle now);

  // sm_issue.cpp: the issue of first passes and replays
  void issue(unsigned warp, Cycle now);
  void issue_first_pass(InstructionRecord& record, Cycle now);
  void issue_replay(InstructionRecord& record, Cycle now);
  void count_issue(PcStatistics& pc);
  void count_profile(const InstructionTiming& timing);
  void dispatch(InstructionRecord& record, Cycle now);
  void dispatch_access(InstructionRecord& record, Cycle now);
  bool touch_on_chip_memory(InstructionRecord& record, Cycle now);
  void tell_occupied(const InstructionRecord& record, const SmObserver::Occupation& use);
  void plan_next_round(InstructionRecord& record, Cycle now);
  void complete_instruction(InstructionRecord& record, Cycle now, SlotReason use);
  void execute_barrier(InstructionRecord& record, Cycle now);
  void go_on(unsigned warp, Cycle now, Cycle distance);
  [[nodiscard]] PipeAccounts pipe_accounts() const;
  [[nodiscard]] Cycle free_at(Pipe pipe) const;
  InstructionRecord& queue(unsigned warp, const Instruction& instruction);

  // sm_blocks.cpp: blocks come and go
  void start_block(const Arrival& arrival, Cycle now);
  void retire_if_done(unsigned block_slot, Cycle now);
  void release_early(BlockSlot& block, Cycle now);
  void keep_times(unsigned block_slot, Cycle now);
  [[nodiscard]] unsigned first_warp(unsigned block_slot) const { return block_slot * warps_per_block_; }
  [[nodiscard]] BarrierReport barrier_report(unsigned block_slot) const;

  SmParameters parameters_;
  SmLaunch launch_;
  RecordPool pool_;
  Calendar calendar_;
  ExecutionUnits units_;
  SharedMemory shared_memory_;
  ConstantPort constants_;
  LoadStoreUnit load_store_;
  FunctionalUnit barrier_unit_;  ///< counts arrivals, some threads per cycle
  Scoreboard scoreboard_;
  CycleAccounting accounting_;
  FetchUnit fetch_;
  RegisterFile registers_;
  WriteBack write_back_;
  std::unique_ptr<WarpScheduler> scheduler_;

  std::vector<WarpSlot> warps_;
  std::vector<BlockSlot> blocks_;
  std::array<LaneMask, pipe_count> ready_{};  ///< ready warps by the pipe they want
  unsigned ready_pipes_ = 0;                  ///< bit per pipe: some warp is ready for it
  Cycle next_message_ = never;                ///< when the first of all messages below may be taken
  std::unique_ptr<WarpInst> own_performed_;
  WarpInst* performed_ = nullptr;  ///< what the stream did last: of the launch, or the own one
  LaneCounters lanes_;
  unsigned warps_per_block_ = 1;
  unsigned resident_blocks_ = 0;
  unsigned released_blocks_ = 0;  ///< of them, those that gave their place back
  unsigned load_limit_ = 5;
  Cycle gap_ = 4;          ///< from the fetch of an instruction to its issue, and so between two of one warp
  Cycle set_up_free_ = 0;  ///< when the block launch logic can start on the next block
  Cycle last_issue_ = 0;
  Cycle running_ = 0;
  Cycle clock_stopped_ = 0;  ///< %clock is behind the cycle by this much

  Ring<Arrival> arrivals_{16};
  Ring<Line> lines_{16};
};

}  // namespace teslasim

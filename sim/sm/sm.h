// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/ring.h"
#include "sim/sm/accounting/cycle_accounting.h"
#include "sim/sm/blocks/block_slots.h"
#include "sim/sm/calendar.h"
#include "sim/sm/execute/execute_stage.h"
#include "sim/sm/front_end/front_end.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/issue/issue_counters.h"
#include "sim/sm/issue/issue_stage.h"
#include "sim/sm/sm_launch.h"
#include "sim/sm/warp_view.h"
#include "sim/sm/write_back.h"

namespace teslasim {

/// Stands for one SM of a Tesla-class GPU (Collange 2010, sections 7-10), made of units: front end, issue stage,
/// register file, execution units, shared memory, constant port, load/store unit, write-back, block slots. `tick` is
/// the pipeline: an instruction's record goes from unit to unit; units exchange only the record and messages
/// with time stamps, those within the SM through its calendar. The SM sleeps between cycles in which something happens:
/// all waiting is arithmetic. Values change at issue (registers, shared, constant, local memory) or, as the program
/// sees it, when a load's response arrives (global). Each unit says what it does not model. Units: SM cycles (two SP
/// cycles).
class Sm {
 public:
  explicit Sm(const SmParameters& parameters);

  void begin(const SmLaunch& launch);
  /// From now on, in the midst of a launch, `observer` is told what happens (null: nobody), first of the blocks that
  /// are there. `now` is the first cycle that it sees.
  void observe(SmObserver* observer, SmCycle now);
  /// Block `block` arrives and is usable from cycle `when`. Calls come in order of `when`. The clock counter of the
  /// TPC has stood still for `clock_stopped` cycles of the launch.
  void receive_block(SmCycle when, BlockIndex block, SmCycle clock_stopped = 0);
  /// A response arrives. False: it changes nothing in cycle `when`, and the SM need not run.
  bool receive_response(SmCycle when, std::uint16_t tag);
  /// A place in the queue of the TPC becomes free. False: as above.
  bool receive_credit(SmCycle when);
  void receive_end_of_grid() { blocks_.receive_end_of_grid(); }
  /// A line from the second-level cache.
  void receive_line(SmCycle when, LineKind kind, Address line);

  /// Works through the cycles [now, end). Returns the next cycle (>= end) in which something will happen, or `never`.
  /// Goes on to `beyond.furthest` as long as no message can come that is not known yet.
  SmCycle run(SmCycle now, SmCycle end, const SmReach& beyond = {});
  /// The launch is over after `end` cycles: closes the accounting. Precondition: end is not before any cycle run.
  void finish(SmCycle end) { accounting_.finish(end); }

  [[nodiscard]] bool observed() const { return launch_.observer != nullptr; }
  [[nodiscard]] bool has_blocks() const { return !blocks_.idle(); }
  [[nodiscard]] SmCycle last_issue() const { return last_issue_; }
  /// The cycle that `run` works on or worked on last: where a kernel error happened.
  [[nodiscard]] SmCycle running() const { return running_; }
  [[nodiscard]] const ExecuteStage& execute() const { return execute_; }
  [[nodiscard]] const FrontEnd& front_end() const { return front_end_; }
  [[nodiscard]] const BlockSlots& blocks() const { return blocks_; }
  [[nodiscard]] const IssueStage& issue() const { return issue_; }
  [[nodiscard]] const WriteBack& write_back() const { return write_back_; }
  [[nodiscard]] const CycleAccounting& accounting() const { return accounting_; }
  [[nodiscard]] unsigned warp_slots() const { return parameters_.warp_slots; }
  /// Lanes active before the guard, summed over the instructions that issued.
  [[nodiscard]] std::uint64_t active_lanes() const { return counters_.active_lanes(); }
  /// What is on its way to the SM or waits in it to leave, one line each.
  void describe_queues(std::vector<std::string>& lines) const;
  /// That, and blocks, warps and barriers that wait, one line each, for the report of a stuck kernel.
  void describe_pending(std::vector<std::string>& lines) const;
  /// Appends the resident warps, block by block.
  void view_warps(std::vector<WarpView>& warps) const;
  /// Why a barrier that warps of this SM wait at can never open; empty when that is not known.
  [[nodiscard]] std::string barrier_cause() const;

 private:
  struct Line {
    SmCycle when;
    Address address;
    LineKind kind;
  };
  /// What a warp does next: it goes on with its instruction or, from `instruction` on, has completed it.
  enum class Next : std::uint8_t {
    constants,       ///< the same pass again, when its lines have come
    pass,            ///< the next pass of this round
    round,           ///< the first pass of the next round
    instruction,     ///< the one that follows
    beyond_barrier,  ///< the one that follows a barrier that is open
    others,          ///< nothing, until the other warps are at its barrier
    end,             ///< nothing any more
  };
  struct AfterPass {
    Next next;
    SlotReason state;       ///< of the warp, from the next cycle on
    LaneMask released = 0;  ///< other warps that need not wait any longer
  };

  // sm.cpp: messages from outside; blocks come and go
  void receive(SmCycle now);
  void take_line(const Line& line, SmCycle now);
  void finish_load(InFlightInstruction& record, SmCycle now);
  void start_block(const BlockSlots::Arrival& arrival, SmCycle now);
  void retire_if_done(unsigned block_slot, SmCycle now);

  // sm_issue.cpp: messages from the calendar, one pass of an instruction, and what follows it
  void tick(SmCycle now);
  [[nodiscard]] SmCycle next_wanted(SmCycle now) const;
  void deliver(const SmEvent& event, SmCycle now);
  SlotReason first_pass(InFlightInstruction& record, SmCycle now);
  SlotReason replay(InFlightInstruction& record, SmCycle now);
  void pass(InFlightInstruction& record, SmCycle now);
  [[nodiscard]] AfterPass after_pass(InFlightInstruction& record, SmCycle now);
  [[nodiscard]] AfterPass meet_barrier(const InFlightInstruction& record, SmCycle now);
  void complete(InFlightInstruction& record, SmCycle now, const AfterPass& after);
  void end_warp(const InFlightInstruction& record, SmCycle now);
  void leave_barriers(const InFlightInstruction& record, SmCycle now);
  void release(LaneMask warps, const InFlightInstruction& record, SmCycle now, SmCycle distance);
  void go_on(WarpSlot warp, SmCycle now, SmCycle distance);

  SmParameters parameters_;
  SmLaunch launch_;
  RecordPool pool_;
  Calendar calendar_;
  BlockSlots blocks_;
  ExecuteStage execute_;
  CycleAccounting accounting_;
  FrontEnd front_end_;
  IssueStage issue_;
  WriteBack write_back_;
  IssueCounters counters_;

  std::unique_ptr<WarpInst> own_performed_;
  WarpInst* performed_ = nullptr;  ///< what the stream did last: shared (SmLaunch), or the one above
  SmCycle next_message_ = never;   ///< when the first message from outside may be taken
  SmCycle last_issue_ = 0;
  SmCycle running_ = 0;
  bool asked_ = false;         ///< in this cycle something happened that may bring messages sooner
  SmCycle clock_stopped_ = 0;  ///< %clock is behind the cycle by this much
  Ring<Line> lines_{16};
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// One SM alone on the bench: a scripted stream instead of execution, a memory that answers after a fixed time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "isa/program.h"
#include "memory/image/memory_access.h"
#include "sim/sm/sm.h"

namespace teslasim::testing {

/// Instructions for tests, built by hand.
Instruction mad(unsigned destination, unsigned a, unsigned b, unsigned c);
Instruction add(unsigned destination, unsigned a, unsigned b);
Instruction subtract_with_flags(unsigned destination, unsigned a, unsigned b, unsigned flags);
Instruction special(unsigned destination, unsigned a);
Instruction multiply(unsigned destination, unsigned a);
Instruction move_on_sfu(unsigned destination, unsigned a);
Instruction double_mad(unsigned destination, unsigned a, unsigned b, unsigned c);
Instruction shared_load(unsigned destination);
Instruction shared_mad(unsigned destination, unsigned b, unsigned c);  ///< the first factor is in shared memory
Instruction constant_load(unsigned destination);
Instruction global_load(unsigned destination, unsigned address);
Instruction global_store(unsigned address, unsigned data);
Instruction growing_local_store(unsigned address_register, unsigned data);  ///< l[$ofs+=4]
Instruction barrier();
Instruction branch();
Instruction set_flags(unsigned flags, unsigned a);
Instruction predicated(Instruction instruction, unsigned flags);
Instruction last();  ///< a nop that ends the warp

/// Every warp runs the code from top to bottom. `shape`, when set, fills what the instruction does (addresses, lanes).
class ScriptedStream final : public WarpStream {
 public:
  explicit ScriptedStream(const Kernel& kernel, unsigned warps_per_block);
  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) override;
  void finish_block(unsigned block_slot) override;
  const Instruction* next(WarpSlot warp) override;
  [[nodiscard]] bool passes_guard(WarpSlot warp) const override;
  [[nodiscard]] LaneMask active(WarpSlot /*warp*/) const override { return all_lanes; }
  void issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) override;
  void complete(WarpSlot warp, MemoryAccess& access) override;
  void release(MemoryAccess& access) override;

  struct Issue {
    SmCycle cycle;
    unsigned warp;
    std::uint32_t instruction;
  };
  std::vector<Issue> issues;  ///< first passes, in order
  std::function<void(unsigned warp, std::uint32_t instruction, WarpInst& out)> shape;
  unsigned completed = 0;
  unsigned started_blocks = 0, finished_blocks = 0;

 private:
  const Kernel& kernel_;
  unsigned warps_per_block_;
  std::map<unsigned, std::size_t> position_;
  std::vector<std::unique_ptr<MemoryAccess>> accesses_;
};

/// An SM with defaults as on a GTX 280 unless `spec` says otherwise; its instruction and constant caches are ideal
/// unless `spec` is changed after construction.
class SmUnderTest final : public TransactionReceiver, public BlockCompletionReceiver, public LineReceiver {
 public:
  explicit SmUnderTest(SmSpec spec = {}, SmCycle memory_latency = 200);

  /// Puts `blocks` blocks of `warps` warps onto the SM in cycle 0 and runs until it is idle. `settle` closes the
  /// accounting.
  void run(std::vector<Instruction> code, unsigned warps, unsigned blocks = 1);

  void receive(unsigned port, const MemoryTransaction& transaction) override;
  void block_completed(SmIndex sm, BlockIndex block, Femtoseconds when) override;
  void receive_line(unsigned port, const LineRequest& request) override;

  [[nodiscard]] std::vector<SmCycle> issue_cycles(unsigned warp) const;  ///< of first passes
  [[nodiscard]] std::uint64_t slots(SlotReason reason) const { return statistics.slots[reason]; }
  [[nodiscard]] std::uint64_t warp_cycles(SlotReason reason) const { return statistics.warp_cycles[reason]; }

  [[nodiscard]] const RegisterFile& registers() const { return sm_->execute().registers(); }
  [[nodiscard]] const ExecutionUnits& units() const { return sm_->execute().units(); }

  SmSpec spec;
  SmStatistics statistics;
  std::vector<PcStatistics> pcs;
  std::unique_ptr<ScriptedStream> stream;
  std::function<void(unsigned warp, std::uint32_t instruction, WarpInst& out)> shape;
  SmCycle end = 0;  ///< the launch took so many SM cycles
  std::vector<MemoryTransaction> sent;
  std::vector<LineRequest> lines;  ///< asked of the second level
  SmCycle line_latency = 40;       ///< from the request to the line, in SM cycles
  std::vector<SmCycle> completions;
  unsigned credits = 64;
  bool return_credits = true;
  bool sleeping = true;
  SmCycle quantum = 1, beyond = 0;  ///< how far the SM may run at once, and on while nothing can come
  bool keep_warps = false;          ///< one by one
  SmObserver* observer = nullptr;
  NarrowIntervalSeries* intervals = nullptr;
  std::vector<std::string> pending;  ///< what the SM held when nothing could happen any more

 private:
  SmCycle memory_latency_;
  std::unique_ptr<Sm> sm_;
};

/// `count` times the same, and the end.
[[nodiscard]] std::vector<Instruction> repeat(unsigned count, const Instruction& instruction);
/// Both accounting views add up, and to what was issued.
void expect_sums_close(const SmUnderTest& sm);

}  // namespace teslasim::testing

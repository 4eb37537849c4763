// SPDX-License-Identifier: Apache-2.0
// The warp stream that executes: architectural state of the warps resident on one SM.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "memory/image/memory_footprint.h"
#include "sim/base/diagnostic.h"
#include "sim/exec/launch.h"
#include "sim/exec/warp_stream.h"

namespace teslasim {

/// Where global, local and texture accesses take effect.
enum class MemoryEffect : std::uint8_t {
  at_issue,      ///< functional model: performed before `issue` returns
  at_partition,  ///< timing model: the memory side calls `perform`, the SM calls `complete`
};

/// Barriers that a warp executed with only some of its lanes: the whole warp counts as arrived (decision 0071).
struct PartialBarriers {
  std::uint64_t count = 0;
  std::optional<Diagnostic> first;  ///< a warning
};

struct ExecutionStreamOptions {
  unsigned block_slots = 8;
  unsigned warp_slots = 32;
  unsigned divergence_stack = 64;
  unsigned limited_calls = 32768;  ///< active calls of call.lim, beyond which it does nothing
  SmIndex sm = 0;                  ///< number in the whole GPU, for messages and the addresses of local memory
  unsigned tpc = 0;                ///< for %physid
  unsigned sm_in_tpc = 0;          ///< for %physid
  MemoryEffect memory_effect = MemoryEffect::at_issue;
  PartialBarriers* partial_barriers = nullptr;  ///< told, when there is one; outlives the stream
  MemoryFootprint* footprint = nullptr;         ///< told of accesses that take effect at issue; outlives the stream
};

/// Registers, shared memory, flags, divergence stacks of all resident warps; 32 lanes at a time. Undefined on the
/// hardware, fixed here so that runs repeat: registers other than $r0, flags, address registers, local memory and
/// shared memory after the parameters start as 0; when several lanes store to one address, the highest lane wins;
/// atomics run lane by lane, lowest first. Kernel errors (address, alignment, stack, trap) are thrown as InputError
/// with ExitCode::kernel, naming SM, block, warp and lanes; memory and registers are as before the instruction. A store
/// from a register outside the allocation is dropped, as if its guard had failed in every lane.
class ExecutionStream final : public WarpStream {
 public:
  ExecutionStream(const Launch& launch, const ExecutionStreamOptions& options);
  ~ExecutionStream() override;

  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) override;
  void finish_block(unsigned block_slot) override;
  const Instruction* next(WarpSlot warp) override;
  [[nodiscard]] bool passes_guard(WarpSlot warp) const override;
  [[nodiscard]] LaneMask active(WarpSlot warp) const override;
  void issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) override;
  void complete(WarpSlot warp, MemoryAccess& access) override;
  void release(MemoryAccess& access) override;
  [[nodiscard]] WarpValues values(WarpSlot warp) const override;
  [[nodiscard]] std::span<const StackEntry> divergence(WarpSlot warp) const override;
  [[nodiscard]] WarpControl control(WarpSlot warp) const override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Makes the streams of a launch, one per SM: something that records or replays instead of executing.
using StreamFactory = std::function<std::unique_ptr<WarpStream>(const Launch&, const ExecutionStreamOptions&)>;
/// What `factory` makes, or an ExecutionStream when there is none.
[[nodiscard]] std::unique_ptr<WarpStream> make_stream(const StreamFactory& factory, const Launch& launch,
                                                      const ExecutionStreamOptions& options);

}  // namespace teslasim

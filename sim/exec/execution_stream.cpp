// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/execution_stream.h"

#include "sim/exec/control_operations.h"
#include "sim/exec/lane_operations.h"
#include "sim/exec/memory_operations.h"
#include "sim/exec/texture_operations.h"

namespace teslasim {

/// The units of the executor around the state of the resident warps. Issuing allocates nothing and makes one indirect
/// call, to the semantics.
class ExecutionStream::State {
 public:
  State(const Launch& launch, const ExecutionStreamOptions& options) : context_(launch, options) {}

  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) {
    warps_.start_block(block_slot, block, first_warp);
  }
  void finish_block(unsigned block_slot) { warps_.finish_block(block_slot); }
  [[nodiscard]] const Instruction* next(WarpSlot warp) { return control_.next(warps_[warp]); }
  [[nodiscard]] bool passes_guard(WarpSlot warp_slot) const {
    const ResidentWarp& warp = warps_[warp_slot];
    return executing_lanes(warp, context_.table.operations[warp.control.index()]) != 0;
  }
  [[nodiscard]] LaneMask active(WarpSlot warp) const { return warps_[warp].control.active(); }
  void issue(WarpSlot warp_slot, std::uint64_t clock, WarpInst& out);
  void complete(WarpSlot warp, MemoryAccess& access) { pool_.complete(warps_[warp], access); }
  void release(MemoryAccess& access) { pool_.release(access); }
  [[nodiscard]] WarpValues values(WarpSlot warp_slot) const {
    const ResidentWarp& warp = warps_[warp_slot];
    return {warp.rows, context_.registers, warp.flags.data(), warp.block->shared};
  }
  [[nodiscard]] std::span<const StackEntry> divergence(WarpSlot warp) const { return warps_[warp].control.entries(); }
  [[nodiscard]] WarpControl control(WarpSlot warp) const { return warps_[warp].control; }

 private:
  [[nodiscard]] static LaneMask executing_lanes(const ResidentWarp& warp, const Operation& operation) {
    const LaneMask active = warp.control.active();
    return operation.condition == nullptr ? active : active & operation.condition(warp.flags[operation.guard]);
  }

  ExecutionContext context_;
  ResidentWarps warps_{context_};
  OnChipMemory on_chip_{context_};
  AccessPool pool_{context_};
  ControlOperations control_{context_};
  LaneOperations lanes_{context_, on_chip_};
  MemoryOperations memory_{context_, on_chip_, pool_};
  TextureOperations textures_{context_, pool_};
};

void ExecutionStream::State::issue(WarpSlot warp_slot, std::uint64_t clock, WarpInst& out) {
  ResidentWarp& warp = warps_[warp_slot];
  const Operation& operation = context_.table.operations[warp.control.index()];
  lanes_.set_clock(clock);
  out.instruction = operation.instruction;
  out.active = warp.control.active();
  out.executed = executing_lanes(warp, operation);
  out.divergent = false;
  out.shared.lanes = 0;
  out.constant.lanes = 0;
  out.memory = nullptr;
  if (operation.route == Route::control) {
    control_.execute(warp, operation, out);
  } else {
    const LaneMask executed = out.executed;
    if (executed != 0) {
      switch (operation.route) {
        case Route::data:
          lanes_.data(warp, operation, executed, out);
          break;
        case Route::data_gathered:
          lanes_.data_gathered(warp, operation, executed, out);
          break;
        case Route::store_shared:
          lanes_.store_shared(warp, operation, executed, out);
          break;
        case Route::lock_shared:
          lanes_.lock_shared(warp, operation, executed, out);
          break;
        case Route::global:
          memory_.global(warp, operation, executed, out);
          break;
        case Route::local:
          memory_.local(warp, operation, executed, out);
          break;
        default:
          textures_.read(warp, operation, executed, out);
      }
    }
    control_.leave(warp, operation, executed);
  }
  out.finished = warp.control.finished();
}

ExecutionStream::ExecutionStream(const Launch& launch, const ExecutionStreamOptions& options)
    : state_(std::make_unique<State>(launch, options)) {}
ExecutionStream::~ExecutionStream() = default;

void ExecutionStream::start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) {
  state_->start_block(block_slot, block, first_warp);
}
void ExecutionStream::finish_block(unsigned block_slot) {
  state_->finish_block(block_slot);
}
const Instruction* ExecutionStream::next(WarpSlot warp) {
  return state_->next(warp);
}
bool ExecutionStream::passes_guard(WarpSlot warp) const {
  return state_->passes_guard(warp);
}
LaneMask ExecutionStream::active(WarpSlot warp) const {
  return state_->active(warp);
}
void ExecutionStream::issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) {
  state_->issue(warp, clock, out);
}
void ExecutionStream::complete(WarpSlot warp, MemoryAccess& access) {
  state_->complete(warp, access);
}
void ExecutionStream::release(MemoryAccess& access) {
  state_->release(access);
}
WarpValues ExecutionStream::values(WarpSlot warp) const {
  return state_->values(warp);
}
std::span<const StackEntry> ExecutionStream::divergence(WarpSlot warp) const {
  return state_->divergence(warp);
}
WarpControl ExecutionStream::control(WarpSlot warp) const {
  return state_->control(warp);
}

std::unique_ptr<WarpStream> make_stream(const StreamFactory& factory, const Launch& launch,
                                        const ExecutionStreamOptions& options) {
  if (factory) return factory(launch, options);
  return std::make_unique<ExecutionStream>(launch, options);
}

}  // namespace teslasim

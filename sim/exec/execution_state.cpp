// SPDX-License-Identifier: Apache-2.0
// Resident blocks and warps, and the loop over instructions.
#include "sim/exec/execution_state.h"

#include <algorithm>
#include <cstring>

#include "sim/exec/barrier.h"

namespace teslasim {

namespace {

constexpr std::size_t row_bytes = sizeof(LaneRow);
constexpr std::size_t word_bytes = 4;

std::uint32_t shared_bytes_of(const Launch& launch) {
  const auto minimum = launch_header_bytes + static_cast<std::uint32_t>(launch.parameters.size());
  return std::max(launch.shared_bytes, minimum);
}

std::size_t rows_for(std::size_t bytes) {
  return (bytes + row_bytes - 1) / row_bytes;
}

bool uses_locks(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) { return i.lock; });
}

bool uses_textures(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [](const Instruction& i) { return i.opcode == Opcode::tex; });
}

}  // namespace

ExecutionStream::State::State(const Launch& launch, const ExecutionStreamOptions& options)
    : launch_(launch),
      options_(options),
      table_(prepare(launch)),
      registers_(std::min(launch.kernel->registers, all_registers)),
      shared_limit_(shared_bytes_of(launch)),
      local_words_(static_cast<std::uint32_t>((launch.kernel->local_bytes + word_bytes - 1) / word_bytes)),
      register_pool_(std::size_t{options.warp_slots} * table_.warp_rows),
      shared_pool_(options.block_slots * rows_for(shared_limit_)),
      stack_pool_(std::size_t{options.warp_slots} * options.divergence_stack),
      warps_(options.warp_slots),
      blocks_(options.block_slots) {
  // Local memory may be large and little used; untouched pages cost nothing.
  local_pool_.reset(new std::uint32_t[std::size_t{options.warp_slots} * local_words_ * warp_size]);
  const std::size_t words = (shared_limit_ + word_bytes - 1) / word_bytes;
  const bool locks = uses_locks(*launch.kernel);
  if (locks) lock_pool_.resize(words * options.block_slots);
  for (unsigned slot = 0; slot < options.block_slots; ++slot) {
    blocks_[slot].shared = reinterpret_cast<std::uint8_t*>(&shared_pool_[slot * rows_for(shared_limit_)]);
    if (locks) blocks_[slot].locked = &lock_pool_[slot * words];
  }
  for (unsigned slot = 0; slot < options.warp_slots; ++slot) {
    warps_[slot].rows = register_pool_[std::size_t{slot} * table_.warp_rows].data();
    warps_[slot].local = reinterpret_cast<std::byte*>(local_pool_.get() + std::size_t{slot} * local_words_ * warp_size);
    warps_[slot].slot = slot;
  }
  constexpr unsigned accesses_per_warp = 2;
  const unsigned prepared =
      options.memory_effect == MemoryEffect::at_issue ? 1 : accesses_per_warp * options.warp_slots;
  for (unsigned i = 0; i < prepared; ++i) {
    accesses_.push_back(std::make_unique<MemoryAccess>());
    free_accesses_.push_back(accesses_.back().get());
  }
  for (unsigned i = 0; i < prepared && uses_textures(*launch.kernel); ++i) {
    textures_.push_back(std::make_unique<TextureAccess>());
    free_textures_.push_back(textures_.back().get());
  }
}

void ExecutionStream::State::write_header(Block& block) {
  std::memset(block.shared, 0, rows_for(shared_limit_) * row_bytes);
  if (block.locked != nullptr) std::memset(block.locked, 0, (shared_limit_ + word_bytes - 1) / word_bytes);
  const auto low16 = [](std::uint64_t value) { return static_cast<std::uint16_t>(value); };
  const std::array<std::uint16_t, launch_header_bytes / 2> header{
      0,  // grid flags: not used by programs
      low16(launch_.block[0]),
      low16(launch_.block[1]),
      low16(launch_.block[2]),
      low16(launch_.grid[0]),
      low16(launch_.grid[1]),
      low16(block.index % launch_.grid[0]),
      low16(block.index / launch_.grid[0] % launch_.grid[1])};
  std::memcpy(block.shared, header.data(), launch_header_bytes);
  if (!launch_.parameters.empty()) {
    std::memcpy(block.shared + launch_header_bytes, launch_.parameters.data(), launch_.parameters.size());
  }
}

void ExecutionStream::State::start_block(unsigned block_slot, BlockIndex block_index, unsigned first_warp) {
  Block& block = blocks_[block_slot];
  block.index = block_index;
  block.first_warp = first_warp;
  block.warps = launch_.warps_per_block();
  SIM_CHECK(first_warp + block.warps <= warps_.size(), "a block does not fit into the warp slots");
  write_header(block);
  const unsigned threads = launch_.threads_per_block();
  for (unsigned i = 0; i < block.warps; ++i) {
    Warp& warp = warps_[first_warp + i];
    warp.block = &block;
    warp.index_in_block = i;
    const unsigned left = threads - i * warp_size;
    start_warp(warp, left >= warp_size ? all_lanes : (LaneMask{1} << left) - 1, i * warp_size);
  }
}

void ExecutionStream::State::start_warp(Warp& warp, LaneMask launched, unsigned first_thread) {
  std::memset(warp.rows, 0, table_.warp_rows * row_bytes);
  std::memset(warp.local, 0, std::size_t{local_words_} * row_bytes);
  warp.flags.fill({});
  warp.control.start(launched, stack_pool_.data() + std::size_t{warp.slot} * options_.divergence_stack,
                     {options_.divergence_stack, options_.limited_calls});
  if (registers_ == 0) return;
  constexpr unsigned y_position = 16;
  constexpr unsigned z_position = 26;
  unsigned x = first_thread % launch_.block[0];
  unsigned y = first_thread / launch_.block[0] % launch_.block[1];
  unsigned z = first_thread / launch_.block[0] / launch_.block[1];
  for (unsigned lane = 0; lane < warp_size && (launched >> lane & 1U) != 0; ++lane) {  // the first lanes are launched
    warp.rows[lane] = x | y << y_position | z << z_position;
    if (++x != launch_.block[0]) continue;
    x = 0;
    if (++y != launch_.block[1]) continue;
    y = 0;
    ++z;
  }
}

void ExecutionStream::State::finish_block(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  for (unsigned i = 0; i < block.warps; ++i) warps_[block.first_warp + i].control.clear();
  block.warps = 0;
}

FaultPlace ExecutionStream::State::place(const Warp& warp, const Operation& operation, LaneMask lanes) const {
  return {&launch_, operation.instruction, options_.sm, warp.block->index, warp.index_in_block, lanes};
}

void ExecutionStream::State::check(Warp& warp, const Operation& operation, ControlFault fault) {
  if (fault == ControlFault::none) [[likely]]
    return;
  const FaultPlace where = place(warp, operation, warp.control.active());
  if (fault == ControlFault::bad_address) {
    Diagnostic error = kernel_diagnostic(where, "KERNEL-PC", "jump to an address without an instruction", "");
    error.help = "branch targets must be the address of an instruction of the kernel";
    throw_kernel_error(std::move(error));
  }
  if (fault == ControlFault::overflow) {
    const std::string detail = "all " + std::to_string(options_.divergence_stack) + " entries in use";
    Diagnostic error = kernel_diagnostic(where, "KERNEL-STACK", "divergence stack overflow", detail);
    error.help = "a join, break or call in a loop pushes an entry per trip; or raise sm.divergence_stack";
    throw_kernel_error(std::move(error));
  }
  const bool empty = fault == ControlFault::underflow;
  Diagnostic error =
      kernel_diagnostic(where, "KERNEL-STACK",
                        empty ? "divergence stack is empty" : "divergence stack holds an entry of another kind", "");
  error.help = "each .join needs its 'join.label' before, each break its 'breakaddr', in the reverse order";
  throw_kernel_error(std::move(error));
}

const Instruction* ExecutionStream::State::next(unsigned warp_slot) {
  Warp& warp = warps_[warp_slot];
  while (!warp.control.finished()) {
    const std::uint32_t index = warp.control.index();
    if (index >= table_.operations.size()) [[unlikely]] {
      const Operation& last = table_.operations.back();
      Diagnostic error = kernel_diagnostic(place(warp, last, warp.control.active()), "KERNEL-PC",
                                           "the kernel runs on past its last instruction", "");
      error.help = "end the kernel with 'return' or with the exit flag (.end) on its last instruction";
      throw_kernel_error(std::move(error));
    }
    const Operation& operation = table_.operations[index];
    if (!operation.join || !warp.control.join_pending()) return operation.instruction;
    check(warp, operation, warp.control.join());
  }
  return nullptr;
}

void ExecutionStream::State::issue(unsigned warp_slot, std::uint64_t clock, WarpInst& out) {
  Warp& warp = warps_[warp_slot];
  const Operation& operation = table_.operations[warp.control.index()];
  clock_ = clock;
  out.instruction = operation.instruction;
  out.active = warp.control.active();
  out.executed = out.active;
  if (operation.condition != nullptr) out.executed &= operation.condition(warp.flags[operation.guard]);
  out.divergent = false;
  out.shared.lanes = 0;
  out.constant.lanes = 0;
  out.memory = nullptr;
  if (operation.route == Route::control) {
    control(warp, operation, out);
  } else {
    const LaneMask executed = out.executed;
    if (executed != 0) {
      switch (operation.route) {
        case Route::data:
          data(warp, operation, executed, out);
          break;
        case Route::data_gathered:
          data_gathered(warp, operation, executed, out);
          break;
        case Route::store_shared:
          store_shared(warp, operation, executed, out);
          break;
        case Route::lock_shared:
          lock_shared(warp, operation, executed, out);
          break;
        case Route::global:
          global(warp, operation, executed, out);
          break;
        case Route::local:
          local(warp, operation, executed, out);
          break;
        default:
          texture(warp, operation, executed, out);
      }
    }
    leave(warp, operation, executed);
  }
  out.finished = warp.control.finished();
}

void ExecutionStream::State::refuse(const Warp& warp, const Operation& operation, LaneMask lanes) const {
  throw_kernel_error(kernel_diagnostic(
      place(warp, operation, lanes), "KERNEL-UNSUPPORTED",
      "this simulator does not execute '" + std::string(operation.instruction->row().mnemonic) + "' yet", ""));
}

/// What follows any instruction without control transfer: the exit flag, or the next instruction.
void ExecutionStream::State::leave(Warp& warp, const Operation& operation, LaneMask executed) {
  if (!operation.exit) [[likely]] {
    warp.control.advance();
    return;
  }
  check(warp, operation, warp.control.exit(executed));
}

/// A barrier for more threads than the block has can never open.
void ExecutionStream::State::check_barrier(const Warp& warp, const Operation& operation) const {
  const unsigned threads = operation.instruction->barrier().threads;
  const unsigned warps = warp.block->warps;
  if (threads == BlockBarriers::whole_block || (threads + warp_size - 1) / warp_size <= warps) return;
  Diagnostic error =
      kernel_diagnostic(place(warp, operation, 0), "KERNEL-BARRIER", "barrier for more threads than the block has",
                        std::to_string(threads) + " threads wanted, the block has " + std::to_string(warps) + " warps");
  throw_kernel_error(std::move(error));
}

LaneMask ExecutionStream::State::launched(const Warp& warp) const {
  const unsigned threads = launch_.threads_per_block() - warp.index_in_block * warp_size;
  return threads >= warp_size ? ~LaneMask{0} : (LaneMask{1} << threads) - 1;
}

/// The barrier counts warps: lanes that have not ended and are not here will pass it without having reached it.
void ExecutionStream::State::note_partial_barrier(const Warp& warp, const Operation& operation) const {
  if (options_.partial_barriers == nullptr) return;
  const LaneMask elsewhere = launched(warp) & ~warp.control.exited() & ~warp.control.active();
  if (elsewhere == 0 || options_.partial_barriers->count++ != 0) return;
  Diagnostic& first = options_.partial_barriers->first.emplace(
      kernel_diagnostic(place(warp, operation, warp.control.active()), "KERNEL-BARRIER-DIVERGENT",
                        "a barrier is executed by a part of a warp", describe_lanes(elsewhere) + " not there"));
  first.severity = Diagnostic::Severity::warning;
  first.help =
      "CUDA leaves this undefined; the hardware counts warps, so the barrier does not wait for those lanes: "
      "move it to where all threads of the block come";
}

void ExecutionStream::State::control(Warp& warp, const Operation& operation, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const LaneMask executed = out.executed;
  switch (instruction.opcode) {
    case Opcode::bra:
      out.divergent = executed != 0 && executed != out.active;
      return check(warp, operation, warp.control.branch(executed, instruction.branch().target_index));
    case Opcode::call:
      return check(warp, operation,
                   instruction.branch().limited ? warp.control.limited_call(instruction.branch().target_index)
                                                : warp.control.call(instruction.branch().target_index));
    case Opcode::ret:
      return check(warp, operation, warp.control.leave_function(executed));
    case Opcode::breakaddr:
      return check(warp, operation, warp.control.push_break(instruction.branch().target_index));
    case Opcode::brk:
      return check(warp, operation, warp.control.leave_loop(executed));
    case Opcode::joinat:
      return check(warp, operation, warp.control.push_join(instruction.branch().target_index));
    case Opcode::quadon:
      return check(warp, operation, warp.control.enable_quads());
    case Opcode::quadpop:
      return check(warp, operation, warp.control.restore_quads());
    case Opcode::trap:
    case Opcode::brkpt:
      if (executed != 0) {
        throw_kernel_error(kernel_diagnostic(
            place(warp, operation, executed), "KERNEL-TRAP",
            instruction.opcode == Opcode::trap ? "the kernel executed a trap" : "the kernel reached a break point",
            ""));
      }
      break;
    case Opcode::bar:  // counted by whoever runs the warps
      check_barrier(warp, operation);
      note_partial_barrier(warp, operation);
      break;
    default:
      break;  // nop, pmevent
  }
  leave(warp, operation, executed);
}

// --- the public face

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
void ExecutionStream::issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) {
  state_->issue(warp, clock, out);
}
void ExecutionStream::complete(WarpSlot warp, MemoryAccess& access) {
  state_->complete(warp, access);
}
void ExecutionStream::release(MemoryAccess& access) {
  state_->release(access);
}

std::unique_ptr<WarpStream> make_stream(const StreamFactory& factory, const Launch& launch,
                                        const ExecutionStreamOptions& options) {
  if (factory) return factory(launch, options);
  return std::make_unique<ExecutionStream>(launch, options);
}

}  // namespace teslasim

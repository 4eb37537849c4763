// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/resident_warps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

/// Thread numbers for the first `count` lanes of a warp: x, y and z in one word each, threads of a row of the block at
/// once.
void number_threads(std::uint32_t* lanes, unsigned count, unsigned first_thread,
                    const std::array<std::uint32_t, 3>& block) {
  constexpr unsigned y_position = 16;
  constexpr unsigned z_position = 26;
  unsigned x = first_thread % block[0];
  unsigned y = first_thread / block[0] % block[1];
  unsigned z = first_thread / block[0] / block[1];
  if (count == warp_size && x + warp_size <= block[0]) {  // as most: one row, so that the compiler counts in vectors
    const std::uint32_t first = x | y << y_position | z << z_position;
    for (unsigned lane = 0; lane < warp_size; ++lane) lanes[lane] = first + lane;
    return;
  }
  for (unsigned lane = 0; lane < count;) {
    const unsigned end = std::min(count, lane + block[0] - x);
    const std::uint32_t row = x | y << y_position | z << z_position;
    for (unsigned i = 0; i < end - lane; ++i) lanes[lane + i] = row + i;
    lane = end;
    x = 0;
    if (++y != block[1]) continue;
    y = 0;
    ++z;
  }
}

bool uses_locks(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& i) { return i.lock; });
}

}  // namespace

ExecutionContext::ExecutionContext(const Launch& its_launch, const ExecutionStreamOptions& its_options)
    : launch(its_launch),
      options(its_options),
      table(prepare(its_launch)),
      registers(std::min(its_launch.kernel->registers, all_registers)),
      shared_limit(shared_bytes_of(its_launch)),
      local_words(static_cast<std::uint32_t>((its_launch.kernel->local_bytes + word_bytes - 1) / word_bytes)) {}

ResidentWarps::ResidentWarps(const ExecutionContext& context)
    : context_(context),
      register_pool_(std::size_t{context.options.warp_slots} * context.table.warp_rows),
      shared_pool_(context.options.block_slots * rows_for(context.shared_limit)),
      stack_pool_(std::size_t{context.options.warp_slots} * context.options.divergence_stack),
      warps_(context.options.warp_slots),
      blocks_(context.options.block_slots) {
  // Local memory may be large and little used; untouched pages cost nothing.
  local_pool_.reset(new std::uint32_t[std::size_t{context_.options.warp_slots} * context_.local_words * warp_size]);
  const std::size_t words = (context_.shared_limit + word_bytes - 1) / word_bytes;
  const bool locks = uses_locks(*context_.launch.kernel);
  if (locks) lock_pool_.resize(words * context_.options.block_slots);
  for (unsigned slot = 0; slot < context_.options.block_slots; ++slot) {
    blocks_[slot].shared = reinterpret_cast<std::uint8_t*>(&shared_pool_[slot * rows_for(context_.shared_limit)]);
    if (locks) blocks_[slot].locked = &lock_pool_[slot * words];
  }
  for (unsigned slot = 0; slot < context_.options.warp_slots; ++slot) {
    warps_[slot].rows = register_pool_[std::size_t{slot} * context_.table.warp_rows].data();
    warps_[slot].local =
        reinterpret_cast<std::byte*>(local_pool_.get() + std::size_t{slot} * context_.local_words * warp_size);
    warps_[slot].slot = slot;
  }
}

void ResidentWarps::write_header(ResidentBlock& block) {
  std::memset(block.shared, 0, rows_for(context_.shared_limit) * row_bytes);
  if (block.locked != nullptr) std::memset(block.locked, 0, (context_.shared_limit + word_bytes - 1) / word_bytes);
  const auto low16 = [](std::uint64_t value) { return static_cast<std::uint16_t>(value); };
  const std::array<std::uint16_t, launch_header_bytes / 2> header{
      0,  // grid flags: not used by programs
      low16(context_.launch.block[0]),
      low16(context_.launch.block[1]),
      low16(context_.launch.block[2]),
      low16(context_.launch.grid[0]),
      low16(context_.launch.grid[1]),
      low16(block.index % context_.launch.grid[0]),
      low16(block.index / context_.launch.grid[0] % context_.launch.grid[1])};
  std::memcpy(block.shared, header.data(), launch_header_bytes);
  if (!context_.launch.parameters.empty()) {
    std::memcpy(block.shared + launch_header_bytes, context_.launch.parameters.data(),
                context_.launch.parameters.size());
  }
}

void ResidentWarps::start_block(unsigned block_slot, BlockIndex block_index, WarpSlot first_warp) {
  ResidentBlock& block = blocks_[block_slot];
  block.index = block_index;
  block.first_warp = first_warp;
  block.warps = context_.launch.warps_per_block();
  SIM_CHECK(first_warp + block.warps <= warps_.size(), "a block does not fit into the warp slots");
  write_header(block);
  const unsigned threads = context_.launch.threads_per_block();
  for (unsigned i = 0; i < block.warps; ++i) {
    ResidentWarp& warp = warps_[first_warp + i];
    warp.block = &block;
    warp.index_in_block = i;
    const unsigned left = threads - i * warp_size;
    start_warp(warp, left >= warp_size ? all_lanes : (LaneMask{1} << left) - 1, i * warp_size);
  }
}

void ResidentWarps::start_warp(ResidentWarp& warp, LaneMask launched, unsigned first_thread) {
  std::memset(warp.rows, 0, context_.table.warp_rows * row_bytes);
  std::memset(warp.local, 0, std::size_t{context_.local_words} * row_bytes);
  warp.flags.fill({});
  warp.control.start(launched, stack_pool_.data() + std::size_t{warp.slot} * context_.options.divergence_stack,
                     {context_.options.divergence_stack, context_.options.limited_calls});
  if (context_.registers == 0) return;
  number_threads(warp.rows, static_cast<unsigned>(std::popcount(launched)), first_thread, context_.launch.block);
}

void ResidentWarps::finish_block(unsigned block_slot) {
  ResidentBlock& block = blocks_[block_slot];
  for (unsigned i = 0; i < block.warps; ++i) warps_[block.first_warp + i].control.clear();
  block.warps = 0;
}

}  // namespace teslasim

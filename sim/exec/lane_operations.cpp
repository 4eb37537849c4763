// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/lane_operations.h"

#include <cstring>

#include "sim/base/each_lane.h"

namespace teslasim {

namespace {

constexpr unsigned half_bits = 16;

void mask_row(std::uint32_t* row, std::uint32_t mask) {
  for (unsigned i = 0; i < warp_size; ++i) row[i] &= mask;
}

bool is_high(const Operand& operand) {
  return operand.half == Operand::Half::high;
}

}  // namespace

LaneContext LaneOperations::context_of(ResidentWarp& warp, const Operation& operation, LaneMask executed) {
  const Instruction& instruction = *operation.instruction;
  LaneContext context;
  context.lanes = executed & operation.written;
  const std::array<const std::uint32_t*, 2> source_bases{warp.rows, context_.table.fixed_rows.front().data()};
  for (std::size_t i = 0; i < context.source.size(); ++i) {
    context.source[i] = source_bases[static_cast<unsigned>(operation.source[i].base)] + operation.source[i].offset;
  }
  const std::array<std::uint32_t*, 2> destination_bases{warp.rows, sink_.front().data()};
  context.destination =
      destination_bases[static_cast<unsigned>(operation.destination.base)] + operation.destination.offset;
  if (instruction.flag_destination >= 0) {
    context.flags = &warp.flags[static_cast<unsigned>(instruction.flag_destination) & 3U];
  }
  context.guard = &warp.flags[operation.guard];
  context.machine_sm = context_.launch.machine_sm;
  return context;
}

void LaneOperations::data(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  LaneContext context = context_of(warp, operation, executed);
  const Instruction& instruction = *operation.instruction;
  if (operation.has_constant_access) {
    out.constant.lanes = executed;
    out.constant.uniform = true;
    out.constant.address[0] = operation.constant_address;
  }
  if (instruction.opcode == Opcode::vote) {
    context.predicate = condition_function(instruction.condition)(warp.flags[operation.guard]);
  }
  operation.semantics(instruction, context);
}

void LaneOperations::data_gathered(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  LaneContext context = context_of(warp, operation, executed);
  if (operation.has_constant_access) {
    out.constant.lanes = executed;
    out.constant.uniform = true;
    out.constant.address[0] = operation.constant_address;
  }
  for (unsigned i = 0; i < operation.sources; ++i) {
    if (operation.source[i].kind != SourcePlan::Kind::row) {
      context.source[i] = gather(warp, operation, i, executed, out);
    }
  }
  if (operation.destination.kind != DestinationPlan::Kind::row) context.destination = result_.front().data();
  operation.semantics(*operation.instruction, context);
  if (operation.destination.kind != DestinationPlan::Kind::row) finish_destination(warp, operation, context.lanes);
  if (!operation.steps_address) return;
  for (unsigned i = 0; i < operation.sources; ++i)
    on_chip_.post_increment(warp, operation.instruction->source[i], executed);
}

const std::uint32_t* LaneOperations::gather(ResidentWarp& warp, const Operation& operation, unsigned position,
                                            LaneMask executed, WarpInst& out) {
  const SourcePlan& plan = operation.source[position];
  const Operand& operand = operation.instruction->source[position];
  std::uint32_t* const row = gathered_[2 * position].data();
  const std::uint32_t* const whole = warp.rows + plan.offset;
  switch (plan.kind) {
    case SourcePlan::Kind::half: {
      const unsigned shift = is_high(operand) ? half_bits : 0;
      for (unsigned i = 0; i < warp_size; ++i) row[i] = whole[i] >> shift & low_half;
      break;
    }
    case SourcePlan::Kind::straddle:
      std::memcpy(row, whole, sizeof(LaneRow));
      gathered_[2 * position + 1] = LaneRow{};
      break;
    case SourcePlan::Kind::shared:
      on_chip_.read_shared(warp, operation, operand, executed, out.shared, row);
      break;
    case SourcePlan::Kind::constant:
      on_chip_.read_constant(warp, operation, operand, executed, out.constant, row);
      break;
    case SourcePlan::Kind::special:
      gather_special(warp, operand.index, row);
      break;
    case SourcePlan::Kind::row:
      return whole;
  }
  if (plan.value_mask != ~0U) mask_row(row, plan.value_mask);
  return row;
}

void LaneOperations::finish_destination(ResidentWarp& warp, const Operation& operation, LaneMask lanes) {
  std::uint32_t* const home = warp.rows + operation.destination.offset;
  const std::uint32_t* const result = result_.front().data();
  if (operation.destination.kind == DestinationPlan::Kind::straddle) {
    for_each_lane(lanes, [&](unsigned lane) { home[lane] = result[lane]; });
    return;
  }
  const unsigned shift = is_high(operation.instruction->destination[0]) ? half_bits : 0;
  const std::uint32_t changed = low_half << shift;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t mask = changed & select_word(lanes, i);
    home[i] = (home[i] & ~mask) | (result[i] << shift & mask);
  }
}

void LaneOperations::gather_special(const ResidentWarp& warp, unsigned index, std::uint32_t* row) const {
  constexpr unsigned physical_id = 0;
  constexpr unsigned clock = 1;
  const auto time = static_cast<std::uint32_t>(clock_);
  const std::uint32_t place_in_gpu =
      (warp.slot & 0xffU) << 8U | (context_.options.sm_in_tpc & 0xfU) << 16U | (context_.options.tpc & 0xfU) << 20U;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t thread = (warp.slot * warp_size + i) & 0xffU;
    row[i] = index == physical_id ? place_in_gpu | thread : (index == clock ? time : 0);
  }
}

void LaneOperations::store_shared(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Operand& target = operation.instruction->store_target;
  if (stores_nothing(context_, operation)) {
    out.executed = 0;
    return on_chip_.post_increment(warp, target, executed);
  }
  OnChipAccess& access = out.shared;
  const OnChipMemory::AddressSummary summary = on_chip_.address_shared(warp, operation, target, executed, access);
  const std::uint32_t* data = context_of(warp, operation, executed).source[0];
  if (operation.source[0].kind != SourcePlan::Kind::row) data = gather(warp, operation, 0, executed, out);
  std::uint8_t* const memory = warp.block->shared;
  const unsigned step = access.uniform ? 0 : 1;
  if (access.bytes == 4 && summary.consecutive && executed == all_lanes) {
    std::memcpy(memory + access.address[0], data, sizeof(LaneRow));
  } else if (access.bytes == 4) {
    for_each_lane(executed, [&](unsigned lane) { std::memcpy(memory + access.address[lane * step], &data[lane], 4); });
  } else {
    for_each_lane(executed,
                  [&](unsigned lane) { std::memcpy(memory + access.address[lane * step], &data[lane], access.bytes); });
  }
  if (operation.instruction->lock && warp.block->locked != nullptr) {
    for_each_lane(executed, [&](unsigned lane) { warp.block->locked[access.address[lane * step] / 4] = 0; });
  }
  on_chip_.post_increment(warp, target, executed);
}

void LaneOperations::lock_shared(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  data_gathered(warp, operation, executed, out);
  const OnChipAccess& access = out.shared;
  LaneMask obtained = 0;
  for_each_lane(executed, [&](unsigned lane) {
    std::uint8_t& lock = warp.block->locked[access.address[access.uniform ? 0 : lane] / 4];
    if (lock == 0) obtained |= LaneMask{1} << lane;
    lock = 1;
  });
  FlagPlanes flags;
  flags.sign = obtained;
  flags.zero = ~obtained;
  write_flags(context_of(warp, operation, executed), flags);
}

}  // namespace teslasim

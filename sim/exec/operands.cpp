// SPDX-License-Identifier: Apache-2.0
// Lane-wise operations: operands from registers, shared and constant memory, results to registers and shared memory.
#include <bit>
#include <cstring>

#include "sim/exec/execution_state.h"

namespace teslasim {

namespace {

constexpr std::uint32_t low_half = 0xffffU;
constexpr unsigned half_bits = 16;

constexpr LaneRow make_word_steps() {
  LaneRow row{};
  for (unsigned i = 0; i < warp_size; ++i) row.lane[i] = 4 * i;
  return row;
}
constexpr LaneRow word_steps = make_word_steps();

/// Reads one element, extended to a word.
template <unsigned bytes, bool sign_extend>
std::uint32_t read_element(const std::uint8_t* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, bytes);
  if constexpr (sign_extend && bytes < 4) {
    constexpr unsigned unused = 32 - 8 * bytes;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << unused) >> unused);
  }
  return value;
}

template <unsigned bytes, bool sign_extend>
void read_lanes(const std::uint8_t* memory, const OnChipAccess& access, std::uint32_t* row) {
  if (access.uniform) {
    const std::uint32_t value = read_element<bytes, sign_extend>(memory + access.address[0]);
    for (unsigned i = 0; i < warp_size; ++i) row[i] = value;
    return;
  }
  for (unsigned i = 0; i < warp_size; ++i) row[i] = read_element<bytes, sign_extend>(memory + access.address[i]);
}

/// All lanes of `access` have valid addresses, also those that do not take part.
void read_row(const std::uint8_t* memory, const OnChipAccess& access, ValueType type, std::uint32_t* row) {
  switch (type) {
    case ValueType::u8:
      return read_lanes<1, false>(memory, access, row);
    case ValueType::s8:
      return read_lanes<1, true>(memory, access, row);
    case ValueType::u16:
    case ValueType::b16:
      return read_lanes<2, false>(memory, access, row);
    case ValueType::s16:
      return read_lanes<2, true>(memory, access, row);
    default:
      return read_lanes<4, false>(memory, access, row);
  }
}

void mask_row(std::uint32_t* row, std::uint32_t mask) {
  for (unsigned i = 0; i < warp_size; ++i) row[i] &= mask;
}

bool is_high(const Operand& operand) {
  return operand.half == Operand::Half::high;
}

template <typename Function>
void for_each_lane(LaneMask lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace

LaneContext ExecutionStream::State::context_of(Warp& warp, const Operation& operation, LaneMask executed) {
  const Instruction& instruction = *operation.instruction;
  LaneContext context;
  context.lanes = executed & operation.written;
  const std::array<const std::uint32_t*, 2> source_bases{warp.rows, table_.fixed_rows.front().data()};
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
  context.machine_sm = launch_.machine_sm;
  return context;
}

void ExecutionStream::State::data(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
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

void ExecutionStream::State::data_gathered(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
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
  for (unsigned i = 0; i < operation.sources; ++i) post_increment(warp, operation.instruction->source[i], executed);
}

const std::uint32_t* ExecutionStream::State::gather(Warp& warp, const Operation& operation, unsigned position,
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
      gather_shared(warp, operation, operand, executed, out.shared, row);
      break;
    case SourcePlan::Kind::constant:
      gather_constant(warp, operation, operand, executed, out.constant, row);
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

void ExecutionStream::State::finish_destination(Warp& warp, const Operation& operation, LaneMask lanes) {
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

ExecutionStream::State::AddressSummary ExecutionStream::State::fill_addresses(Warp& warp, const Operand& operand,
                                                                              LaneMask executed, OnChipAccess& access) {
  access.lanes = executed;
  access.bytes = static_cast<std::uint8_t>(bytes_of(operand.type));
  const auto offset = operand.post_increment ? 0U : static_cast<std::uint32_t>(operand.offset);
  if (operand.address_register == 0) {
    access.uniform = true;
    access.address[0] = offset & low_half;
    return {static_cast<std::int32_t>(access.address[0]), access.address[0], false};
  }
  const std::uint32_t* const base = aligned(warp.rows + (registers_ + operand.address_register) * warp_size);
  const std::uint32_t reference = base[static_cast<unsigned>(std::countr_zero(executed))];
  const std::uint32_t start = (reference + offset) & low_half;
  std::uint32_t different = 0;
  std::uint32_t irregular = 0;
  std::uint32_t bits = 0;
  std::int32_t highest = 0;
  std::uint32_t* const address = aligned(access.address.data());
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t takes_part = select_word(executed, i);
    const std::uint32_t value = (((base[i] & takes_part) | (reference & ~takes_part)) + offset) & low_half;
    different |= value ^ start;
    irregular |= value ^ (start + word_steps.lane[i]);
    bits |= value;
    highest = static_cast<std::int32_t>(value) > highest ? static_cast<std::int32_t>(value) : highest;
    address[i] = value;
  }
  access.uniform = different == 0;
  return {highest, bits, irregular == 0};
}

void ExecutionStream::State::post_increment(Warp& warp, const Operand& operand, LaneMask executed) {
  if (!operand.post_increment || operand.address_register == 0) return;
  std::uint32_t* const base = warp.rows + (registers_ + operand.address_register) * warp_size;
  for_each_lane(executed, [&](unsigned lane) {
    base[lane] = (base[lane] + static_cast<std::uint32_t>(operand.offset)) & low_half;
  });
}

void ExecutionStream::State::check_on_chip(const Warp& warp, const Operation& operation, const OnChipAccess& access,
                                           const AddressSummary& summary, const Space& space) {
  const std::uint64_t limit = space.bytes;
  const bool aligned_all = (summary.bits & (access.bytes - 1U)) == 0;
  if (aligned_all && static_cast<std::uint32_t>(summary.highest) + access.bytes <= limit) [[likely]]
    return;
  LaneMask wrong = 0;
  std::uint32_t first_wrong = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const std::uint32_t address = access.address[access.uniform ? 0 : lane];
    const bool good = aligned_all ? address + access.bytes <= limit : (address & (access.bytes - 1U)) == 0;
    if (good) return;
    if (wrong == 0) first_wrong = address;
    wrong |= LaneMask{1} << lane;
  });
  throw_on_chip_error({place(warp, operation, wrong), first_wrong, access.bytes, limit, aligned_all, space.name});
}

void ExecutionStream::State::gather_shared(Warp& warp, const Operation& operation, const Operand& operand,
                                           LaneMask executed, OnChipAccess& access, std::uint32_t* row) {
  const AddressSummary summary = fill_addresses(warp, operand, executed, access);
  check_on_chip(warp, operation, access, summary, {"shared", shared_limit_});
  if (summary.consecutive && access.bytes == 4) {
    std::memcpy(row, warp.block->shared + access.address[0], sizeof(LaneRow));
    return;
  }
  read_row(warp.block->shared, access, operand.type, row);
}

void ExecutionStream::State::gather_constant(Warp& warp, const Operation& operation, const Operand& operand,
                                             LaneMask executed, OnChipAccess& access, std::uint32_t* row) {
  const auto& bank = launch_.constant_banks[operand.bank & 15U];
  const AddressSummary summary = fill_addresses(warp, operand, executed, access);
  check_on_chip(warp, operation, access, summary, {"constant", bank.size()});
  read_row(bank.data(), access, operand.type, row);
}

void ExecutionStream::State::gather_special(const Warp& warp, unsigned index, std::uint32_t* row) const {
  constexpr unsigned physical_id = 0;
  constexpr unsigned clock = 1;
  const auto time = static_cast<std::uint32_t>(clock_);
  const std::uint32_t place_in_gpu =
      (warp.slot & 0xffU) << 8U | (options_.sm_in_tpc & 0xfU) << 16U | (options_.tpc & 0xfU) << 20U;
  for (unsigned i = 0; i < warp_size; ++i) {
    const std::uint32_t thread = (warp.slot * warp_size + i) & 0xffU;
    row[i] = index == physical_id ? place_in_gpu | thread : (index == clock ? time : 0);
  }
}

bool ExecutionStream::State::stores_nothing(const Operation& operation) const {
  const Operand& data = operation.instruction->source[0];
  return data.kind == Operand::Kind::gpr && data.index >= registers_;
}

void ExecutionStream::State::store_shared(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Operand& target = operation.instruction->store_target;
  if (stores_nothing(operation)) {
    out.executed = 0;
    return post_increment(warp, target, executed);
  }
  OnChipAccess& access = out.shared;
  const AddressSummary summary = fill_addresses(warp, target, executed, access);
  check_on_chip(warp, operation, access, summary, {"shared", shared_limit_});
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
  post_increment(warp, target, executed);
}

/// Reads a word and tries to lock it: S when the lane got the lock, Z when not. Lanes try in order.
void ExecutionStream::State::lock_shared(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
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

// SPDX-License-Identifier: Apache-2.0
#include "tests/sm/sm_under_test.h"

#include <gtest/gtest.h>

namespace teslasim::testing {
namespace {

Operand reg(unsigned index, ValueType type = ValueType::f32) {
  Operand operand;
  operand.kind = Operand::Kind::gpr;
  operand.index = static_cast<std::uint8_t>(index);
  operand.type = type;
  return operand;
}

Instruction arithmetic(Opcode opcode, ValueType type, unsigned destination, std::vector<unsigned> sources) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.destination[0] = reg(destination, type);
  for (std::size_t i = 0; i < sources.size(); ++i) instruction.source[i] = reg(sources[i], type);
  return instruction;
}

Operand memory(Operand::Kind kind, unsigned index = 0) {
  Operand operand;
  operand.kind = kind;
  operand.type = ValueType::b32;
  operand.index = static_cast<std::uint8_t>(index);
  operand.bank = kind == Operand::Kind::global ? 14 : 1;
  return operand;
}

constexpr Femtoseconds cycle_length = 1000;

}  // namespace

Instruction mad(unsigned destination, unsigned a, unsigned b, unsigned c) {
  return arithmetic(Opcode::fmad, ValueType::f32, destination, {a, b, c});
}
Instruction add(unsigned destination, unsigned a, unsigned b) {
  return arithmetic(Opcode::add, ValueType::u32, destination, {a, b});
}
Instruction subtract_with_flags(unsigned destination, unsigned a, unsigned b, unsigned flags) {
  Instruction instruction = arithmetic(Opcode::sub, ValueType::u32, destination, {a, b});
  instruction.flag_destination = static_cast<std::int8_t>(flags);
  return instruction;
}
Instruction special(unsigned destination, unsigned a) {
  return arithmetic(Opcode::rcp, ValueType::f32, destination, {a});
}
Instruction multiply(unsigned destination, unsigned a) {
  return arithmetic(Opcode::fmul, ValueType::f32, destination, {a, a});
}
Instruction move_on_sfu(unsigned destination, unsigned a) {
  Instruction instruction = arithmetic(Opcode::mov, ValueType::b32, destination, {a});
  instruction.sfu_hint = true;
  return instruction;
}
Instruction double_mad(unsigned destination, unsigned a, unsigned b, unsigned c) {
  return arithmetic(Opcode::dfma, ValueType::f64, destination, {a, b, c});
}
Instruction shared_load(unsigned destination) {
  Instruction instruction = arithmetic(Opcode::load_shared, ValueType::b32, destination, {});
  instruction.source[0] = memory(Operand::Kind::shared);
  return instruction;
}
Instruction shared_mad(unsigned destination, unsigned b, unsigned c) {
  Instruction instruction = mad(destination, b, b, c);
  instruction.source[0] = memory(Operand::Kind::shared);
  return instruction;
}
Instruction constant_load(unsigned destination) {
  Instruction instruction = arithmetic(Opcode::load_constant, ValueType::b32, destination, {});
  instruction.source[0] = memory(Operand::Kind::constant);
  return instruction;
}
Instruction global_load(unsigned destination, unsigned address) {
  Instruction instruction = arithmetic(Opcode::load_global, ValueType::b32, destination, {});
  instruction.source[0] = memory(Operand::Kind::global, address);
  return instruction;
}
Instruction global_store(unsigned address, unsigned data) {
  Instruction instruction;
  instruction.opcode = Opcode::store_global;
  instruction.source[0] = reg(data, ValueType::b32);
  instruction.store_target = memory(Operand::Kind::global, address);
  return instruction;
}
Instruction growing_local_store(unsigned address_register, unsigned data) {
  Instruction instruction;
  instruction.opcode = Opcode::store_local;
  instruction.source[0] = reg(data, ValueType::b32);
  instruction.store_target.kind = Operand::Kind::local;
  instruction.store_target.address_register = static_cast<std::uint8_t>(address_register);
  instruction.store_target.offset = 4;
  instruction.store_target.post_increment = true;
  return instruction;
}
Instruction barrier() {
  Instruction instruction;
  instruction.opcode = Opcode::bar;
  return instruction;
}
Instruction branch() {
  Instruction instruction;
  instruction.opcode = Opcode::bra;
  return instruction;
}
Instruction set_flags(unsigned flags, unsigned a) {
  Instruction instruction = arithmetic(Opcode::fset, ValueType::f32, 0, {a, a});
  instruction.destination[0] = {};
  instruction.destination[0].kind = Operand::Kind::discard;
  instruction.flag_destination = static_cast<std::int8_t>(flags);
  return instruction;
}
Instruction predicated(Instruction instruction, unsigned flags) {
  instruction.condition = 5;
  instruction.guard_flags = static_cast<std::uint8_t>(flags);
  return instruction;
}
Instruction last() {
  Instruction instruction;
  instruction.opcode = Opcode::nop;
  instruction.exit = true;
  return instruction;
}

ScriptedStream::ScriptedStream(const Kernel& kernel, unsigned warps_per_block)
    : kernel_(kernel), warps_per_block_(warps_per_block) {}

void ScriptedStream::start_block(unsigned, BlockIndex, WarpSlot first_warp) {
  for (unsigned i = 0; i < warps_per_block_; ++i) position_[first_warp + i] = 0;
  ++started_blocks;
}
void ScriptedStream::finish_block(unsigned) {
  ++finished_blocks;
}

const Instruction* ScriptedStream::next(WarpSlot warp) {
  return position_[warp] < kernel_.code.size() ? &kernel_.code[position_[warp]] : nullptr;
}

bool ScriptedStream::passes_guard(WarpSlot warp) const {
  if (!shape) return true;
  MemoryAccess access;
  WarpInst outcome;
  outcome.executed = all_lanes;
  outcome.memory = &access;
  shape(warp, kernel_.code[position_.at(warp)].index, outcome);
  return outcome.executed != 0;
}

void ScriptedStream::issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) {
  const Instruction& instruction = kernel_.code[position_[warp]++];
  issues.push_back({clock, warp, instruction.index});
  out.instruction = &instruction;
  out.active = out.executed = all_lanes;
  out.divergent = false;
  out.finished = instruction.exit;
  out.shared.lanes = instruction.accesses_shared() ? all_lanes : 0;
  out.shared.uniform = true;
  out.constant.lanes = instruction.reads_constant_operand ? all_lanes : 0;
  out.constant.uniform = true;
  out.memory = nullptr;
  if (instruction.unit() == UnitClass::memory) {
    accesses_.push_back(std::make_unique<MemoryAccess>());
    out.memory = accesses_.back().get();
    out.memory->kind = instruction.opcode == Opcode::load_global ? MemoryAccess::Kind::load : MemoryAccess::Kind::store;
    out.memory->lanes = all_lanes;
    for (unsigned lane = 0; lane < warp_size; ++lane) out.memory->address[lane] = 0x1000 + 4 * lane;
  }
  if (shape) shape(warp, instruction.index, out);
}

void ScriptedStream::complete(WarpSlot, MemoryAccess&) {
  ++completed;
}
void ScriptedStream::release(MemoryAccess&) {}

SmUnderTest::SmUnderTest(SmSpec the_spec, SmCycle memory_latency)
    : spec(std::move(the_spec)), memory_latency_(memory_latency) {
  spec.icache.bytes = 0;
  spec.const_cache.bytes = 0;
}

void SmUnderTest::run(std::vector<Instruction> code, unsigned warps, unsigned blocks) {
  Kernel kernel;
  kernel.registers = 32;
  kernel.code = std::move(code);
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    kernel.code[i].index = i;
    kernel.code[i].pc = 8 * i;
    finish(kernel.code[i]);
  }
  SmParameters parameters;
  parameters.spec = &spec;
  parameters.coalescing = find_coalescing_rules("cc12");
  parameters.link = {cycle_length, 1, credits, 0, 0};
  parameters.lines = {cycle_length, 1, 0, nullptr};
  parameters.warp_slots = 32;
  parameters.sleeping = sleeping;
  sm_ = std::make_unique<Sm>(parameters);

  Launch launch;
  launch.kernel = &kernel;
  launch.grid = {blocks, 1, 1};
  launch.block = {warps * warp_size, 1, 1};
  const std::vector<InstructionTiming> timing = timing_of(kernel, spec);
  pcs.assign(kernel.code.size(), {});
  statistics = {};
  if (keep_warps) statistics.warps.keep(std::uint64_t{warps} * blocks);
  stream = std::make_unique<ScriptedStream>(kernel, warps);
  stream->shape = shape;
  SmLaunch start{&launch, &timing, &pcs, stream.get(), &statistics, this, this, this, 0};
  start.observer = observer;
  start.intervals = intervals;
  sm_->begin(start);
  for (unsigned block = 0; block < blocks; ++block) sm_->receive_block(0, block);
  SmCycle now = 0;
  while (now != never) {
    // Memory answers at once here, so all messages are known.
    now = sm_->run(now, now + quantum, {now + quantum + beyond, now + quantum + beyond});
    end = sm_->running() + 1;
  }
  if (!completions.empty()) end = std::max(end, completions.back());
  sm_->describe_pending(pending);
  sm_->finish(end);
}

void SmUnderTest::receive(unsigned, const MemoryTransaction& transaction) {
  sent.push_back(transaction);
  const SmCycle departure = transaction.when / cycle_length;
  if (return_credits) sm_->receive_credit(departure + memory_latency_ / 4);
  if (transaction.response) sm_->receive_response(departure + memory_latency_, transaction.tag);
}

void SmUnderTest::receive_line(unsigned, const LineRequest& request) {
  lines.push_back(request);
  sm_->receive_line(request.when / cycle_length + line_latency, request.kind, request.address);
}

void SmUnderTest::block_completed(SmIndex, BlockIndex, Femtoseconds when) {
  completions.push_back(when / cycle_length);
}

std::vector<SmCycle> SmUnderTest::issue_cycles(unsigned warp) const {
  std::vector<SmCycle> cycles;
  for (const ScriptedStream::Issue& issue : stream->issues) {
    if (issue.warp == warp) cycles.push_back(issue.cycle);
  }
  return cycles;
}

std::vector<Instruction> repeat(unsigned count, const Instruction& instruction) {
  std::vector<Instruction> code(count, instruction);
  code.push_back(last());
  return code;
}

void expect_sums_close(const SmUnderTest& sm) {
  EXPECT_EQ(sm.statistics.slots.sum(), sm.end);
  EXPECT_EQ(sm.statistics.warp_cycles.sum(), sm.statistics.resident_warp_cycles);
  EXPECT_EQ(
      sm.slots(SlotReason::issued) + sm.slots(SlotReason::replay_shared_bank) + sm.slots(SlotReason::replay_const),
      sm.statistics.issue_events);
  EXPECT_EQ(sm.warp_cycles(SlotReason::issuing) + sm.warp_cycles(SlotReason::issuing_replay),
            sm.statistics.issue_events);
  PerReason<> by_pc = sm.statistics.slots_without_pc;
  for (const PcStatistics& pc : sm.pcs) by_pc += pc.slots;
  EXPECT_EQ(by_pc, sm.statistics.slots);
}

}  // namespace teslasim::testing

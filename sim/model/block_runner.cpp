// SPDX-License-Identifier: Apache-2.0
#include "sim/model/block_runner.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "sim/base/instruction_sum.h"
#include "sim/exec/barrier_report.h"
#include "sim/exec/conflict_degree.h"
#include "sim/exec/kernel_error.h"

namespace teslasim {

namespace {

/// Instructions between two looks at the clock of the host and at the limits.
constexpr std::uint64_t watch_interval = 1U << 16U;

unsigned lanes_in(LaneMask lanes) {
  return lanes == all_lanes ? warp_size : static_cast<unsigned>(std::popcount(lanes));
}

ExecutionStreamOptions stream_options(const Launch& launch, const FunctionalOptions& options, ThreadWatch* watched) {
  ExecutionStreamOptions stream;
  stream.block_slots = 1;
  stream.warp_slots = launch.warps_per_block();
  stream.divergence_stack = options.divergence_stack;
  stream.limited_calls = options.limited_calls;
  if (watched != nullptr) {
    stream.footprint = &watched->footprint;
    stream.partial_barriers = &watched->partial_barriers;
  }
  return stream;
}

}  // namespace

BlockRunner::BlockRunner(const Launch& launch, const FunctionalOptions& options, const RunControl& control,
                         ThreadWatch* watched)
    : launch_(launch),
      options_(options),
      control_(control),
      warps_(launch.warps_per_block()),
      stream_(make_stream(options.stream, launch, stream_options(launch, options, watched))),
      last_pc_(warps_) {
  LaunchStatistics& statistics = outcome_.statistics;
  statistics.kernel = launch.kernel->name;
  statistics.grid = launch.grid;
  statistics.block = launch.block;
  statistics.timed = false;
  statistics.ctas_total = control.blocks.count_in(launch.blocks());
  statistics.pcs.resize(launch.kernel->code.size());
  statistics.banks.banks = options.banks;
  if (options.profile != nullptr) recorder_.emplace(*options.profile, launch.blocks(), warps_);
}

void BlockRunner::run_block(BlockIndex block) {
  try {
    run_warps(block);
  } catch (const InputError& error) {
    if (error.exit_code() != ExitCode::kernel) throw;
    outcome_.statistics.status = RunStatus::kernel_error;
    outcome_.errors = error.diagnostics();
  }
}

void BlockRunner::take_over(const BlockRunner& other) {
  const LaunchStatistics& theirs = other.outcome_.statistics;
  issued_ += other.issued_;
  next_watch_ = issued_;
  active_lanes_ += other.active_lanes_;
  outcome_.statistics.ctas_done += theirs.ctas_done;
  outcome_.statistics.banks += theirs.banks;
  add(outcome_.statistics.pcs, theirs.pcs);
}

LaunchOutcome BlockRunner::finish() {
  sum_up();
  return std::move(outcome_);
}

void BlockRunner::run_warps(BlockIndex block) {
  stream_->start_block(0, block, 0);
  barriers_.clear(warps_);
  if (recorder_) recorder_->start_block(block);
  LaneMask ready = warps_ >= warp_size ? all_lanes : (LaneMask{1} << warps_) - 1;
  unfinished_ = ready;
  while (ready != 0 && going_on()) {
    LaneMask next_round = 0;
    for (LaneMask rest = ready; rest != 0 && going_on(); rest &= rest - 1) {
      next_round |= run_warp(static_cast<unsigned>(std::countr_zero(rest)));
    }
    ready = next_round;
  }
  if (!going_on()) return;
  if (unfinished_ != 0) return report_stuck(block);
  stream_->finish_block(0);
  ++outcome_.statistics.ctas_done;
}

/// Runs a warp until it waits or ends. Returns the warps that a barrier set free.
LaneMask BlockRunner::run_warp(unsigned warp) {
  const LaneMask self = LaneMask{1} << warp;
  while (stream_->next(warp) != nullptr) {
    if (issued_ == next_watch_ && !watch()) return 0;
    stream_->issue(warp, issued_, record_);
    ++issued_;
    last_pc_[warp] = record_.instruction->pc;
    count(warp);
    if (record_.instruction->opcode == Opcode::bar) {
      const BarrierDetails& bar = record_.instruction->barrier();
      const LaneMask released = barriers_.execute(bar.number, self, bar.arrive, bar.wait, bar.threads);
      if (record_.finished) return finish_warp(self) | (released & ~self);
      if (bar.wait) return released;
      if (released != 0) return released | self;
    }
    if (record_.finished) break;
  }
  return finish_warp(self);
}

LaneMask BlockRunner::finish_warp(LaneMask warp) {
  unfinished_ &= ~warp;
  return options_.finished_warps_hold_barriers ? 0 : barriers_.leave(warp);
}

void BlockRunner::count(unsigned warp) {
  PcStatistics& pc = outcome_.statistics.pcs[record_.instruction->index];
  ++pc.warp_issues;
  pc.thread_issues += lanes_in(record_.executed);
  pc.null_issues += record_.executed == 0 ? 1 : 0;
  pc.divergent += record_.divergent ? 1 : 0;
  active_lanes_ += lanes_in(record_.active);
  Passes shared, constant;
  if (record_.shared.lanes != 0) shared = count_passes(record_.shared, pc.shared, true);
  if (record_.constant.lanes != 0) constant = count_passes(record_.constant, pc.constant, false);
  if (options_.coalescing == nullptr) return;
  const std::uint64_t bytes = record_.memory != nullptr ? count_access(*record_.memory, pc.memory) : 0;
  if (recorder_) recorder_->record(warp, record_, shared.all, shared.replays + constant.replays, bytes);
}

/// Bytes that the access moves in device memory (textures: as if nothing were in their cache).
std::uint64_t BlockRunner::count_access(const MemoryAccess& access, CoalescingStatistics& statistics) {
  const bool texture = access.space == MemoryAccess::Space::texture;
  const unsigned count = texture ? texture_segments(*access.texture, access.lanes, transactions_)
                                 : coalesce(access, *options_.coalescing, transactions_);
  const std::uint64_t before = statistics.bytes;
  count_traffic(access, {transactions_.data(), count}, statistics);
  return access.space == MemoryAccess::Space::local ? 0 : statistics.bytes - before;
}

BlockRunner::Passes BlockRunner::count_passes(const OnChipAccess& access, OnChipStatistics& statistics, bool shared) {
  Passes sum;
  for (unsigned first = 0; first < warp_size; first += options_.access_group) {
    const unsigned passes =
        shared ? shared_passes(access, first, options_.access_group, options_.banks, &outcome_.statistics.banks)
               : constant_passes(access, first, options_.access_group);
    if (passes == 0) continue;
    ++statistics.accesses;
    statistics.replays += passes - 1;
    ++statistics.degree[std::min<std::size_t>(passes, statistics.degree.size() - 1)];
    sum.all += passes;
    sum.replays += passes - 1;
  }
  return sum;
}

/// Looks at limits and at the outside world; false when the run must stop.
bool BlockRunner::watch() {
  next_watch_ = std::min(issued_ + watch_interval, std::max(control_.max_shader_cycles.count(), issued_ + 1));
  if (issued_ >= control_.max_shader_cycles) {
    outcome_.statistics.status = RunStatus::limit;
    return false;
  }
  if (!control_.watch) return true;
  const Progress progress{outcome_.statistics.ctas_done, outcome_.statistics.ctas_total, issued_, 0};
  if (control_.watch(progress) == Verdict::go_on) return true;
  outcome_.statistics.status = RunStatus::interrupted;
  return false;
}

/// Totals are sums over instruction addresses.
void BlockRunner::sum_up() {
  LaunchStatistics& statistics = outcome_.statistics;
  for (std::size_t i = 0; i < statistics.pcs.size(); ++i) {
    const PcStatistics& pc = statistics.pcs[i];
    const Instruction& instruction = launch_.kernel->code[i];
    statistics.warp_instructions += pc.warp_issues;
    statistics.thread_instructions += pc.thread_issues;
    statistics.null_instructions += pc.null_issues;
    statistics.issued_by_class[static_cast<unsigned>(instruction.row().issue_class)] += pc.warp_issues;
    statistics.divergent_branches += pc.divergent;
    if (instruction.opcode == Opcode::bra) statistics.branches += pc.warp_issues;
    if (instruction.opcode == Opcode::bar) statistics.barriers += pc.warp_issues;
    statistics.shared += pc.shared;
    statistics.constant += pc.constant;
    traffic_of(instruction) += pc.memory;
  }
  statistics.active_lane_sum = active_lanes_;
}

CoalescingStatistics& BlockRunner::traffic_of(const Instruction& instruction) {
  LaunchStatistics& statistics = outcome_.statistics;
  switch (instruction.row().issue_class) {
    case IssueClass::local:
      return statistics.local;
    case IssueClass::tex:
      return statistics.texture;
    default:
      return statistics.global;
  }
}

void BlockRunner::report_stuck(BlockIndex block) {
  outcome_.statistics.status = RunStatus::stuck;
  Diagnostic error;
  error.code = "SIM-STUCK";
  error.message = "no warp of a block can go on: all that are left wait at a barrier";
  std::vector<BarrierWarp> warps;
  for (unsigned warp = 0; warp < warps_; ++warp) {
    warps.push_back({(unfinished_ >> warp & 1U) == 0, last_pc_[warp], ""});
  }
  BarrierReport report = describe_barriers(launch_, block, barriers_, warps);
  error.details = std::move(report.lines);
  error.cause = std::move(report.cause);
  error.help = "every warp of a block must reach the barrier; teslasim explain SIM-STUCK";
  outcome_.errors.push_back(std::move(error));
}

}  // namespace teslasim

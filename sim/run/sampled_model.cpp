// SPDX-License-Identifier: Apache-2.0
#include "sim/run/sampled_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/gpu/launch_facts.h"
#include "sim/model/steady_pace.h"

namespace teslasim {
namespace {

double real_of(std::uint64_t count) {
  return static_cast<double>(count);
}

/// What the timed blocks say of a warp instruction of the others.
struct TimedPart {
  TimedPart(const LaunchStatistics& statistics, std::vector<Femtoseconds> ends, std::uint64_t wave)
      : counted(statistics),
        pace(steady_pace(std::move(ends), wave)),
        instructions_per_block(real_of(statistics.warp_instructions) / real_of(statistics.ctas_done)),
        sm_period(statistics.duration / whole_sm_cycles(statistics.shader_cycles).count()) {}

  [[nodiscard]] std::uint64_t sm_cycles(double femtoseconds_per_block, std::uint64_t instructions) const {
    const double time = femtoseconds_per_block * real_of(instructions) / instructions_per_block;
    return static_cast<std::uint64_t>(std::llround(time / real_of(sm_period.count())));
  }
  /// Warp instructions after which the extrapolated time is at a limit.
  [[nodiscard]] SpCycle instructions_until(SpCycle limit) const {
    if (limit == never || pace.femtoseconds_per_block <= 0.0) return never;
    const SpCycle left = limit - std::min(limit, counted.shader_cycles);
    const double time = real_of(whole_sm_cycles(left).count()) * real_of(sm_period.count());
    const double instructions = std::floor(time / pace.femtoseconds_per_block * instructions_per_block);
    return instructions < real_of(never) ? SpCycle(instructions) : SpCycle(never);
  }
  [[nodiscard]] BlockSample with(const LaunchStatistics& others) const {
    BlockSample sample;
    sample.timed_blocks = counted.ctas_done;
    sample.function_blocks = others.ctas_done;
    sample.function_warp_instructions = others.warp_instructions;
    const SmCycle more = sm_cycles(pace.femtoseconds_per_block, others.warp_instructions);
    const SmCycle bound = sm_cycles(pace.bound, others.warp_instructions);
    sample.cycles = counted.shader_cycles + sp_cycles(more);
    sample.time = counted.duration + more * sm_period;
    sample.cycles_bound = sp_cycles(bound);
    sample.bound = bound * sm_period;
    if (others.ctas_done != 0)
      sample.work_ratio = real_of(others.warp_instructions) / real_of(others.ctas_done) / instructions_per_block;
    sample.trend = pace.trend;
    sample.steady = pace.steady;
    return sample;
  }

  const LaunchStatistics& counted;
  SteadyPace pace;
  double instructions_per_block;
  Femtoseconds sm_period;
};

/// Who watches sees one launch: `before` is what its earlier blocks did.
RunControl continued(const RunControl& control, const Progress& before, std::uint64_t grid) {
  RunControl own = control;
  if (!control.watch) return own;
  own.watch = [&control, before, grid](const Progress& progress) {
    Progress all = progress;
    all.ctas_done += before.ctas_done;
    all.ctas_total = grid;
    all.warp_instructions += before.warp_instructions;
    all.shader_cycles += before.shader_cycles;
    return control.watch(all);
  };
  return own;
}

Diagnostic sample_warning(std::string code, std::string message, std::string help) {
  Diagnostic warning;
  warning.severity = Diagnostic::Severity::warning;
  warning.code = std::move(code);
  warning.message = std::move(message);
  warning.help = std::move(help);
  return warning;
}

}  // namespace

SampledModel::SampledModel(BlockSampleRule rule, const MachineSpec& machine, std::unique_ptr<LaunchModel> timing,
                           std::unique_ptr<LaunchModel> functional)
    : rule_(rule), machine_(machine), timing_(std::move(timing)), functional_(std::move(functional)) {}

ModelledLaunch SampledModel::run(const Launch& launch, const RunControl& control) {
  const std::uint64_t grid = launch.blocks();
  const std::uint64_t wave = std::uint64_t{occupancy_of(machine_, launch).ctas_per_sm} * machine_.sms();
  const std::uint64_t timed = rule_.timed_blocks(grid, wave);
  if (timed == grid) return timing_->run(launch, control);
  std::vector<Femtoseconds> ends;
  RunControl first = continued(control, {}, grid);
  first.blocks = {0, timed};
  first.block_ends = &ends;
  ModelledLaunch result = timing_->run(launch, first);
  LaunchStatistics& statistics = result.outcome.statistics;
  if (statistics.status != RunStatus::ok) {  // up to there it ran as a launch of all blocks does
    statistics.ctas_total = grid;
    return result;
  }
  const TimedPart part(statistics, std::move(ends), wave);
  RunControl rest =
      continued(control, {statistics.ctas_done, grid, statistics.warp_instructions, statistics.shader_cycles}, grid);
  rest.blocks = {timed, never};
  rest.max_shader_cycles = part.instructions_until(control.max_shader_cycles);
  LaunchOutcome others = functional_->run(launch, rest).outcome;
  result.sample = part.with(others.statistics);
  result.sample->waves = rule_.waves;
  statistics.status = others.statistics.status;
  result.outcome.errors = std::move(others.errors);
  return result;
}

std::vector<Diagnostic> sample_warnings(const std::string& kernel, const BlockSample& sample) {
  constexpr double tolerated_work = 0.1;
  std::vector<Diagnostic> warnings;
  if (!sample.steady) {
    warnings.push_back(sample_warning(
        "SAMPLE-TREND",
        fmt::format("kernel {}: its timed blocks show no steady state: from the first to the last batch, the time per "
                    "block changes by {:+.1f} %; the extrapolated time may be off by more than its bound",
                    kernel, 100.0 * sample.trend),
        "time more waves with --sample blocks=N, or the whole launch"));
  }
  if (std::abs(sample.work_ratio - 1.0) > tolerated_work) {
    warnings.push_back(sample_warning(
        "SAMPLE-WORK",
        fmt::format("kernel {}: the blocks that ran by function issue {:.2f} times as many warp instructions as those "
                    "in time; their time was taken in proportion",
                    kernel, sample.work_ratio),
        "time more waves with --sample blocks=N, or the whole launch"));
  }
  return warnings;
}

}  // namespace teslasim

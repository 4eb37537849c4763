// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/launch_halts.h"

#include "sim/gpu/floor_plan/gpu.h"

namespace teslasim {

void LaunchHalts::begin(Gpu& gpu, const Launch& launch, const std::vector<std::unique_ptr<WarpStream>>& streams,
                        std::uint64_t blocks) {
  if (!wanted()) return;
  view_ = {};
  view_.launch = &launch;
  view_.blocks = blocks;
  for (const SmModule* sm : gpu.sms()) view_.sms.push_back(&sm->core());
  for (const auto& stream : streams) view_.streams.push_back(stream.get());
  stepper_->begin(view_);
}

void LaunchHalts::look(Gpu& gpu) {
  const Femtoseconds period = gpu.sm_period(), wanted = gpu.island().next_wanted();
  if (wanted == never) {
    // The engine looks for more to do far ahead; the launch stands where its SMs do.
    for (const SmModule* sm : gpu.sms()) view_.now = greater(view_.now, sm->progress());
    view_.next = never;
    return;
  }
  view_.now = (gpu.island().now() + period - 1) / period;
  view_.next = greater(view_.now, SmCycle{wanted / period});
}

std::optional<Femtoseconds> LaunchHalts::next(Gpu& gpu, const std::vector<Diagnostic>& failure) {
  look(gpu);
  view_.failure = failure;
  const std::optional<SmCycle> until = stepper_->halted(view_);
  if (!until) return std::nullopt;
  return *until == never ? Femtoseconds{never} : *until * gpu.sm_period();
}

void LaunchHalts::ended(Gpu& gpu, const LaunchOutcome& outcome) {
  if (!wanted() || outcome.statistics.status == RunStatus::interrupted) return;
  look(gpu);
  stepper_->ended(view_, outcome.statistics.status, outcome.errors);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/live_recording.h"

#include <utility>

#include "sim/gpu/floor_plan/gpu.h"
#include "sim/gpu/recording/pipeline_recorder.h"

namespace teslasim {
namespace {

SmCycle cycle_of(Gpu& gpu) {
  return gpu.island().now() / gpu.sm_period();
}

}  // namespace

void LiveRecording::begin(PipelineRecorder& recorder, Gpu& gpu, const MachineSpec& machine, const Launch& launch,
                          std::size_t before) {
  SIM_CHECK(recorder.options().sms.size() == 1, "a recording in the midst of a launch has one SM");
  const SmIndex sm = recorder.options().sms.front();
  recorder_ = &recorder;
  recorder.begin_within(before, cycle_of(gpu), launch, find_coalescing_rules(machine.coalescing.rules),
                        {machine.sm.shared.banks, machine.sm.shared.access_group},
                        {gpu.sm_period(), gpu.memory_period()});
  gpu.sms()[sm]->core().observe(recorder.observe(sm), cycle_of(gpu));
}

void LiveRecording::drop(Gpu& gpu) {
  if (recorder_ == nullptr) return;
  gpu.sms()[std::exchange(recorder_, nullptr)->options().sms.front()]->core().observe(nullptr, 0);
}

void LiveRecording::finish_launch(SmCycle end) {
  if (recorder_ != nullptr) std::exchange(recorder_, nullptr)->finish_launch(end);
}

}  // namespace teslasim

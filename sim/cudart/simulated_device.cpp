// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/simulated_device.h"

#include <chrono>
#include <utility>

#include "sim/cudart/board_loader.h"

namespace teslasim::cudart {
SimulatedDevice::SimulatedDevice(const Control& control)
    : machine_(load_machine(control.machines, told_apart(control.sets).machine)),
      word_(machine_word(control.machines)),
      threads_(control.threads),
      sample_(control.sample.blocks) {}

std::unique_ptr<LaunchModel> SimulatedDevice::make_model(Mode mode) {
  RunSettings settings;
  settings.mode = mode;
  settings.threads = threads_;
  settings.sample = sample_;
  LaunchModelParts parts{machine_.spec, nullptr,
                         [this](const Launch& launch, const ExecutionStreamOptions& options) {
                           return make_stream(stream_, launch, options);
                         },
                         [this] { return !stream_; }};
  return make_launch_model(settings, Profiling::off, std::move(parts));
}

ModelledLaunch SimulatedDevice::run(const Launch& launch, Mode mode, const RunControl& control, StreamFactory stream) {
  std::unique_ptr<LaunchModel>& model = mode == Mode::timing ? timing_ : functional_;
  if (!model) model = make_model(mode);
  stream_ = std::move(stream);
  const auto begin = std::chrono::steady_clock::now();
  ModelledLaunch modelled = model->run(launch, control);
  (mode == Mode::timing ? timing_seconds_ : functional_seconds_) +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return modelled;
}

Femtoseconds SimulatedDevice::duration(const LaunchStatistics& statistics) const {
  if (statistics.timed) return statistics.duration;
  const std::uint64_t cycles_per_instruction = warp_size / machine_.spec.sm.sp_lanes;
  const std::uint64_t cycles = statistics.warp_instructions * cycles_per_instruction / machine_.spec.sms();
  constexpr double femtoseconds_per_us = 1e9;
  return Femtoseconds(static_cast<double>(cycles) / machine_.spec.clock.shader_mhz * femtoseconds_per_us);
}

}  // namespace teslasim::cudart

// SPDX-License-Identifier: Apache-2.0
// One way to run a launch. The run loop knows this interface only: in time, by function alone, or by function with what
// analytical models want counted.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/block_sample.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/launch.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/gpu_spec.h"
#include "sim/model/calibration.h"
#include "sim/model/model.h"
#include "sim/run/run_settings.h"

namespace teslasim {

class LaunchStepper;
class PipelineRecorder;

/// What a model says of a launch.
struct ModelledLaunch {
  LaunchOutcome outcome;
  std::vector<Prediction> predictions;  ///< of the analytical models, when the launch ended and enough was counted
  std::optional<BlockSample> sample{};  ///< set: counters and predictions are of the blocks that ran in time
};

class LaunchModel {
 public:
  LaunchModel() = default;
  virtual ~LaunchModel() = default;
  LaunchModel(const LaunchModel&) = delete;
  LaunchModel& operator=(const LaunchModel&) = delete;

  /// Records the pipelines of the launches from now on; a model without time has none.
  virtual void record(PipelineRecorder& /*recorder*/) {}
  /// GpuSimulator::step_with; a model without time has no cycles to halt between.
  virtual void step_with(LaunchStepper& /*stepper*/) {}
  /// Writes a waveform of the launches from now on, in the window of that recorder; a model without time has none.
  virtual void show_in(const WaveformRequest& /*request*/) {}
  /// Completes it; none: none was asked for, or nothing was run.
  [[nodiscard]] virtual std::optional<WaveformFile> finish_waveform() { return std::nullopt; }
  /// From within RunControl::watch: what the launch under way has counted; nothing between launches and without time.
  [[nodiscard]] virtual std::optional<LaunchLook> look() const { return std::nullopt; }
  /// From there, too: GpuSimulator::snapshot; empty without time.
  [[nodiscard]] virtual std::string snapshot() const { return ""; }
  /// From there, too: GpuSimulator's functions of these names. A model without time records nothing.
  virtual bool begin_recording(PipelineRecorder& /*recorder*/) { return false; }
  virtual void drop_recording() {}
  /// Runs `launch` to its end, to a kernel error, to a dead end, or until `control` stops it.
  [[nodiscard]] virtual ModelledLaunch run(const Launch& launch, const RunControl& control) = 0;
};

/// Whether a functional run also counts what the analytical models want, and asks them. A timed run always does.
enum class Profiling : std::uint8_t { off, on };

/// What a model is made of; machine and calibration (null: none) outlive it.
struct LaunchModelParts {
  const MachineSpec& machine;
  const Calibration* calibration;
  StreamFactory stream;  ///< what the warps run
  /// Asked before a functional launch: whether they only execute, so that several threads may run blocks. Empty: no.
  std::function<bool()> executes{};
};

[[nodiscard]] std::unique_ptr<LaunchModel> make_launch_model(const RunSettings& settings, Profiling profiling,
                                                             LaunchModelParts parts);

}  // namespace teslasim

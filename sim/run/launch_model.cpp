// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_model.h"

#include <set>
#include <utility>

#include "sim/gpu/gpu_simulator.h"
#include "sim/model/functional_model.h"
#include "sim/model/launch_inputs.h"
#include "sim/run/sampled_model.h"
#include "sim/run/sm_choice.h"

namespace teslasim {
namespace {

/// Asks the analytical models about a launch that ended; `profile` is what a functional run counted, or null.
std::vector<Prediction> predictions_of(const LaunchModelParts& parts, const Launch& launch,
                                       const LaunchOutcome& outcome, const KernelProfile* profile) {
  if (outcome.statistics.status != RunStatus::ok) return {};
  return predict_launch(launch_inputs(parts.machine, launch, outcome.statistics, profile, parts.calibration));
}

/// The simulated GPU.
class TimingModel final : public LaunchModel {
 public:
  TimingModel(const RunSettings& settings, LaunchModelParts parts)
      : parts_(std::move(parts)), gpu_(parts_.machine, options(settings, parts_)) {}

  void record(PipelineRecorder& recorder) override { gpu_.record(&recorder); }
  void step_with(LaunchStepper& stepper) override { gpu_.step_with(&stepper); }
  void show_in(const WaveformRequest& request) override { gpu_.show_in(request); }
  std::optional<WaveformFile> finish_waveform() override { return gpu_.finish_waveform(); }
  std::optional<LaunchLook> look() const override { return gpu_.look(); }
  std::string snapshot() const override { return gpu_.snapshot(); }
  bool begin_recording(PipelineRecorder& recorder) override { return gpu_.begin_recording(recorder); }
  void drop_recording() override { gpu_.drop_recording(); }
  ModelledLaunch run(const Launch& launch, const RunControl& control) override {
    ModelledLaunch result;
    result.outcome = gpu_.run(launch, control);
    const std::uint64_t blocks = control.blocks.count_in(launch.blocks());
    if (blocks == launch.blocks()) {
      result.predictions = predictions_of(parts_, launch, result.outcome, nullptr);
    } else {  // models are asked about what was counted
      Launch part = launch;
      part.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
      result.predictions = predictions_of(parts_, part, result.outcome, nullptr);
    }
    return result;
  }

 private:
  static TimingOptions options(const RunSettings& settings, const LaunchModelParts& parts) {
    TimingOptions options;
    options.look_ahead = settings.look_ahead;
    options.sleeping = settings.sleeping;
    options.intervals = settings.intervals;
    options.warp_sms = warp_sms(settings, parts.machine);
    options.stream = parts.stream;
    options.threads = settings.threads;
    return options;
  }

  LaunchModelParts parts_;
  GpuSimulator gpu_;
};

FunctionalOptions functional_options(const LaunchModelParts& parts) {
  const SmSpec& sm = parts.machine.sm;
  FunctionalOptions options{sm.divergence_stack, sm.limited_calls, sm.shared.access_group, sm.shared.banks,
                            sm.finished_warps_hold_barriers};
  options.stream = parts.stream;
  return options;
}

/// Results and counts, no time.
class FunctionalModel final : public LaunchModel {
 public:
  FunctionalModel(const RunSettings& settings, LaunchModelParts parts)
      : parts_(std::move(parts)), threads_(settings.threads), options_(functional_options(parts_)) {
    options_.dependent = &dependent_;
  }
  ModelledLaunch run(const Launch& launch, const RunControl& control) override {
    options_.threads = parts_.executes && parts_.executes() ? threads_ : 1;
    return {run_functional(launch, options_, control), {}};
  }

 private:
  LaunchModelParts parts_;
  unsigned threads_;
  FunctionalOptions options_;
  std::set<const Kernel*> dependent_;
};

/// A functional run that counts what the analytical models want, and what they make of it.
class AnalyticalModel final : public LaunchModel {
 public:
  explicit AnalyticalModel(LaunchModelParts parts) : parts_(std::move(parts)) {}
  ModelledLaunch run(const Launch& launch, const RunControl& control) override {
    KernelProfile profile;
    FunctionalOptions options = functional_options(parts_);
    options.coalescing = &find_coalescing_rules(parts_.machine.coalescing.rules);
    options.profile = &profile;
    ModelledLaunch result;
    result.outcome = run_functional(launch, options, control);
    result.predictions = predictions_of(parts_, launch, result.outcome, &profile);
    return result;
  }

 private:
  LaunchModelParts parts_;
};

}  // namespace

std::unique_ptr<LaunchModel> make_launch_model(const RunSettings& settings, Profiling profiling,
                                               LaunchModelParts parts) {
  if (settings.mode == Mode::timing) {
    if (!settings.sample) return std::make_unique<TimingModel>(settings, std::move(parts));
    const MachineSpec& machine = parts.machine;
    std::unique_ptr<LaunchModel> functional = std::make_unique<FunctionalModel>(settings, parts);
    return std::make_unique<SampledModel>(
        *settings.sample, machine, std::make_unique<TimingModel>(settings, std::move(parts)), std::move(functional));
  }
  if (profiling == Profiling::on) return std::make_unique<AnalyticalModel>(std::move(parts));
  return std::make_unique<FunctionalModel>(settings, std::move(parts));
}

}  // namespace teslasim

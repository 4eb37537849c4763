// SPDX-License-Identifier: Apache-2.0
// Runs the first blocks of a launch in time and the others by function, and says from both how long the launch takes.
//
// The time is that at which the timed blocks had ended, plus the steady time per block (sim/model/steady_pace) for each
// of the others, in proportion to the warp instructions that they issue. The timed blocks have ended, and their stores
// taken effect, before the first of the others begins. Counters are those of the timed blocks alone.
#pragma once

#include <memory>

#include "sim/run/block_sample_rule.h"
#include "sim/run/launch_model.h"

namespace teslasim {

class SampledModel final : public LaunchModel {
 public:
  /// `machine` outlives it.
  SampledModel(BlockSampleRule rule, const MachineSpec& machine, std::unique_ptr<LaunchModel> timing,
               std::unique_ptr<LaunchModel> functional);

  void record(PipelineRecorder& recorder) override { timing_->record(recorder); }
  void show_in(const WaveformRequest& request) override { timing_->show_in(request); }
  std::optional<WaveformFile> finish_waveform() override { return timing_->finish_waveform(); }
  std::optional<LaunchLook> look() const override { return timing_->look(); }
  std::string snapshot() const override { return timing_->snapshot(); }
  bool begin_recording(PipelineRecorder& recorder) override { return timing_->begin_recording(recorder); }
  void drop_recording() override { timing_->drop_recording(); }
  ModelledLaunch run(const Launch& launch, const RunControl& control) override;

 private:
  BlockSampleRule rule_;
  const MachineSpec& machine_;
  std::unique_ptr<LaunchModel> timing_, functional_;
};

/// What makes the time of a sample doubtful: no steady state (SAMPLE-TREND), blocks by function that do other work than
/// those in time (SAMPLE-WORK).
[[nodiscard]] std::vector<Diagnostic> sample_warnings(const std::string& kernel, const BlockSample& sample);

}  // namespace teslasim

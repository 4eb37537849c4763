// SPDX-License-Identifier: Apache-2.0
// A recording of pipelines that begins and ends while a launch is under way, when somebody wants it. Nothing is
// observed before and after, and threads of the host stay: each SM tells its own recorder, in the region that runs it.
#pragma once

#include <cstddef>

#include "sim/base/types.h"

namespace teslasim {

class Gpu;
class PipelineRecorder;
struct Launch;
struct MachineSpec;

class LiveRecording {
 public:
  /// Between two quanta of the launch that `before` others preceded. One SM, because what a recorder keeps for all is
  /// not for several threads; `recorder` outlives the recording.
  void begin(PipelineRecorder& recorder, Gpu& gpu, const MachineSpec& machine, const Launch& launch,
             std::size_t before);
  /// Between two quanta: ends it, and the recorder keeps nothing of it. Nothing when there is no recording.
  void drop(Gpu& gpu);
  /// The launch is over after `end` cycles.
  void finish_launch(SmCycle end);
  [[nodiscard]] bool active() const { return recorder_ != nullptr; }

 private:
  PipelineRecorder* recorder_ = nullptr;
};

}  // namespace teslasim

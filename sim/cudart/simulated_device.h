// SPDX-License-Identifier: Apache-2.0
// The configured machine with its two ways to run a launch, in time and by function alone. Both work on the same
// memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cudart/control.h"
#include "sim/exec/execution_stream.h"
#include "sim/exec/launch.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/run/launch_model.h"

namespace teslasim::cudart {

class SimulatedDevice {
 public:
  /// Throws InputError (configuration) when there is no such machine.
  explicit SimulatedDevice(const Control& control);

  [[nodiscard]] const LoadedMachine& machine() const { return machine_; }
  [[nodiscard]] const MachineSpec& spec() const { return machine_.spec; }
  [[nodiscard]] std::uint8_t level() const { return static_cast<std::uint8_t>(machine_.spec.sm_level()); }
  [[nodiscard]] const std::string& word() const { return word_; }

  /// `stream`: what the warps run instead of executing, or empty.
  [[nodiscard]] ModelledLaunch run(const Launch& launch, Mode mode, const RunControl& control, StreamFactory stream);
  /// How long the kernel takes. Without time: at least so long, if every SM issued without a pause.
  [[nodiscard]] Femtoseconds duration(const LaunchStatistics& statistics) const;
  /// Seconds of the host that launches with (`timed`) or without time have taken.
  [[nodiscard]] double host_seconds(bool timed) const { return timed ? timing_seconds_ : functional_seconds_; }

 private:
  [[nodiscard]] std::unique_ptr<LaunchModel> make_model(Mode mode);

  LoadedMachine machine_;
  std::string word_;
  unsigned threads_;
  std::optional<BlockSampleRule> sample_;
  std::unique_ptr<LaunchModel> timing_, functional_;
  StreamFactory stream_;  ///< of the launch that runs
  double timing_seconds_ = 0.0, functional_seconds_ = 0.0;
};

}  // namespace teslasim::cudart

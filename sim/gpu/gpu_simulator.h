// SPDX-License-Identifier: Apache-2.0
// The timing model as the application sees it: a configured GPU on which launches run one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/exec/execution_stream.h"
#include "sim/exec/launch.h"
#include "sim/exec/run_control.h"
#include "sim/gpu/launch_look.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

class LaunchStepper;
class PipelineRecorder;
class TlmMemoryPort;

struct TimingOptions {
  /// SM cycles that the SMs run ahead of the rest per activation; 0 = exact (every clock edge at its own SystemC time,
  /// always with dram.model = "tlm").
  /// Never changes a result. Limited by the response latency of the machine; a larger value is lowered to it.
  unsigned look_ahead = 16;
  bool sleeping = true;            ///< false: every SM is ticked in every cycle (for tests of sleep neutrality)
  StreamFactory stream{};          ///< what the warps run instead of executing: recording, replay
  unsigned construction_seed = 0;  ///< permutes the construction order of modules (for tests of order neutrality)
  bool intervals = false;          ///< record the time series of LaunchStatistics::intervals
  /// Threads of the host that simulate at once; never changes a result. What looks at several SMs in the order of time
  /// takes one all the same: look_ahead = 0, dram.model = "tlm", a recorder, a kernel that reads textures and writes to
  /// memory.
  unsigned threads = 1;
  /// With dram.model = "tlm": binds the socket of one partition to a memory model; called once for each while the
  /// hierarchy is built. Without it, each leads to a memory with nothing but latency and bandwidth.
  std::function<void(TlmMemoryPort&)> attach_memory{};
  std::vector<unsigned> warp_sms{};  ///< SMs whose warps are kept one by one, in SmStatistics::warps
};

/// A waveform of the modules of some SMs and of what they share.
struct WaveformRequest {
  std::string path;           ///< ends in ".vcd"
  std::vector<unsigned> sms;  ///< SMs
  std::uint64_t most_bytes = 0;
};

/// The outcome; the file exists as long as the GpuSimulator.
struct WaveformFile {
  std::string path;
  std::uint64_t changes = 0;  ///< of values
  std::uint64_t dropped = 0;  ///< clock edges left out because the file was full
  std::string problem;        ///< why there is no file; empty: there is one
};

/// Builds the SystemC hierarchy `gpu` once (one GpuSimulator per process) and runs launches on it.
class GpuSimulator {
 public:
  GpuSimulator(const MachineSpec& machine, const TimingOptions& options);
  ~GpuSimulator();
  GpuSimulator(const GpuSimulator&) = delete;
  GpuSimulator& operator=(const GpuSimulator&) = delete;

  /// Records the pipelines of the launches from now on; null: nothing. The recorder outlives them.
  void record(PipelineRecorder* recorder);
  /// Halts the launches from now on where the stepper wants it; null: nowhere. It outlives them. Not with a recorder.
  void step_with(LaunchStepper* stepper);

  /// Writes a waveform of the launches from now on, in the window of the recorder that `record` was told of. Wants
  /// look_ahead = 0 and sleeping = false: only then does every edge happen at its own time. Once, before `run`.
  void show_in(WaveformRequest request);
  /// Completes that file; none: no launch was begun.
  [[nodiscard]] std::optional<WaveformFile> finish_waveform();

  /// Runs `launch` to its end, to a kernel error, to a dead end, or until `control` stops it. Conservation laws are
  /// checked before it returns; a violation throws InternalError.
  LaunchOutcome run(const Launch& launch, const RunControl& control);

  // ---- while a launch is under way: from within RunControl::watch
  /// What it has counted; nothing between launches.
  [[nodiscard]] std::optional<LaunchLook> look() const;
  /// What stands where: warps, states, queues, as text of many lines; empty between launches.
  [[nodiscard]] std::string snapshot() const;
  /// Records the one SM that `recorder` names from now to the end of the launch. False: no launch is under way, or
  /// pipelines are recorded already. `recorder` outlives the recording and records once.
  bool begin_recording(PipelineRecorder& recorder);
  /// Ends that recording, if there is one; `recorder` keeps nothing of it.
  void drop_recording();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace teslasim

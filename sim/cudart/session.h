// SPDX-License-Identifier: Apache-2.0
// The CUDA device of this process: memory, code, machine, clock, and what went wrong. The functions of the CUDA runtime
// are thin layers over it; they hold its lock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/cuda/include/driver_types.h"
#include "sim/base/diagnostic.h"
#include "sim/cudart/array_table.h"
#include "sim/cudart/board_loader.h"
#include "sim/cudart/call_site.h"
#include "sim/cudart/control.h"
#include "sim/cudart/device_clock.h"
#include "sim/cudart/device_heap.h"
#include "sim/cudart/driver_modules.h"
#include "sim/cudart/event_table.h"
#include "sim/cudart/host_buffers.h"
#include "sim/cudart/launch_limits.h"
#include "sim/cudart/loaded_code.h"
#include "sim/cudart/program_code.h"
#include "sim/cudart/program_record.h"
#include "sim/cudart/program_sample.h"
#include "sim/cudart/simulated_device.h"

namespace teslasim::cudart {

/// What is asked for between <<< and >>>.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t dynamic_shared_bytes = 0;
  DeviceClock::Stream stream = DeviceClock::null_stream;
  CallSite site{};
};

/// How long a launch takes, and what that is worth.
struct LaunchTime {
  Femtoseconds duration = 0;
  std::optional<Femtoseconds> bound{};  ///< set: extrapolated, within this bound
};

class Session {
 public:
  /// Throws InputError when environment or machine are not what they must be.
  explicit Session(Control control);

  Control control;
  SimulatedDevice device;
  LoadedBoard loaded_board;
  const BoardSpec& board = loaded_board.spec;
  DeviceHeap heap;
  DeviceClock clock;
  HostBuffers host_buffers;
  StreamTable streams;
  EventTable events;
  ProgramRecord record;

  /// The host waits until a time of the device.
  void wait_until(Femtoseconds time);
  /// Runs a kernel; `parameters` as they lie from s[0x10] on, `textures` by slot.
  cudaError_t launch(LoadedCode& code, const LoadedKernel& kernel, const LaunchShape& shape,
                     std::vector<std::uint8_t> parameters, std::vector<Texture> textures);

  /// Says on stderr what is wrong with a call.
  cudaError_t complain(cudaError_t error, const char* call, const CallSite& site, const std::string& message);
  void tell(const std::vector<Diagnostic>& diagnostics) const;

  /// What a kernel left behind: every later call answers it until the device is reset.
  [[nodiscard]] cudaError_t broken() const { return broken_; }
  /// How the program did: "ok", "interrupted", or the error that a kernel ended with.
  [[nodiscard]] std::string status() const;
  /// Writes the tables, with what a sample is worth.
  void finish(Femtoseconds end, const std::string& status);
  /// Device memory is empty afterwards.
  void reset();

 private:
  cudaError_t refuse(const LoadedKernel& kernel, const LaunchShape& shape, const std::vector<Diagnostic>& found) const;
  cudaError_t settle(const LoadedKernel& kernel, const LaunchShape& shape, const LaunchLimits& limits,
                     ModelledLaunch modelled);
  void note(const LoadedKernel& kernel, const LaunchShape& shape, ModelledLaunch modelled);
  [[nodiscard]] static LaunchSampler::Kind kind_of(const LoadedKernel& kernel, const LaunchShape& shape);
  /// Simulated; of a launch without time as a sample says, else as many instructions take at least.
  LaunchTime time_of(const LoadedKernel& kernel, const LaunchShape& shape, const ModelledLaunch& modelled);
  /// Once for each kernel.
  void warn_of_sample(const LoadedKernel& kernel, const BlockSample& sample);

  ProgramSample sample_;
  std::set<std::string> warned_;  ///< names of kernels
  cudaError_t broken_ = cudaSuccess;
  cudaError_t first_failure_ = cudaSuccess;  ///< stays when the device is reset
  unsigned complaints_ = 0;
  std::uint64_t launches_ = 0;  ///< numbers of launches count from 0
};

/// What the runtime keeps for each thread of the program.
struct HostThread {
  cudaError_t last_error = cudaSuccess;
  std::vector<LaunchShape> configured{};  ///< by <<<...>>> or cudaConfigureCall, not yet launched
  std::vector<std::uint8_t> arguments{};  ///< by cudaSetupArgument
  CallSite site{};                        ///< of the launch whose stub runs

  static HostThread& get();
};

/// One lock and one session per process. The session is made at the first call that needs it, and never destroyed:
/// destructors of the program may still call.
class Process {
 public:
  static Process& get();

  std::recursive_mutex mutex;
  ProgramCode code;
  ArrayTable arrays;
  DriverModules driver;
  unsigned context_users = 0;  ///< of the driver's interface

  /// Ends the process with a message when its environment is wrong: no call could mean anything.
  [[nodiscard]] Session& session();
  /// At the end of the process.
  void finish();
  /// The same when a signal arrived.
  [[noreturn]] void end_by_signal();
  [[nodiscard]] Session* session_if_made() { return session_.get(); }
  /// All memory and code of the device is gone, and with it what a kernel broke.
  void reset();

 private:
  std::unique_ptr<Session> session_;
};

}  // namespace teslasim::cudart

// SPDX-License-Identifier: Apache-2.0
// A simulated GPU within a program.
//
//   teslasim::embed::Machine machine("gtx280", {{"sm.shared.banks", "32"}});
//   const auto kernel = teslasim::embed::Kernel::from_file("saxpy.asm");
//   const auto run = machine.launch(kernel, {1024}, {256}, {n, 1.5, x, y});
#pragma once

#include <teslasim/error.h>
#include <teslasim/kernel.h>
#include <teslasim/launch.h>
#include <teslasim/run.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace teslasim::embed {

/// Key and value, as `--set` takes them: {"sm.shared.banks", "32"}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What changes no result.
struct MachineOptions {
  unsigned threads = 1;        ///< of the host, that simulate one launch at once
  bool intervals = true;       ///< keep how launches go over time
  std::string calibration{};   ///< of the analytical models: a file of `teslasim calibrate`; empty: none
  std::string warp_sms = "0";  ///< SMs whose warps are kept one by one: "all", "none", "0-2,5"
};

/// A machine that `-c` knows by name.
struct MachineInfo {
  std::string name, title, arch;  ///< "gtx280", "GeForce GTX 280", "sm_13"
  unsigned sms = 0;
  double shader_mhz = 0.0, peak_gbs = 0.0, peak_gflops = 0.0;
};

[[nodiscard]] std::vector<MachineInfo> machines();

/// A configured GPU. It is built at its first launch, and launches run one after the other; each has device memory of
/// its own, so that nothing is left of the one before. A copy refers to the same machine.
///
/// There may be any number of machines, and they may be used by several threads; but SystemC simulates one thing at a
/// time, so that a launch waits until no other of this process runs. Several processes run side by side.
class Machine {
 public:
  /// `name`: a machine, or a file (with '/' or ending in .toml). Throws Error with everything that is wrong.
  explicit Machine(const std::string& name = "gtx280", const Settings& settings = {},
                   const MachineOptions& options = {});

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] MachineInfo info() const;
  /// Every key with its value.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> configuration() const;
  /// The effective configuration as a machine file.
  [[nodiscard]] std::string toml() const;
  /// What is unusual about it.
  [[nodiscard]] std::vector<Message> warnings() const;

  /// Runs a kernel, and writes results into arrays that are not constant. Throws Error when the launch is not possible,
  /// or when the kernel does what it must not; arrays are as they were then, and after a launch that did not end.
  Run launch(const Kernel& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
             const LaunchOptions& options = {}) const;
  /// What the analytical models say of a launch, from a run without time. Arrays stay as they are.
  [[nodiscard]] std::vector<Prediction> predict(const Kernel& kernel, Extent grid, Extent block,
                                                const std::vector<Argument>& arguments,
                                                const LaunchOptions& options = {}) const;
  /// Runs a launch file, or code with one beside it, as `teslasim run` does. Of `options`: timed, max_cycles, watch.
  Run run(const std::string& file, const LaunchOptions& options = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace teslasim::embed

// SPDX-License-Identifier: Apache-2.0
// Results of micro-benchmarks on one simulated machine, as inputs of the analytical models: constants, instruction
// rates against the resident warps of an SM, and bandwidth of device memory against the shape of a launch (Zhang &
// Owens 2011, section 4; Konstantinidis 2017, appendix A). `teslasim calibrate` makes it; the file is TOML:
//
//   schema = "teslasim.calibration/1"
//   machine = "GeForce GTX 285"
//   configuration = "9f3a61c207bed41d"     # fingerprint of the machine that was measured
//   program = "d41d8cd98f00b204"           # fingerprint of the program that measured it
//   sms = 30
//   [constants]
//   mem_ld = 440.0
//   [curves]
//   warps = [1, 2, 4]
//   itp_mad = [1.38, 2.77, 5.5]            # Ginst/s of all SMs
//   [global]
//   blocks = [10]                          # one row over four lists
//   threads = [64]
//   transactions = [4]                     # of each thread
//   gbs = [12.5]
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/model/input_set.h"

namespace teslasim {

/// Bandwidth of device memory for one shape of launch.
struct BandwidthPoint {
  double blocks = 0.0, threads = 0.0, transactions = 0.0;  ///< transactions: words that each thread reads
  double gbs = 0.0;
};

struct Calibration {
  std::string machine;
  std::string configuration, program;  ///< fingerprints
  double sms = 0.0;
  std::map<std::string, double> constants;            ///< by the names of inputs.def, and others that are only shown
  std::vector<double> warps;                          ///< resident on an SM
  std::map<std::string, std::vector<double>> curves;  ///< one value for each of `warps`
  std::vector<BandwidthPoint> bandwidth;

  /// A value of a curve between its points, linear; the ends beyond them.
  [[nodiscard]] double at_warps(const std::string& curve, double resident) const;
  /// Bandwidth between the measured shapes: linear in the logarithms; below the fewest blocks in proportion to them.
  [[nodiscard]] double global_gbs(double blocks, double threads, double transactions) const;
};

[[nodiscard]] std::string calibration_toml(const Calibration& calibration);
/// Reads such a file. Codes CAL-SCHEMA, CAL-VALUE and those of TOML. Throws InputError (ExitCode::configuration).
[[nodiscard]] Calibration read_calibration(const std::string& place, const std::string& text);

/// Replaces published constants and peaks among the inputs of a launch with measured ones.
void calibrate_inputs(const Calibration& calibration, InputSet& inputs);

}  // namespace teslasim

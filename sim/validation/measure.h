// SPDX-License-Identifier: Apache-2.0
// What can be measured on a simulated machine, by name. A measurement runs a fixed sequence of kernels and gives one
// value in the unit of the published row.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/validation/arguments.h"
#include "sim/validation/micro_machine.h"

namespace teslasim {

/// A number, or a word for what is a policy.
struct MeasuredValue {
  double number = 0.0;
  std::string word{};
  MeasuredValue(double value) : number(value) {}                // NOLINT(google-explicit-constructor): values are both
  MeasuredValue(std::string value) : word(std::move(value)) {}  // NOLINT(google-explicit-constructor)
};

/// The machine cannot do what the row asks for; `what` says why.
class CannotMeasure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Measure {
  std::string_view name;
  std::string_view text;  ///< one line: how it is done
  MeasuredValue (*run)(MicroMachine& machine, const MeasureArguments& arguments);
};

[[nodiscard]] std::span<const Measure> pipeline_measures();      ///< inside an SM: E1-E5, E10, E11
[[nodiscard]] std::span<const Measure> on_chip_measures();       ///< shared memory: E6, E7
[[nodiscard]] std::span<const Measure> cache_measures();         ///< constants and instructions: E8, E9
[[nodiscard]] std::span<const Measure> placement_measures();     ///< blocks, launches, occupancy: E23, E25
[[nodiscard]] std::span<const Measure> texture_measures();       ///< E13
[[nodiscard]] std::span<const Measure> memory_measures();        ///< device memory and textures: E12-E16
[[nodiscard]] std::span<const Measure> whole_kernel_measures();  ///< E30
[[nodiscard]] std::span<const Measure> calibration_measures();   ///< for `teslasim calibrate` only

/// Runs what `text` says. Throws CannotMeasure, InputError, InternalError.
[[nodiscard]] MeasuredValue measure(MicroMachine& machine, const MeasureArguments& arguments);

// Shared by the files of measures.

/// Steps of a wrapped kernel: `latency mad_2` of file `alu`.
struct StepRequest {
  std::string file = "alu";
  std::string step;
  unsigned per = 1;  ///< instructions in one step
  MicroParameters parameters{};
  std::string wrapper = "throughput";  ///< of step_cpi
};
/// SP cycles per instruction of one warp, from clock reads around COUNT and around 2 x COUNT steps.
[[nodiscard]] double step_latency(MicroMachine& machine, const StepRequest& request, unsigned threads = 32);
/// SP cycles from the first to the second of two instructions, as clock, both, clock less the distance of two clock
/// reads on either side.
[[nodiscard]] double pair_latency(MicroMachine& machine, const StepRequest& request);
/// SP cycles per warp instruction of one SM with `warps` resident, from the kernel times of two numbers of passes.
[[nodiscard]] double step_cpi(MicroMachine& machine, const StepRequest& request, unsigned warps);
/// SP cycles between the first and the last clock read of a launch.
[[nodiscard]] double clock_span(const MicroRun& run);
/// file=, step=, per=, wrapper=, and parameters in capitals.
[[nodiscard]] StepRequest step_request(const MeasureArguments& arguments, std::string_view key = "step");

}  // namespace teslasim

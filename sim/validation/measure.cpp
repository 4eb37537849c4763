// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/measure.h"

#include <algorithm>
#include <array>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::int64_t usual_count = 64;
/// Twice the steps must stay in the 4 KB of the instruction cache, with what stands around them: 3 KB of 8 bytes each.
constexpr std::int64_t cached_instructions = 384;
constexpr unsigned threads_of_warp = 32;

/// Blocks of equal size whose warps are `warps` together.
Shape shape_of(unsigned warps, unsigned most_threads) {
  Shape shape;
  for (shape.blocks = 1; warps % shape.blocks != 0 || warps / shape.blocks * threads_of_warp > most_threads;) {
    ++shape.blocks;
  }
  shape.threads = warps / shape.blocks * threads_of_warp;
  return shape;
}

}  // namespace

double clock_span(const MicroRun& run) {
  constexpr double sp_cycles = 2.0;  // the clock counts SM cycles
  std::uint32_t first = run.out[0], last = run.out[1];
  for (std::size_t i = 0; i + 1 < run.out.size(); i += 2) {
    first = std::min(first, run.out[i]);
    last = std::max(last, run.out[i + 1]);
  }
  return sp_cycles * (last - first);
}

StepRequest step_request(const MeasureArguments& arguments, std::string_view key) {
  StepRequest request;
  request.file = arguments.text("file", "alu");
  request.step = arguments.text(key);
  request.wrapper = arguments.text("wrapper", "throughput");
  request.per = static_cast<unsigned>(arguments.number(key == "step"    ? "per"
                                                       : key == "minus" ? "other_per"
                                                                        : "less_per",
                                                       1));
  for (const std::string_view name : {"STRIDE", "COUNT", "DISTINCT", "ROW", "OTHERS"}) {
    if (arguments.has(name)) request.parameters.emplace(name, arguments.number(name, 0));
  }
  return request;
}

double step_latency(MicroMachine& machine, const StepRequest& request, unsigned threads) {
  MicroKernel kernel{request.file, "latency", request.step, request.parameters};
  const std::int64_t fitting = std::min<std::int64_t>(usual_count, cached_instructions / 2 / request.per);
  const std::int64_t count = kernel.parameters.try_emplace("COUNT", fitting).first->second;
  const double once = clock_span(machine.run(kernel, {1, threads}));
  kernel.parameters["COUNT"] = 2 * count;
  const double twice = clock_span(machine.run(kernel, {1, threads}));
  return (twice - once) / static_cast<double>(count * request.per);
}

double pair_latency(MicroMachine& machine, const StepRequest& request) {
  MicroKernel kernel{request.file, "latency", request.step, request.parameters};
  kernel.parameters["COUNT"] = 0;
  const double empty = clock_span(machine.run(kernel, {}));
  kernel.parameters["COUNT"] = 1;
  return clock_span(machine.run(kernel, {})) - 2.0 * empty;
}

double step_cpi(MicroMachine& machine, const StepRequest& request, unsigned warps) {
  const Shape shape = shape_of(warps, machine.spec().gpu.max_threads_per_cta);
  MicroKernel kernel{request.file, request.wrapper, request.step, request.parameters};
  const std::int64_t count = kernel.parameters.try_emplace("COUNT", usual_count).first->second;
  const std::int64_t few = std::max<std::int64_t>(4 * usual_count / count, 4), many = 3 * few;
  kernel.parameters["PASSES"] = few;
  const double start = machine.run(kernel, shape).cycles();
  kernel.parameters["PASSES"] = many;
  const MicroRun run = machine.run(kernel, shape);
  if (run.statistics.occupancy.ctas_per_sm < shape.blocks)
    throw CannotMeasure("the machine does not hold " + std::to_string(warps) + " warps of this kernel per SM");
  return (run.cycles() - start) / static_cast<double>(warps * (many - few) * count * request.per);
}

MeasuredValue measure(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::array tables{pipeline_measures(), on_chip_measures(), cache_measures(),        placement_measures(),
                          texture_measures(),  memory_measures(),  whole_kernel_measures(), calibration_measures()};
  for (const std::span<const Measure> table : tables) {
    for (const Measure& candidate : table) {
      if (candidate.name == arguments.measure()) return candidate.run(machine, arguments);
    }
  }
  throw InternalError("there is no measurement '" + arguments.measure() + "'");
}

}  // namespace teslasim

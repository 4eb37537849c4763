// SPDX-License-Identifier: Apache-2.0
// Texture caches, by chases through a linear image.
#include <array>

#include "sim/validation/chases.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr std::int64_t kilobyte = 1024;
constexpr std::int64_t line = 32;

MeasuredValue texture_chase(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::int64_t bytes = arguments.number("kb", 2) * kilobyte, stride = arguments.number("stride", line);
  Chases chases(machine, bytes, Chases::Path::texture);
  const double cycles = chases.latency(bytes / stride, stride);
  return arguments.text("in") == "ns" ? cycles * 1000.0 / machine.spec().clock.shader_mhz : cycles;
}

/// The largest footprint, in KB, that has the latency of one of `from` half-KB; footprints grow by `step` half-KB.
MeasuredValue texture_size(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr std::int64_t unit = kilobyte / 2;
  const std::int64_t step = arguments.number("step", 1) * unit, limit = arguments.number("limit", 16) * kilobyte;
  const std::int64_t from = arguments.number("from", 1) * unit, stride = arguments.number("stride", line);
  Chases chases(machine, limit, Chases::Path::texture);
  const double base = chases.latency(from / stride, stride);
  for (std::int64_t bytes = from + step; bytes <= limit; bytes += step) {
    if (chases.latency(bytes / stride, stride) > Chases::step_share * base)
      return static_cast<double>(bytes - step) / static_cast<double>(kilobyte);
  }
  throw CannotMeasure("the latency does not rise with the footprint");
}

constexpr std::array<Measure, 2> texture_table{{
    {"texture_chase", "clock reads around texture reads that need the one before", texture_chase},
    {"texture_size", "largest footprint with the latency of a smaller one", texture_size},
}};

}  // namespace

std::span<const Measure> texture_measures() {
  return texture_table;
}

}  // namespace teslasim

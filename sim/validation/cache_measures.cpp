// SPDX-License-Identifier: Apache-2.0
// Constant and instruction caches: latency against footprint and stride, and what follows for size, line and ways.
#include <array>
#include <functional>

#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr std::int64_t steps = 16;   // of a chase per round
constexpr double step_share = 1.03;  // a latency that is higher by more than this is on another plateau

std::int64_t rounds_for(std::int64_t elements) {
  return (elements + steps - 1) / steps;
}

/// SP cycles of one step of a chase through `elements` words of constant memory `stride` bytes apart. The loop costs
/// the same for 16 and for 32 steps a round, so their difference is the steps alone.
double constant_chase(MicroMachine& machine, const std::string& step, std::int64_t elements, std::int64_t stride) {
  constexpr std::int64_t bank_bytes = 65536;
  std::vector<std::uint8_t> bytes(bank_bytes);
  for (std::int64_t i = 0; i < elements; ++i) {
    const std::int64_t here = i * stride, next = (i + 1) % elements * stride;
    bytes[static_cast<std::size_t>(here)] = static_cast<std::uint8_t>(next & 0xff);
    bytes[static_cast<std::size_t>(here) + 1] = static_cast<std::uint8_t>(next >> 8);
  }
  machine.set_constants(std::move(bytes));
  const std::int64_t rounds = std::max<std::int64_t>(rounds_for(elements), 4);
  MicroKernel kernel{"constant", "chase", step, {{"COUNT", steps}, {"PASSES", rounds}, {"WARM", rounds}}};
  const double once = clock_span(machine.run(kernel));
  kernel.parameters["COUNT"] = 2 * steps;
  return (clock_span(machine.run(kernel)) - once) / static_cast<double>(steps * rounds);
}

/// SP cycles of one more pass over the code, less what the loop takes without it.
double pass_cycles(MicroMachine& machine, MicroKernel kernel, const std::string& number) {
  constexpr std::int64_t few = 2, many = 10;  // enough that the clock edge of the end of a launch does not show
  const auto pass = [&] {
    kernel.parameters["PASSES"] = few;
    const double start = machine.run(kernel).cycles();
    kernel.parameters["PASSES"] = many;
    return (machine.run(kernel).cycles() - start) / static_cast<double>(many - few);
  };
  const double full = pass();
  kernel.parameters[number] = 0;
  return full - pass();
}

/// SP cycles per instruction of straight code of `bytes`, by one warp, after the first pass.
double straight_code(MicroMachine& machine, std::int64_t bytes) {
  const std::int64_t count = bytes / 8;
  return pass_cycles(machine, {"code", "throughput", "straight", {{"COUNT", count}}}, "COUNT") /
         static_cast<double>(count);
}

/// SP cycles per jump among `blocks` places of the code `stride` bytes apart, after the first pass.
double code_jumps(MicroMachine& machine, std::int64_t blocks, std::int64_t stride) {
  const std::int64_t others = blocks - 1;
  return pass_cycles(machine, {"code", "throughput", "jumps", {{"BLOCKS", others}, {"BLOCK", stride / 8}}}, "BLOCKS") /
         static_cast<double>(others);
}

bool higher(double value, double base) {
  return value > base * step_share;
}

/// The largest footprint, in KB, whose latency is the one of `above` KB: where the plateau that begins above it ends.
double plateau_end(const std::function<double(std::int64_t)>& latency_of_bytes, double above, double step,
                   double limit) {
  constexpr double kilobyte = 1024.0;
  const auto at = [&](double kb) { return latency_of_bytes(static_cast<std::int64_t>(kb * kilobyte)); };
  const double base = at(above + step);
  double size = above + step;
  while (size + step <= limit && !higher(at(size + step), base)) size += step;
  if (size + step > limit) throw CannotMeasure("latency does not rise with the footprint: no such cache is simulated");
  return size;
}

/// The largest stride at which a chase through a fixed number of bytes, more than the cache holds, still waits as long
/// for misses as at the stride `least`: up to there every line is touched, beyond it fewer. `latency` takes elements
/// and stride.
double line_bytes(const std::function<double(std::int64_t, std::int64_t)>& latency, std::int64_t size,
                  std::int64_t least) {
  constexpr double most_of = 0.75;  // twice the stride halves the lines
  const std::int64_t bytes = size * 3 / 2;
  const double hit = latency(size / 4 / least, least);
  const auto waiting = [&](std::int64_t stride) {
    const std::int64_t accesses = bytes / stride;
    return static_cast<double>(accesses) * (latency(accesses, stride) - hit);
  };
  const double all = waiting(least);
  if (!higher(latency(bytes / least, least), hit))
    throw CannotMeasure("latency does not rise with the footprint: no such cache is simulated");
  std::int64_t stride = least;
  while (4 * stride <= size && waiting(2 * stride) > most_of * all) stride *= 2;
  return static_cast<double>(stride);
}

/// How many lines that map to one set stay in the cache.
double ways(const std::function<double(std::int64_t)>& latency_of_lines) {
  constexpr std::int64_t most = 16;
  const double base = latency_of_lines(2);
  for (std::int64_t lines = 3; lines <= most; ++lines) {
    if (higher(latency_of_lines(lines), base)) return static_cast<double>(lines - 1);
  }
  throw CannotMeasure("no number of lines drives another one out: no such cache is simulated");
}

MeasuredValue constant_latency(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const std::int64_t stride = arguments.number("stride", 64);
  const std::int64_t elements = arguments.number("bytes", 1024) / stride;
  const double cycles = constant_chase(machine, "pointer", elements, stride);
  return cycles - constant_chase(machine, "no_pointer", elements, stride);
}

MeasuredValue constant_cache(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const auto size = arguments.number("size", 2) * 1024;
  const std::string what = arguments.text("what");
  const auto chase = [&](std::int64_t elements, std::int64_t stride) {
    return constant_chase(machine, "pointer", elements, stride);
  };
  if (what == "line") return line_bytes(chase, size, 16);
  if (what == "ways") {
    return ways([&](std::int64_t lines) { return constant_chase(machine, "pointer", lines, size); });
  }
  return plateau_end([&](std::int64_t bytes) { return constant_chase(machine, "pointer", bytes / 64, 64); },
                     arguments.real("above", 0.0), arguments.real("step", 0.5), arguments.real("limit", 8.0));
}

MeasuredValue code_cache(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  const auto size = arguments.number("size", 4) * 1024;
  const std::string what = arguments.text("what");
  const auto jumps = [&](std::int64_t blocks, std::int64_t stride) { return code_jumps(machine, blocks, stride); };
  if (what == "line") return line_bytes(jumps, size, 64);
  if (what == "ways") return ways([&](std::int64_t lines) { return code_jumps(machine, lines, size); });
  // the loop around the code takes up to 256 bytes more
  return plateau_end([&](std::int64_t bytes) { return straight_code(machine, bytes - 256); },
                     arguments.real("above", 0.0), arguments.real("step", 0.5), arguments.real("limit", 16.0));
}

MeasuredValue code_cycles(MicroMachine& machine, const MeasureArguments& arguments) {
  machine.keep_one_sm();
  return straight_code(machine, arguments.number("bytes", 1024));
}

constexpr std::array<Measure, 4> cache_table{{
    {"constant_latency", "pointer chase through constant memory, less the same without the access", constant_latency},
    {"constant_cache", "size, line or ways of a constant cache from the latency of chases", constant_cache},
    {"code_cache", "size, line or ways of an instruction cache from the time of code", code_cache},
    {"code_cycles", "cycles per instruction of straight code in a loop", code_cycles},
}};

}  // namespace

std::span<const Measure> cache_measures() {
  return cache_table;
}

}  // namespace teslasim

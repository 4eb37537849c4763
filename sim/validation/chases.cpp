// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/chases.h"

#include <algorithm>
#include <array>

#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr std::int64_t steps = 16;  // per round
constexpr std::int64_t word_bytes = 4;
constexpr Address alignment = 1U << 20U;

}  // namespace

Chases::Chases(MicroMachine& machine, std::int64_t bytes, Path path)
    : machine_(machine), path_(path), base_(machine.allocate(static_cast<std::uint64_t>(bytes) + alignment)) {
  base_ = (base_ + alignment - 1) / alignment * alignment;
  if (path == Path::texture) machine.bind_texture(base_, static_cast<std::uint32_t>(bytes / word_bytes));
}

std::uint32_t Chases::pointer_to(std::int64_t offset) const {
  return path_ == Path::texture ? static_cast<std::uint32_t>(offset / word_bytes)
                                : static_cast<std::uint32_t>(at(offset));
}

double Chases::latency(std::int64_t elements, std::int64_t stride) {
  for (std::int64_t i = 0; i < elements; ++i) {
    machine_.words(at(i * stride), 1).front() = pointer_to((i + 1) % elements * stride);
  }
  const std::int64_t rounds = std::max<std::int64_t>((elements + steps - 1) / steps, 4);
  MicroKernel kernel{"global", "chase", "pointer", {{"COUNT", steps}, {"PASSES", rounds}, {"WARM", rounds}}};
  if (path_ == Path::texture) kernel.file = "texture", kernel.step = "texel";
  const std::array first{pointer_to(0)};
  const double once = clock_span(machine_.run(kernel, {1, 1}, first));
  kernel.parameters["COUNT"] = 2 * steps;
  return (clock_span(machine_.run(kernel, {1, 1}, first)) - once) / static_cast<double>(steps * rounds);
}

}  // namespace teslasim

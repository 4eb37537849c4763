// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/lane_values.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <optional>

#include "sim/base/each_lane.h"

namespace teslasim {
namespace {

using Values = std::array<std::uint32_t, warp_size>;

/// The value of lane 0, which need not be one of `lanes`, and what each lane adds.
struct EvenSteps {
  std::uint32_t first = 0;
  std::uint32_t step = 0;
};

std::optional<EvenSteps> even_steps(LaneMask lanes, const Values& values) {
  const auto lowest = static_cast<unsigned>(std::countr_zero(lanes));
  const auto next = static_cast<unsigned>(std::countr_zero(lanes & (lanes - 1)));
  if (next >= warp_size) return EvenSteps{values[lowest], 0};
  const auto rise = static_cast<std::int32_t>(values[next] - values[lowest]);
  const auto distance = static_cast<std::int32_t>(next - lowest);
  const auto step = static_cast<std::uint32_t>(rise / distance);
  const EvenSteps steps{values[lowest] - step * lowest, step};
  bool even = true;
  for_each_lane(lanes, [&](unsigned lane) { even = even && values[lane] == steps.first + steps.step * lane; });
  if (!even) return std::nullopt;
  return steps;
}

}  // namespace

std::string lane_values_text(LaneMask lanes, const Values& values) {
  if (lanes == 0) return "-";
  const std::optional<EvenSteps> steps = even_steps(lanes, values);
  if (steps && steps->step == 0) return fmt::format("0x{:x}", steps->first);
  if (steps && std::popcount(lanes) >= 3) {
    const auto step = static_cast<std::int32_t>(steps->step);
    return fmt::format("0x{:x}{}0x{:x}*lane", steps->first, step < 0 ? '-' : '+',
                       step < 0 ? 0U - steps->step : steps->step);
  }
  std::string text;
  for_each_lane(lanes, [&](unsigned lane) {
    fmt::format_to(std::back_inserter(text), "{}{:x}", text.empty() ? '[' : ',', values[lane]);
  });
  return text + "]";
}

}  // namespace teslasim

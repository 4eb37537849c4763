// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/launch_sampler.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/base/student_t.h"
#include "sim/run/usage_error.h"

namespace teslasim::cudart {
namespace {

Femtoseconds rounded(double femtoseconds) {
  return Femtoseconds(static_cast<std::uint64_t>(std::llround(femtoseconds)));
}

std::uint64_t number_in(std::string_view word, std::uint64_t least, const std::string& text) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || stop != word.data() + word.size() || number < least) {
    usage_error("CLI-VALUE", "'" + text + "' is no rule for a sample",
                "launches in time at first (2 or more), then each which: 3,20");
  }
  return number;
}

}  // namespace

SampleRule SampleRule::parse(const std::string& text) {
  SampleRule rule;
  const std::size_t comma = std::min(text.find(','), text.size());
  rule.first = number_in(std::string_view(text).substr(0, comma), 2, text);
  if (comma != text.size()) rule.every = number_in(std::string_view(text).substr(comma + 1), 1, text);
  return rule;
}

Mode LaunchSampler::mode_of_next(const Kind& kind) {
  Sums& sums = kinds_[kind];
  const std::uint64_t number = sums.launches++;
  // Launches that failed were not timed: others take their place.
  if (sums.timed < rule_.first) return Mode::timing;
  return (number - rule_.first + 1) % rule_.every == 0 ? Mode::timing : Mode::functional;
}

void LaunchSampler::add_timed(const Kind& kind, Femtoseconds time, std::uint64_t warp_instructions,
                              Femtoseconds bound) {
  ++timed_;
  if (warp_instructions == 0) return;
  Sums& sums = kinds_[kind];
  if (time != 0)
    sums.blocks_bound =
        std::max(sums.blocks_bound, static_cast<double>(bound.count()) / static_cast<double>(time.count()));
  ++sums.timed;
  const double per_instruction = static_cast<double>(time.count()) / static_cast<double>(warp_instructions);
  const double distance = per_instruction - sums.mean;
  sums.mean += distance / static_cast<double>(sums.timed);
  sums.squares += distance * (per_instruction - sums.mean);
}

double LaunchSampler::interval(const Sums& sums, double weight) {
  const std::uint64_t degrees = sums.timed - 1;
  return student_t_95(degrees) * std::sqrt(sums.squares / static_cast<double>(degrees) * weight);
}

LaunchSampler::Estimate LaunchSampler::extrapolate(const Kind& kind, std::uint64_t warp_instructions) {
  Sums& sums = kinds_[kind];
  SIM_CHECK(sums.timed >= 2, "a launch is extrapolated from fewer than two");
  ++extrapolated_;
  const auto instructions = static_cast<double>(warp_instructions);
  sums.extrapolated += instructions;
  sums.extrapolated_square += instructions * instructions;
  const double weight = instructions * instructions * (1.0 + 1.0 / static_cast<double>(sums.timed));
  const double time = sums.mean * instructions;
  return {rounded(time), rounded(interval(sums, weight) + time * sums.blocks_bound)};
}

Femtoseconds LaunchSampler::bound() const {
  double squares = 0.0, blocks = 0.0;
  for (const auto& [kind, sums] : kinds_) {
    if (sums.timed < 2) continue;
    const double all = sums.extrapolated;
    const double own = interval(sums, sums.extrapolated_square + all * all / static_cast<double>(sums.timed));
    squares += own * own;  // kinds are wrong independently of each other
    blocks += sums.mean * all * sums.blocks_bound;
  }
  return rounded(std::sqrt(squares) + blocks);
}

}  // namespace teslasim::cudart

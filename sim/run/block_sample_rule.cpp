// SPDX-License-Identifier: Apache-2.0
#include "sim/run/block_sample_rule.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/model/steady_pace.h"
#include "sim/run/usage_error.h"

namespace teslasim {

BlockSampleRule BlockSampleRule::parse(const std::string& text) {
  constexpr std::string_view word = "blocks", sign = "blocks=";
  BlockSampleRule rule;
  if (text == word) return rule;
  const std::string_view number = std::string_view(text).substr(text.starts_with(sign) ? sign.size() : text.size());
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), rule.waves);
  const bool read = error == std::errc() && stop == number.data() + number.size();
  if (!read || rule.waves < SteadyPace::least_waves || rule.waves > most_waves) {
    usage_error("CLI-VALUE", fmt::format("'{}' is no rule for a sample of blocks", text),
                fmt::format("blocks, or blocks=N with N from {} to {}: so many waves of blocks run in time",
                            SteadyPace::least_waves, most_waves));
  }
  return rule;
}

std::string BlockSampleRule::text() const {
  return fmt::format("blocks={}", waves);
}

std::uint64_t BlockSampleRule::timed_blocks(std::uint64_t grid, std::uint64_t wave) const {
  if (wave == 0 || grid / wave < 2 * waves) return grid;
  return waves * wave + grid % wave;
}

}  // namespace teslasim

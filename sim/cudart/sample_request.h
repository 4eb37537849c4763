// SPDX-License-Identifier: Apache-2.0
// What is sampled of a program, as the user asks for it: launches, blocks within launches, or both.
#pragma once

#include <optional>
#include <string>

#include "sim/cudart/launch_sampler.h"
#include "sim/run/block_sample_rule.h"

namespace teslasim::cudart {

struct SampleRequest {
  std::optional<SampleRule> launches{};
  std::optional<BlockSampleRule> blocks{};

  [[nodiscard]] bool any() const { return launches || blocks; }
  /// "3,20", "blocks", "blocks=8", or both: "3,20,blocks=8"; throws InputError (usage, CLI-VALUE).
  static SampleRequest parse(const std::string& text);
};

}  // namespace teslasim::cudart

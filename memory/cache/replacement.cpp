// SPDX-License-Identifier: Apache-2.0
#include "memory/cache/replacement.h"

#include <array>
#include <string>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::array rows{
    ReplacementPolicyRow{"lru", "the line used longest ago", make_lru_replacement},
    ReplacementPolicyRow{"fifo", "the line filled longest ago", make_fifo_replacement},
    ReplacementPolicyRow{"random", "any line, from a repeatable generator", make_random_replacement},
};

}  // namespace

std::span<const ReplacementPolicyRow> replacement_policies() {
  return rows;
}

std::unique_ptr<ReplacementPolicy> make_replacement_policy(std::string_view name, unsigned sets, unsigned ways) {
  for (const ReplacementPolicyRow& row : rows) {
    if (row.name == name) return row.make(sets, ways);
  }
  throw InternalError("there is no replacement policy '" + std::string(name) + "'");
}

}  // namespace teslasim

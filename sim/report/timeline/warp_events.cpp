// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/warp_events.h"

#include <algorithm>
#include <limits>

namespace teslasim {
namespace {

/// Positions in a list of warps by SM and warp: events are many, so they find their warp without a search.
class WarpTable {
 public:
  explicit WarpTable(std::vector<WarpEvents>& warps) : warps_(warps) {}
  WarpEvents& at(unsigned sm, unsigned warp) {
    const std::size_t place = sm * warps_per_sm + warp;
    if (place >= positions_.size()) positions_.resize((sm + 1) * warps_per_sm, none);
    if (positions_[place] == none) {
      positions_[place] = warps_.size();
      warps_.push_back({{sm, warp}, {}, {}});
    }
    return warps_[positions_[place]];
  }

 private:
  static constexpr std::size_t warps_per_sm = std::numeric_limits<std::uint8_t>::max() + 1;
  static constexpr std::size_t none = ~std::size_t{0};
  std::vector<WarpEvents>& warps_;
  std::vector<std::size_t> positions_;
};

}  // namespace

std::vector<WarpEvents> events_of_warps(const PipelineEvents& events) {
  std::vector<WarpEvents> warps;
  WarpTable table(warps);
  for (const PipelineEvents::Instruction& one : events.instructions) {
    table.at(one.sm, one.warp).instructions.push_back(&one);
  }
  for (const PipelineEvents::Wait& wait : events.waits) table.at(wait.sm, wait.warp).waits.push_back(&wait);
  std::sort(warps.begin(), warps.end(), [](const WarpEvents& a, const WarpEvents& b) { return a.key < b.key; });
  return warps;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Which line of a full set makes room for a new one.
#pragma once

#include <memory>
#include <span>
#include <string_view>

namespace teslasim {

/// Stands for the replacement state beside the tags of a cache or TLB: what is remembered of each set, and the choice
/// that follows from it. A policy is asked only when every way of the set is in use. Deterministic; no call allocates.
class ReplacementPolicy {
 public:
  virtual ~ReplacementPolicy() = default;
  /// A line was found in `way`.
  virtual void touch(unsigned set, unsigned way) = 0;
  /// A line was put into `way`.
  virtual void insert(unsigned set, unsigned way) = 0;
  /// The way whose line leaves, one of the first `ways`.
  [[nodiscard]] virtual unsigned victim(unsigned set, unsigned ways) = 0;
  /// As after construction.
  virtual void reset() = 0;
};

struct ReplacementPolicyRow {
  std::string_view name;         ///< as in the configuration
  std::string_view description;  ///< one line
  std::unique_ptr<ReplacementPolicy> (*make)(unsigned sets, unsigned ways);
};

/// All policies, for lists and for help: lru, fifo, random.
[[nodiscard]] std::span<const ReplacementPolicyRow> replacement_policies();
/// By name; an unknown name is a mistake of the program (the configuration offers only known ones): InternalError.
[[nodiscard]] std::unique_ptr<ReplacementPolicy> make_replacement_policy(std::string_view name, unsigned sets,
                                                                         unsigned ways);

/// The way that was touched or filled longest ago.
[[nodiscard]] std::unique_ptr<ReplacementPolicy> make_lru_replacement(unsigned sets, unsigned ways);
/// The way that was filled longest ago.
[[nodiscard]] std::unique_ptr<ReplacementPolicy> make_fifo_replacement(unsigned sets, unsigned ways);
/// Any way, from a generator with a fixed start (xorshift32), so that runs repeat.
[[nodiscard]] std::unique_ptr<ReplacementPolicy> make_random_replacement(unsigned sets, unsigned ways);

}  // namespace teslasim

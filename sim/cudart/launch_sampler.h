// SPDX-License-Identifier: Apache-2.0
// Programs that launch a kernel again and again: some launches run in time, the times of the others are extrapolated.
//
// The rule: of the launches of one kernel with one shape (grid, block, shared memory), the first `first` and then each
// `every`-th run in time; the others by function alone. Their time is their warp instructions times the mean time per
// warp instruction of those that were timed before. The bound is that of a prediction at 95 % (Student's t): it holds
// as far as the launches that were not timed scatter like those that were.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "sim/base/types.h"
#include "sim/run/run_settings.h"

namespace teslasim::cudart {

struct SampleRule {
  std::uint64_t first = 3;   ///< of each kind of launch, at least 2: one says nothing of scatter
  std::uint64_t every = 20;  ///< afterwards

  /// "first,every", or one of them; throws InputError (usage, CLI-VALUE).
  static SampleRule parse(const std::string& text);
};

class LaunchSampler {
 public:
  /// What launches have in common of which one may stand for another.
  struct Kind {
    std::string kernel;
    std::array<std::uint32_t, 3> grid{}, block{};
    std::uint32_t shared_bytes = 0;
    std::size_t instructions = 0;  ///< of the code: sources may have kernels of the same name each

    friend bool operator<(const Kind& a, const Kind& b) {
      const auto all = [](const Kind& k) {
        return std::tie(k.kernel, k.instructions, k.grid, k.block, k.shared_bytes);
      };
      return all(a) < all(b);
    }
  };
  struct Estimate {
    Femtoseconds time = 0;
    Femtoseconds bound = 0;  ///< the launch took between time - bound and time + bound
  };

  explicit LaunchSampler(SampleRule rule) : rule_(rule) {}

  /// How the next launch of this kind is to run; counts it.
  [[nodiscard]] Mode mode_of_next(const Kind& kind);
  /// A launch that was timed; `bound` of a time that is extrapolated from some of its blocks.
  void add_timed(const Kind& kind, Femtoseconds time, std::uint64_t warp_instructions, Femtoseconds bound = 0);
  /// The time of a launch that was not timed; counts it. Precondition: two of its kind were timed.
  [[nodiscard]] Estimate extrapolate(const Kind& kind, std::uint64_t warp_instructions);

  [[nodiscard]] const SampleRule& rule() const { return rule_; }
  [[nodiscard]] std::uint64_t timed() const { return timed_; }
  [[nodiscard]] std::uint64_t extrapolated() const { return extrapolated_; }
  /// Of the sum of the times of launches by function: what scatters by launch evens out, what the mean is wrong by does
  /// not.
  [[nodiscard]] Femtoseconds bound() const;

 private:
  /// Sums over the times per warp instruction of the launches that were timed (Welford 1962).
  struct Sums {
    std::uint64_t launches = 0;
    std::uint64_t timed = 0;
    double mean = 0.0;
    double squares = 0.0;              ///< of distances from the mean
    double extrapolated = 0.0;         ///< warp instructions
    double extrapolated_square = 0.0;  ///< sum of their squares, by launch
    double blocks_bound = 0.0;         ///< the widest of a launch that was timed, as a part of its time
  };

  /// Half of the interval in which a prediction lies, per root of `weight`, the variance in units of one launch's.
  static double interval(const Sums& sums, double weight);

  SampleRule rule_;
  std::map<Kind, Sums> kinds_;
  std::uint64_t timed_ = 0;
  std::uint64_t extrapolated_ = 0;
};

}  // namespace teslasim::cudart

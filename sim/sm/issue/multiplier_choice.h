// SPDX-License-Identifier: Apache-2.0
// Which of the two multipliers of an SM a multiplication goes to.
#pragma once

#include <cmath>
#include <cstdint>

namespace teslasim {

/// The SFU has multipliers of its own (Collange 2010, section 9), and of the f32 multiplications that can go either way
/// it is given a fixed share (`sm.dual_issue_share`), spread evenly: the choice is made before issue and stays, also
/// when the other unit is free by then. 5 of 7 explain both published rates (decision 0080). Where the chip decides,
/// and by what rule, is not published. Each cycle: nothing.
class MultiplierChoice {
 public:
  explicit MultiplierChoice(double share = 0.5) : step_(static_cast<std::uint32_t>(std::lround(share * whole))) {}

  /// The next multiplication goes to the SFU.
  [[nodiscard]] bool next_to_sfu() {
    sum_ += step_;
    if (sum_ < whole) return false;
    sum_ -= whole;
    return true;
  }
  void reset() { sum_ = 0; }

 private:
  static constexpr std::uint32_t whole = 1U << 16U;

  std::uint32_t step_;
  std::uint32_t sum_ = 0;  ///< what the SFU is owed
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The random number generator of buffer initialisers: PCG-XSH-RR with 64 bits of state (O'Neill 2014, section 6.3).
// Written out here so that `init = "random"` gives the same bytes on every host, compiler and library, for ever.
#pragma once

#include <cstdint>

namespace teslasim {

class Pcg32 {
 public:
  /// The stream that launch files use; also the one of the author's demonstration program, whose output is a test.
  static constexpr std::uint64_t default_stream = 54;

  explicit constexpr Pcg32(std::uint64_t seed, std::uint64_t stream = default_stream) : increment_((stream << 1) | 1U) {
    (void)next();
    state_ += seed;
    (void)next();
  }

  /// 32 uniformly distributed bits.
  constexpr std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
    const auto rotation = static_cast<std::uint32_t>(old >> 59U);
    return (shifted >> rotation) | (shifted << ((32U - rotation) & 31U));
  }

  /// Two draws, the first in the high half.
  constexpr std::uint64_t next64() {
    const std::uint64_t high = next();
    return (high << 32U) | next();
  }

  /// 0 <= x < bound by multiplication: floor(draw * bound / 2^32). One draw; bound 1..2^32.
  constexpr std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>((std::uint64_t{next()} * bound) >> 32U);
  }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t increment_;
};

}  // namespace teslasim

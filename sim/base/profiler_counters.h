// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's profiler for compute capability 1.x shows, with the scope it has on the hardware, for comparison with
// measurements of that time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teslasim {

enum class ProfilerCounter : std::uint8_t {
#define COUNTER(name, scope, rules, description) name,
#include "sim/base/profiler_counter.def"
#undef COUNTER
};

enum class ProfilerScope : std::uint8_t { sm, tpc };
enum class ProfilerRules : std::uint8_t { any, strict, segments };

struct ProfilerCounterInfo {
  std::string_view name;
  ProfilerScope scope;
  ProfilerRules rules;
  std::string_view description;
};

inline constexpr auto profiler_counters = std::to_array<ProfilerCounterInfo>({
#define COUNTER(name, scope, rules, description) {#name, ProfilerScope::scope, ProfilerRules::rules, description},
#include "sim/base/profiler_counter.def"
#undef COUNTER
});

/// Counts of one launch. Only the first SM and the first TPC count.
struct ProfilerCounters {
  std::array<std::uint64_t, profiler_counters.size()> counts{};
  bool strict = false;  ///< the machine coalesces as compute capability 1.0 and 1.1 do

  std::uint64_t& operator[](ProfilerCounter counter) { return counts[static_cast<std::size_t>(counter)]; }
  std::uint64_t operator[](ProfilerCounter counter) const { return counts[static_cast<std::size_t>(counter)]; }
  ProfilerCounters& operator+=(const ProfilerCounters& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    return *this;
  }
  /// The chip of the machine has this counter.
  [[nodiscard]] bool has(const ProfilerCounterInfo& info) const {
    return info.rules == ProfilerRules::any || (info.rules == ProfilerRules::strict) == strict;
  }
};

}  // namespace teslasim

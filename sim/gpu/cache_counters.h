// SPDX-License-Identifier: Apache-2.0
// Counters that caches keep by themselves, for the statistics of a launch.
#pragma once

namespace teslasim {

class Gpu;
struct LaunchStatistics;

/// Adds those of the caches for code and constants, and of the old profiler's counters those of caches.
void add_cache_counters(const Gpu& gpu, unsigned sms_per_tpc, LaunchStatistics& statistics);

}  // namespace teslasim

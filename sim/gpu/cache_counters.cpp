// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/cache_counters.h"

#include "sim/base/launch_statistics.h"
#include "sim/gpu/floor_plan/gpu.h"

namespace teslasim {
namespace {

/// Counters that the caches keep; the rest was counted during the launch.
void collect_profile(const Gpu& gpu, unsigned sms_per_tpc, ProfilerCounters& profile) {
  for (unsigned i = 0; i < sms_per_tpc; ++i) {
    const Sm& sm = gpu.sms()[i]->core();
    CacheStatistics both = sm.front_end().statistics();
    both += sm.execute().constants().statistics();
    profile[ProfilerCounter::tlb_hit] += both.hits;
    profile[ProfilerCounter::tlb_miss] += both.misses;
  }
  const CacheStatistics textures = gpu.tpcs().front()->textures().statistics().l1;
  profile[ProfilerCounter::tex_cache_hit] += textures.hits;
  profile[ProfilerCounter::tex_cache_miss] += textures.misses;
}

void collect_caches(const Gpu& gpu, CodeAndConstantStatistics& code) {
  for (const SmModule* sm : gpu.sms()) {
    code.instruction_l1 += sm->core().front_end().statistics();
    code.constant_l1 += sm->core().execute().constants().statistics();
  }
  for (const auto& l2 : gpu.constant_l2s()) {
    code.instruction_l2 += l2->core().statistics(LineKind::instruction);
    code.constant_l2 += l2->core().statistics(LineKind::constant);
  }
  const ConstantL3Module& l3 = gpu.constant_l3();
  code.instruction_l3 = l3.core().statistics(LineKind::instruction);
  code.constant_l3 = l3.core().statistics(LineKind::constant);
  code.transactions = l3.reader().sent();
  code.answered = l3.reader().answered();
  code.bytes = l3.reader().bytes();
}

}  // namespace

void add_cache_counters(const Gpu& gpu, unsigned sms_per_tpc, LaunchStatistics& statistics) {
  collect_caches(gpu, statistics.code);
  collect_profile(gpu, sms_per_tpc, statistics.profiler);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/launch_look.h"

#include <algorithm>

#include "sim/base/launch_statistics.h"
#include "sim/gpu/floor_plan/gpu.h"

namespace teslasim {
namespace {

constexpr double second_per_femtosecond = 1e-15;

void add(const PartitionStatistics& partition, LaunchLook& look) {
  look.read_bytes += partition.read_bytes;
  look.write_bytes += partition.write_bytes;
  look.transactions += partition.read_transactions + partition.write_transactions;
}

}  // namespace

LaunchLook& LaunchLook::operator+=(const LaunchLook& other) {
  slots += other.slots;
  read_bytes += other.read_bytes;
  write_bytes += other.write_bytes;
  transactions += other.transactions;
  instructions += other.instructions;
  constants += other.constants;
  textures += other.textures;
  texture_l2 += other.texture_l2;
  seconds += other.seconds;
  return *this;
}

LaunchLook look_at(const Gpu& gpu, const LaunchStatistics& counted) {
  LaunchLook look;
  for (const SmStatistics& sm : counted.sms) look.slots += sm.slots;
  for (const auto& partition : gpu.partitions()) {
    add(partition->core().statistics(), look);
    look.texture_l2 += partition->core().texture_statistics().l2;
  }
  for (const auto& tpc : gpu.tpcs()) look.textures += tpc->textures().statistics().l1;
  SmCycle latest = 0;
  for (const SmModule* sm : gpu.sms()) {
    latest = std::max(latest, sm->core().last_issue());
    look.instructions += sm->core().front_end().statistics();
    look.constants += sm->core().execute().constants().statistics();
  }
  look.seconds = static_cast<double>(latest * gpu.sm_period()) * second_per_femtosecond;
  return look;
}

LaunchLook look_back(const LaunchStatistics& ended) {
  LaunchLook look;
  look.slots = ended.slots;
  for (const PartitionStatistics& partition : ended.partitions) add(partition, look);
  look.instructions = ended.code.instruction_l1;
  look.constants = ended.code.constant_l1;
  look.textures = ended.textures.l1;
  look.texture_l2 = ended.textures.l2;
  look.seconds = static_cast<double>(ended.duration) * second_per_femtosecond;
  return look;
}

}  // namespace teslasim

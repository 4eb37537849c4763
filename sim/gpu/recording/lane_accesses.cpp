// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/recording/lane_accesses.h"

#include <algorithm>
#include <array>

#include "sim/exec/conflict_degree.h"

namespace teslasim {
namespace {

LaneAccess on_chip_access(const OnChipAccess& access, LaneAccess::Space space, SharedBanks banks) {
  LaneAccess row;
  row.space = space;
  row.bytes = access.bytes;
  row.lanes = access.lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) row.address[lane] = access.address[access.uniform ? 0 : lane];
  for (unsigned first = 0; first < warp_size; first += banks.group) {
    unsigned passes = 1;
    if (!access.uniform) {
      passes = space == LaneAccess::Space::shared ? shared_passes(access, first, banks.group, banks.banks)
                                                  : constant_passes(access, first, banks.group);
    }
    row.passes.push_back(passes);
  }
  return row;
}

LaneAccess::Kind kind_of_access(MemoryAccess::Kind kind) {
  if (kind == MemoryAccess::Kind::load) return LaneAccess::Kind::load;
  return kind == MemoryAccess::Kind::store ? LaneAccess::Kind::store : LaneAccess::Kind::atomic;
}

LaneAccess::Space space_of(MemoryAccess::Space space) {
  switch (space) {
    case MemoryAccess::Space::global:
      return LaneAccess::Space::global;
    case MemoryAccess::Space::local:
      return LaneAccess::Space::local;
    case MemoryAccess::Space::texture:
      break;
  }
  return LaneAccess::Space::texture;
}

LaneAccess device_access(const MemoryAccess& access, const CoalescingRules& rules) {
  LaneAccess row;
  row.space = space_of(access.space);
  row.kind = kind_of_access(access.kind);
  row.bytes = access.bytes;
  row.lanes = access.lanes;
  std::copy(access.address.begin(), access.address.end(), row.address.begin());
  if (access.space == MemoryAccess::Space::texture) return row;
  std::array<CoalescedTransaction, max_coalesced_transactions> transactions;
  const unsigned count = rules.coalesce(access, transactions);
  for (unsigned i = 0; i < count; ++i) {
    row.segments.push_back({transactions[i].address, transactions[i].bytes, transactions[i].lanes});
  }
  return row;
}

}  // namespace

std::vector<LaneAccess> accesses_of(const WarpInst& record, const CoalescingRules& rules, SharedBanks banks) {
  std::vector<LaneAccess> accesses;
  if (record.shared.lanes != 0) {
    accesses.push_back(on_chip_access(record.shared, LaneAccess::Space::shared, banks));
    if (record.instruction->opcode == Opcode::store_shared) accesses.back().kind = LaneAccess::Kind::store;
  }
  if (record.constant.lanes != 0)
    accesses.push_back(on_chip_access(record.constant, LaneAccess::Space::constant, banks));
  if (record.memory != nullptr) accesses.push_back(device_access(*record.memory, rules));
  return accesses;
}

}  // namespace teslasim

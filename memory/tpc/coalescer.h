// SPDX-License-Identifier: Apache-2.0
// From the addresses of one warp's access to the transactions that memory sees.
#pragma once

#include <span>
#include <string_view>

#include "memory/image/memory_access.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/types.h"

namespace teslasim {

/// 32, 64 or 128 bytes (16 too with `cc12_16`), aligned to their size, and the lanes whose words lie in them.
struct CoalescedTransaction {
  Address address = 0;
  std::uint16_t bytes = 0;
  LaneMask lanes = 0;
  friend bool operator==(const CoalescedTransaction&, const CoalescedTransaction&) = default;
};

/// The most transactions that one access can become: one for each lane.
inline constexpr unsigned max_coalesced_transactions = warp_size;

/// Stands for the address coalescer in front of the memory port: it looks at half a warp at a time, lower half first.
/// The access must have naturally aligned addresses (checked when the instruction issues). Loads, stores and atomics
/// are treated alike. Not modelled: the time the coalescer itself takes; merging between the two halves or between
/// warps. Source: NVIDIA CUDA C Programming Guide 4.2, appendix F.3.2.
struct CoalescingRules {
  std::string_view name;         ///< as in `coalescing.rules`
  std::string_view description;  ///< one line
  /// Writes the transactions in the order in which they are issued; returns how many. `out` has room for
  /// max_coalesced_transactions.
  unsigned (*coalesce)(const MemoryAccess& access, std::span<CoalescedTransaction> out);
};

/// All rules, for lists and for help.
[[nodiscard]] std::span<const CoalescingRules> coalescing_rules();
/// By name. The configuration offers only known names, so an unknown one is an InternalError.
[[nodiscard]] const CoalescingRules& find_coalescing_rules(std::string_view name);

inline unsigned coalesce(const MemoryAccess& access, const CoalescingRules& rules,
                         std::span<CoalescedTransaction> out) {
  return rules.coalesce(access, out);
}

/// Adds an access and the transactions that it became to the counts of the traffic.
void count_traffic(const MemoryAccess& access, std::span<const CoalescedTransaction> transactions,
                   CoalescingStatistics& statistics);

/// Compute capability 1.0 and 1.1: if the k-th lane takes the k-th word of an aligned block (lanes may be missing), one
/// transaction of 64 bytes (4-byte words), one of 128 (8-byte words) or two of 128 (16-byte words; a block none of
/// whose lanes takes part is left out); otherwise, and always for 1- and 2-byte words, one of 32 bytes for each active
/// lane.
unsigned coalesce_strict(const MemoryAccess& access, std::span<CoalescedTransaction> out);

/// Compute capability 1.2 and 1.3: the segment (32 bytes for 1-byte words, 64 for 2-byte words, else 128) of the lowest
/// lane not yet served, with all lanes in it, halved while only one half is used and it is larger than 32; repeated.
unsigned coalesce_segments(const MemoryAccess& access, std::span<CoalescedTransaction> out);

}  // namespace teslasim

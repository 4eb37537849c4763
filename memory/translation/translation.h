// SPDX-License-Identifier: Apache-2.0
// What travels between the first-level TLBs of the TPCs and the memory management unit at the crossbar.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/cache/tag_array.h"
#include "memory/memory_spec.h"
#include "sim/base/types.h"

namespace teslasim {

/// A page to translate, or translated: the same message in both directions.
struct Translation {
  Femtoseconds when = 0;  ///< earliest time at which the receiver may take it
  Address page = 0;       ///< first address of the page
};

/// Port: number of the TPC. At most `tlb.pages_under_way` of one TPC are under way, so that no credits are needed.
class TranslationReceiver {
 public:
  virtual ~TranslationReceiver() = default;
  virtual void translate(unsigned port, const Translation& translation) = 0;
};

/// The page size in effect: that of the driver, or the machine's own.
[[nodiscard]] inline unsigned page_bytes(const TlbSpec& spec) {
  constexpr unsigned bytes_per_kb = 1024;
  if (spec.driver == "177.13") return spec.page_kb_177_13 * bytes_per_kb;
  if (spec.driver == "195.17") return spec.page_kb_195_17 * bytes_per_kb;
  return spec.page_kb * bytes_per_kb;
}

/// A TLB as a tag array whose lines are page numbers. One with more ways than entries is fully associative.
[[nodiscard]] inline CacheGeometry tlb_geometry(unsigned entries, unsigned ways) {
  constexpr unsigned one_page = 1;
  return {entries, std::min(ways, entries), one_page};
}

/// Where the entry of a page stands in the page table, which takes part in the round robin over partitions.
[[nodiscard]] inline Address page_table_entry(Address page, unsigned bytes_of_page) {
  constexpr Address table = 0xf000'0000;
  constexpr Address entry_bytes = 8;
  return table + page / bytes_of_page * entry_bytes;
}

}  // namespace teslasim

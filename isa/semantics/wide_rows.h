// SPDX-License-Identifier: Apache-2.0
// Rows of 32 words, eight at a time, for hosts with AVX2. Private to isa/semantics.
#pragma once

#include "isa/semantics/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>

// Every function that uses these carries the target itself: nothing that runs on other hosts is compiled for it.
#define TESLASIM_WIDE __attribute__((target("avx2,fma")))
#define TESLASIM_WIDE_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

namespace teslasim::semantics::wide {

inline constexpr unsigned vector_lanes = 8;

TESLASIM_WIDE_INLINE __m256i all(std::uint32_t word) {
  return _mm256_set1_epi32(static_cast<int>(word));
}

TESLASIM_WIDE_INLINE __m256i load(const std::uint32_t* row) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(row));
}

/// Only the lanes that execute.
TESLASIM_WIDE_INLINE void store(std::uint32_t* row, __m256i value, LaneMask lanes, unsigned first) {
  auto* const at = reinterpret_cast<__m256i*>(row + first);
  if (lanes != all_lanes) {
    const __m256i bit = load(lane_bits.data() + first);
    const __m256i chosen = _mm256_cmpeq_epi32(_mm256_and_si256(all(lanes), bit), bit);
    value = _mm256_blendv_epi8(_mm256_load_si256(at), value, chosen);
  }
  _mm256_store_si256(at, value);
}

TESLASIM_WIDE_INLINE void store_row(const LaneContext& context, std::uint32_t* row, const __m256i* values) {
  const LaneMask lanes = context.lanes;
  if (lanes == all_lanes) {
    for (unsigned i = 0; i < warp_size; i += vector_lanes) store(row, values[i / vector_lanes], all_lanes, i);
  } else {
    for (unsigned i = 0; i < warp_size; i += vector_lanes) store(row, values[i / vector_lanes], lanes, i);
  }
}

}  // namespace teslasim::semantics::wide
#endif

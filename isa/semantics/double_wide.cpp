// SPDX-License-Identifier: Apache-2.0
#include "isa/semantics/double_wide.h"

#include <limits>

#include "isa/semantics/wide_rows.h"

namespace teslasim::semantics {

#if defined(__x86_64__)

namespace {

using wide::load;
using wide::store_row;
using wide::vector_lanes;

/// Eight lanes of a pair of rows: `even` holds lanes 0, 1, 4, 5 and `odd` lanes 2, 3, 6, 7, as the host's unpacking
/// leaves them; `Result` puts them back.
struct EightDoubles {
  __m256d even, odd;
};

/// An operand in memory with its modifiers.
class Source {
 public:
  TESLASIM_WIDE_INLINE Source(const std::uint32_t* rows, const Operand& operand)
      : rows_(rows),
        keep_(_mm256_set1_epi64x(operand.absolute ? ~sign : -1)),
        toggle_(_mm256_set1_epi64x(operand.negate ? sign : 0)) {}

  [[nodiscard]] TESLASIM_WIDE_INLINE EightDoubles lanes_from(unsigned first) const {
    const __m256i low = load(rows_ + first), high = load(rows_ + warp_size + first);
    return {modified(_mm256_unpacklo_epi32(low, high)), modified(_mm256_unpackhi_epi32(low, high))};
  }

 private:
  static constexpr long long sign = std::numeric_limits<long long>::min();  // bit 63 alone

  [[nodiscard]] TESLASIM_WIDE_INLINE __m256d modified(__m256i bits) const {
    return _mm256_castsi256_pd(_mm256_xor_si256(_mm256_and_si256(bits, keep_), toggle_));
  }

  const std::uint32_t* rows_;
  __m256i keep_, toggle_;
};

/// 32 results, kept until it is known that none is NaN.
class Result {
 public:
  TESLASIM_WIDE_INLINE Result() : low_{}, high_{}, not_numbers_(_mm256_setzero_pd()) {}

  TESLASIM_WIDE_INLINE void put(unsigned first, const EightDoubles& value) {
    not_numbers_ = _mm256_or_pd(not_numbers_, _mm256_or_pd(_mm256_cmp_pd(value.even, value.even, _CMP_UNORD_Q),
                                                           _mm256_cmp_pd(value.odd, value.odd, _CMP_UNORD_Q)));
    constexpr int lower_words = 0x88, upper_words = 0xdd;
    const __m256 even = _mm256_castpd_ps(value.even), odd = _mm256_castpd_ps(value.odd);
    low_[first / vector_lanes] = _mm256_castps_si256(_mm256_shuffle_ps(even, odd, lower_words));
    high_[first / vector_lanes] = _mm256_castps_si256(_mm256_shuffle_ps(even, odd, upper_words));
  }

  [[nodiscard]] TESLASIM_WIDE_INLINE bool write(const LaneContext& context) const {
    if (_mm256_movemask_pd(not_numbers_) != 0) return false;
    store_row(context, context.destination, low_);
    store_row(context, context.destination + warp_size, high_);
    return true;
  }

 private:
  alignas(row_alignment) __m256i low_[warp_size / vector_lanes], high_[warp_size / vector_lanes];
  __m256d not_numbers_;
};

struct DoubleSum {
  TESLASIM_WIDE_INLINE static __m256d of(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
};
struct DoubleProduct {
  TESLASIM_WIDE_INLINE static __m256d of(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
};

template <typename Operation>
TESLASIM_WIDE_INLINE bool of_two(const Instruction& instruction, LaneContext& context) {
  const Source first(context.source[0], instruction.source[0]);
  const Source second(context.source[1], instruction.source[1]);
  Result result;
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const EightDoubles a = first.lanes_from(i), b = second.lanes_from(i);
    result.put(i, {Operation::of(a.even, b.even), Operation::of(a.odd, b.odd)});
  }
  return result.write(context);
}

}  // namespace

TESLASIM_WIDE bool wide_double_fma(const Instruction& instruction, LaneContext& context) {
  const Source first(context.source[0], instruction.source[0]);
  const Source second(context.source[1], instruction.source[1]);
  const Source third(context.source[2], instruction.source[2]);
  Result result;
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const EightDoubles a = first.lanes_from(i), b = second.lanes_from(i), c = third.lanes_from(i);
    result.put(i, {_mm256_fmadd_pd(a.even, b.even, c.even), _mm256_fmadd_pd(a.odd, b.odd, c.odd)});
  }
  return result.write(context);
}

TESLASIM_WIDE bool wide_double_add(const Instruction& instruction, LaneContext& context) {
  return of_two<DoubleSum>(instruction, context);
}

TESLASIM_WIDE bool wide_double_multiply(const Instruction& instruction, LaneContext& context) {
  return of_two<DoubleProduct>(instruction, context);
}

#else

bool wide_double_fma(const Instruction& /*instruction*/, LaneContext& /*context*/) {
  return false;
}
bool wide_double_add(const Instruction& /*instruction*/, LaneContext& /*context*/) {
  return false;
}
bool wide_double_multiply(const Instruction& /*instruction*/, LaneContext& /*context*/) {
  return false;
}

#endif

}  // namespace teslasim::semantics

// SPDX-License-Identifier: Apache-2.0
#include "isa/semantics/float_wide.h"

#include "isa/semantics/float_bits.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/wide_rows.h"

namespace teslasim::semantics {

namespace {

LaneCode lane_code = LaneCode::widest;

}  // namespace

void use_lane_code(LaneCode code) {
  lane_code = code;
}

#if defined(__x86_64__)

bool wide_lanes() {
  static const bool available = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return available && lane_code == LaneCode::widest;
}

namespace {

using wide::all;
using wide::load;
using wide::store;
using wide::store_row;
using wide::vector_lanes;

/// Denormals become zero of the same sign.
TESLASIM_WIDE_INLINE __m256i flushed(__m256i bits) {
  const __m256i exponent = _mm256_and_si256(bits, all(f32_infinity));
  const __m256i tiny = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
  return _mm256_andnot_si256(_mm256_and_si256(tiny, all(~f32_sign)), bits);
}

TESLASIM_WIDE_INLINE __m256i result_of(__m256i bits) {
  const __m256i value = flushed(bits);
  const __m256i nan = _mm256_cmpgt_epi32(_mm256_and_si256(value, all(~f32_sign)), all(f32_infinity));
  return _mm256_blendv_epi8(value, all(f32_nan), nan);
}

TESLASIM_WIDE_INLINE __m256i modified(__m256i bits, const SignModifier& modifier) {
  return _mm256_xor_si256(_mm256_and_si256(bits, all(modifier.keep)), all(modifier.toggle));
}

/// Four lanes: the product cut to 24 bits, plus the addend.
TESLASIM_WIDE_INLINE __m128 cut_product_plus(__m128 a, __m128 b, __m128 c) {
  constexpr std::int64_t significant_24 = ~((std::int64_t{1} << 29) - 1);
  const __m256d product = _mm256_mul_pd(_mm256_cvtps_pd(a), _mm256_cvtps_pd(b));
  const __m256d cut = _mm256_and_pd(product, _mm256_castsi256_pd(_mm256_set1_epi64x(significant_24)));
  return _mm256_cvtpd_ps(_mm256_add_pd(cut, _mm256_cvtps_pd(c)));
}

TESLASIM_WIDE_INLINE __m256i multiply_add_lanes(__m256i a, __m256i b, __m256i c) {
  const __m128i low = _mm_castps_si128(cut_product_plus(_mm_castsi128_ps(_mm256_castsi256_si128(a)),
                                                        _mm_castsi128_ps(_mm256_castsi256_si128(b)),
                                                        _mm_castsi128_ps(_mm256_castsi256_si128(c))));
  const __m128i high = _mm_castps_si128(cut_product_plus(_mm_castsi128_ps(_mm256_extracti128_si256(a, 1)),
                                                         _mm_castsi128_ps(_mm256_extracti128_si256(b, 1)),
                                                         _mm_castsi128_ps(_mm256_extracti128_si256(c, 1))));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// A multiply-add in f32 alone, eight lanes at a time. What the rounded product leaves of the exact one says whether it
/// was rounded up; then it is one unit too large to be the cut one. Holds where no factor is as large as 2^31 and the
/// greater summand lies between 2^-70 and 2^127: then a product below 2^-95, of a denormal or with nothing exact left,
/// changes nothing, and no sum is a denormal.
class RangedMultiplyAdd {
 public:
  TESLASIM_WIDE_INLINE RangedMultiplyAdd(bool negate_product, bool negate_addend)
      : product_sign_(all(negate_product ? f32_sign : 0U)), addend_sign_(all(negate_addend ? f32_sign : 0U)) {}

  TESLASIM_WIDE_INLINE __m256i operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c) {
    const __m256i first = _mm256_xor_si256(load(a), product_sign_), second = load(b);
    const __m256i addend = _mm256_xor_si256(load(c), addend_sign_);
    const __m256 rounded = _mm256_mul_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second));
    const __m256 left = _mm256_fmsub_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), rounded);
    const __m256i product = _mm256_castps_si256(rounded), product_size = size(product), addend_size = size(addend);
    const __m256i some_left = _mm256_castps_si256(_mm256_cmp_ps(left, _mm256_setzero_ps(), _CMP_NEQ_OQ));
    const __m256i away = _mm256_srai_epi32(_mm256_xor_si256(product, _mm256_castps_si256(left)), 31);
    // Beside a zero, which a denormal counts as, the product is rounded to nearest.
    const __m256i beside_zero = _mm256_cmpgt_epi32(all(f32_smallest_normal), addend_size);
    const __m256i one_less = _mm256_andnot_si256(beside_zero, _mm256_and_si256(some_left, away));
    const __m256i greater = _mm256_max_epi32(product_size, addend_size);
    factor_ = _mm256_max_epi32(factor_, _mm256_max_epi32(size(first), size(second)));
    greatest_ = _mm256_max_epi32(greatest_, greater);
    least_ = _mm256_min_epi32(least_, greater);
    return _mm256_castps_si256(
        _mm256_add_ps(_mm256_castsi256_ps(_mm256_add_epi32(product, one_less)), _mm256_castsi256_ps(addend)));
  }

  /// Whether all lanes so far were in range. NaNs are larger than all numbers.
  [[nodiscard]] TESLASIM_WIDE_INLINE bool holds() const {
    const __m256i outside = _mm256_or_si256(_mm256_or_si256(_mm256_cmpgt_epi32(factor_, all(most_factor - 1)),
                                                            _mm256_cmpgt_epi32(greatest_, all(most_summand - 1))),
                                            _mm256_cmpgt_epi32(all(least_summand), least_));
    return _mm256_testz_si256(outside, outside) != 0;
  }

 private:
  static constexpr std::uint32_t most_factor = 0x4f000000;    ///< 2^31
  static constexpr std::uint32_t most_summand = 0x7f000000;   ///< 2^127
  static constexpr std::uint32_t least_summand = 0x1c800000;  ///< 2^-70

  TESLASIM_WIDE_INLINE static __m256i size(__m256i bits) { return _mm256_and_si256(bits, all(~f32_sign)); }

  __m256i product_sign_, addend_sign_;
  __m256i factor_ = _mm256_setzero_si256(), greatest_ = _mm256_setzero_si256(), least_ = all(most_summand);
};

/// Whether some addend is zero or a denormal, which counts as zero.
TESLASIM_WIDE_INLINE bool some_addend_is_zero(const std::uint32_t* addends) {
  __m256i zeros = _mm256_setzero_si256();
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const __m256i exponent = _mm256_and_si256(load(addends + i), all(f32_infinity));
    zeros = _mm256_or_si256(zeros, _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256()));
  }
  return _mm256_testz_si256(zeros, zeros) == 0;
}

/// The same for all numbers, in f64; false where some addend is zero.
TESLASIM_WIDE __attribute__((noinline)) bool multiply_add_anywhere(bool negate_product, bool negate_addend,
                                                                   LaneContext& context) {
  if (some_addend_is_zero(context.source[2])) return false;
  const __m256i product_sign = all(negate_product ? f32_sign : 0U);
  const __m256i addend_sign = all(negate_addend ? f32_sign : 0U);
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const __m256i first = flushed(_mm256_xor_si256(load(context.source[0] + i), product_sign));
    const __m256i second = flushed(load(context.source[1] + i));
    const __m256i third = _mm256_xor_si256(load(context.source[2] + i), addend_sign);
    store(context.destination, result_of(multiply_add_lanes(first, second, third)), context.lanes, i);
  }
  return true;
}

}  // namespace

TESLASIM_WIDE bool wide_multiply_add(const Instruction& instruction, LaneContext& context) {
  const bool negate_product = instruction.source[0].negate != instruction.source[1].negate;
  const auto [a, b, c] = context.source;
  RangedMultiplyAdd multiply_add(negate_product, instruction.source[2].negate);
  alignas(row_alignment) __m256i result[warp_size / vector_lanes];
  for (unsigned i = 0; i < warp_size; i += vector_lanes) result[i / vector_lanes] = multiply_add(a + i, b + i, c + i);
  if (!multiply_add.holds()) [[unlikely]]
    return multiply_add_anywhere(negate_product, instruction.source[2].negate, context);
  store_row(context, context.destination, result);
  return true;
}

TESLASIM_WIDE bool wide_multiply(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  alignas(row_alignment) __m256i result[warp_size / vector_lanes];
  __m256i careful = _mm256_setzero_si256();
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const __m256i a = flushed(modified(load(context.source[0] + i), first));
    const __m256i b = flushed(modified(load(context.source[1] + i), second));
    const __m256i value = result_of(_mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b))));
    const __m256i magnitude = _mm256_and_si256(value, all(~f32_sign));
    careful = _mm256_or_si256(careful, _mm256_cmpeq_epi32(magnitude, all(f32_smallest_normal)));
    result[i / vector_lanes] = value;
  }
  if (_mm256_testz_si256(careful, careful) == 0) return false;
  store_row(context, context.destination, result);
  return true;
}

TESLASIM_WIDE void wide_add(const Instruction& instruction, LaneContext& context) {
  const SignModifier first(instruction.source[0]);
  const SignModifier second(instruction.source[1]);
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    const __m256i a = flushed(modified(load(context.source[0] + i), first));
    const __m256i b = flushed(modified(load(context.source[1] + i), second));
    const __m256 sum = _mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    store(context.destination, result_of(_mm256_castps_si256(sum)), context.lanes, i);
  }
}

#else

bool wide_lanes() {
  return false;
}
bool wide_multiply_add(const Instruction& /*instruction*/, LaneContext& /*context*/) {
  return false;
}
bool wide_multiply(const Instruction& /*instruction*/, LaneContext& /*context*/) {
  return false;
}
void wide_add(const Instruction& /*instruction*/, LaneContext& /*context*/) {}

#endif

}  // namespace teslasim::semantics

// SPDX-License-Identifier: Apache-2.0
#include "isa/semantics/special_wide.h"

#include "isa/semantics/float_bits.h"
#include "isa/semantics/special_tables.h"
#include "isa/semantics/wide_rows.h"

namespace teslasim::semantics {

#if defined(__x86_64__)

namespace {

using wide::all;
using wide::load;
using wide::store_row;
using wide::vector_lanes;

constexpr int fraction_bits = 23, rest_bits = 17, f32_bias = 127;
constexpr std::uint32_t fraction_mask = (1U << fraction_bits) - 1, rest_mask = (1U << rest_bits) - 1;
constexpr std::uint32_t fixed_special = 0x40000000U, fixed_infinity = 0x40800000U;

/// Lanes 0 to 3 and 4 to 7.
struct EightNumbers {
  __m256d low, high;
};

TESLASIM_WIDE_INLINE EightNumbers numbers(__m256i words) {
  return {_mm256_cvtepi32_pd(_mm256_castsi256_si128(words)), _mm256_cvtepi32_pd(_mm256_extracti128_si256(words, 1))};
}
TESLASIM_WIDE_INLINE __m256i equal(__m256i left, __m256i right) {
  return _mm256_cmpeq_epi32(left, right);
}
TESLASIM_WIDE_INLINE __m256i is_zero(__m256i words) {
  return equal(words, _mm256_setzero_si256());
}
TESLASIM_WIDE_INLINE __m256i select(__m256i condition, __m256i taken, __m256i other) {
  return _mm256_blendv_epi8(other, taken, condition);
}
TESLASIM_WIDE_INLINE __m256i magnitude_of(__m256i bits) {
  return _mm256_and_si256(bits, all(~f32_sign));
}
TESLASIM_WIDE_INLINE __m256i sign_of(__m256i bits) {
  return _mm256_and_si256(bits, all(f32_sign));
}
TESLASIM_WIDE_INLINE __m256i flushed(__m256i bits) {
  return select(is_zero(_mm256_and_si256(bits, all(f32_infinity))), sign_of(bits), bits);
}
TESLASIM_WIDE_INLINE __m256i exponent_of(__m256i magnitude) {
  return _mm256_sub_epi32(_mm256_srli_epi32(magnitude, fraction_bits), all(f32_bias));
}

/// As in special.cpp: bit i of x selects x >> (18 - i), from 16 down.
TESLASIM_WIDE_INLINE __m256i square_without_tail(__m256i x) {
  constexpr int top_bit = 16;
  __m256i selecting = _mm256_slli_epi32(x, 31 - top_bit), term = _mm256_srli_epi32(x, 2);
  __m256i sum = _mm256_setzero_si256();
  for (int i = 0; i < top_bit; ++i) {
    sum = _mm256_add_epi32(sum, _mm256_and_si256(term, _mm256_srai_epi32(selecting, 31)));
    selecting = _mm256_add_epi32(selecting, selecting);
    term = _mm256_srli_epi32(term, 1);
  }
  return _mm256_srli_epi32(sum, 1);
}

/// One of a segment's three numbers for each lane; `at` counts words.
TESLASIM_WIDE_INLINE __m256i gathered(const std::int32_t& first, __m256i at) {
  return _mm256_i32gather_epi32(&first, at, sizeof(std::int32_t));
}

/// Factors of the three terms of one function, relative to that of the linear one.
struct Scale {
  double value, curvature;
};

/// One segment's numbers for four lanes.
struct FourSegments {
  __m256d value, slope, curvature;
};

TESLASIM_WIDE_INLINE __m256d four_sums(const FourSegments& at, __m256d rest, __m256d square, const Scale& scale) {
  const __m256d curved = _mm256_mul_pd(at.curvature, _mm256_mul_pd(square, _mm256_set1_pd(scale.curvature)));
  return _mm256_fmadd_pd(at.value, _mm256_set1_pd(scale.value), _mm256_fmadd_pd(at.slope, rest, curved));
}

TESLASIM_WIDE_INLINE EightNumbers interpolated(const Segment& table, __m256i index, __m256i rest, __m256i square,
                                               const Scale& scale) {
  static_assert(sizeof(Segment) == 3 * sizeof(std::int32_t));
  const __m256i at = _mm256_add_epi32(index, _mm256_slli_epi32(index, 1));
  const EightNumbers value = numbers(gathered(table.value, at)), slope = numbers(gathered(table.slope, at));
  const EightNumbers curvature = numbers(gathered(table.curvature, at));
  const EightNumbers linear = numbers(rest), squared = numbers(square);
  return {four_sums({value.low, slope.low, curvature.low}, linear.low, squared.low, scale),
          four_sums({value.high, slope.high, curvature.high}, linear.high, squared.high, scale)};
}

/// (sum + rounding) * factor, cut to an integer; sums are positive.
TESLASIM_WIDE_INLINE __m256i cut(const EightNumbers& sum, double rounding, double factor) {
  const __m256d add = _mm256_set1_pd(rounding), scale = _mm256_set1_pd(factor);
  const __m128i low = _mm256_cvttpd_epi32(_mm256_mul_pd(_mm256_add_pd(sum.low, add), scale));
  const __m128i high = _mm256_cvttpd_epi32(_mm256_mul_pd(_mm256_add_pd(sum.high, add), scale));
  return _mm256_set_m128i(high, low);
}

/// Exponent field and significand 2^23..2^24, or zero of the sign when the result is too small.
TESLASIM_WIDE_INLINE __m256i packed(__m256i sign, __m256i exponent, __m256i significand) {
  const __m256i fraction = _mm256_sub_epi32(significand, all(1U << fraction_bits));
  const __m256i value = _mm256_add_epi32(_mm256_slli_epi32(exponent, fraction_bits), fraction);
  const __m256i whole = _mm256_add_epi32(exponent, _mm256_srli_epi32(fraction, fraction_bits));
  const __m256i fits = _mm256_cmpgt_epi32(whole, _mm256_setzero_si256());
  return _mm256_or_si256(sign, _mm256_and_si256(value, fits));
}

/// Four whole numbers that are not negative, of which 2^`one` stands for 1, cut to 24 significant bits: a double's own
/// bits, but for the bias and the tail.
TESLASIM_WIDE_INLINE __m256i cut_to_float(__m256d value, int one) {
  constexpr int double_bias = 1023, tail_bits = 29;
  const __m256i bits = _mm256_srli_epi64(_mm256_castpd_si256(value), tail_bits);
  const __m256i bias = _mm256_set1_epi64x(static_cast<long long>(double_bias - f32_bias + one) << fraction_bits);
  const __m256i zero = _mm256_castpd_si256(_mm256_cmp_pd(value, _mm256_setzero_pd(), _CMP_EQ_OQ));
  return _mm256_andnot_si256(zero, _mm256_sub_epi64(bits, bias));
}

/// The lower words of eight 64-bit numbers.
TESLASIM_WIDE_INLINE __m256i lower_words(__m256i low, __m256i high) {
  constexpr int even = 0x88, halves_apart = 0xd8;
  const __m256 words = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), even);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(words), halves_apart);
}

// --- eight lanes of each function, as in special.cpp

/// What an operand is. Fixed-point ones have no sign modifiers; denormals are zero to functions of numbers.
enum class Takes : std::uint8_t { fixed_point, number, flushed_number };

struct Reciprocal {
  static constexpr Takes takes = Takes::flushed_number;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i bits) {
    constexpr int short_rest_bits = 16;
    constexpr double rounding = 0x47e7, factor = 0x1p-15;
    const __m256i sign = sign_of(bits), magnitude = magnitude_of(bits);
    const __m256i rest = _mm256_and_si256(bits, all((1U << short_rest_bits) - 1));
    const __m256i index = _mm256_srli_epi32(_mm256_and_si256(bits, all(fraction_mask)), short_rest_bits);
    const __m256i square = square_without_tail(_mm256_slli_epi32(rest, 1));
    const EightNumbers sum = interpolated(reciprocal_segments[0], index, rest, square, {0x1p13, 1});
    const __m256i exponent = _mm256_sub_epi32(all(f32_bias - 1), exponent_of(magnitude));
    __m256i result = packed(sign, exponent, cut(sum, rounding, factor));
    result = select(is_zero(magnitude), _mm256_or_si256(sign, all(f32_infinity)), result);
    result = select(equal(magnitude, all(f32_infinity)), sign, result);
    return select(_mm256_cmpgt_epi32(magnitude, all(f32_infinity)), all(f32_nan), result);
  }
};

struct ReciprocalRoot {
  static constexpr Takes takes = Takes::flushed_number;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i bits) {
    constexpr double rounding = 0x7fff, factor = 0x1p-16;
    const __m256i magnitude = magnitude_of(bits), exponent = exponent_of(magnitude);
    const __m256i odd = _mm256_slli_epi32(_mm256_and_si256(exponent, all(1)), fraction_bits);
    const __m256i position = _mm256_or_si256(_mm256_and_si256(bits, all(fraction_mask)), odd);
    const __m256i half = _mm256_srai_epi32(exponent, 1);
    const __m256i rest = _mm256_and_si256(bits, all(rest_mask));
    const EightNumbers sum = interpolated(reciprocal_root_segments[0], _mm256_srli_epi32(position, rest_bits), rest,
                                          square_without_tail(rest), {0x1p14, 4});
    const __m256i below_one = _mm256_sub_epi32(all(f32_bias - 1), half);
    __m256i result = packed(_mm256_setzero_si256(), below_one, cut(sum, rounding, factor));
    const __m256i power = _mm256_slli_epi32(_mm256_sub_epi32(all(f32_bias), half), fraction_bits);
    result = select(is_zero(position), power, result);
    result = _mm256_andnot_si256(equal(bits, all(f32_infinity)), result);
    const __m256i invalid = _mm256_or_si256(_mm256_srai_epi32(bits, 31), _mm256_cmpgt_epi32(bits, all(f32_infinity)));
    result = select(invalid, all(f32_nan), result);
    return select(is_zero(magnitude), _mm256_or_si256(sign_of(bits), all(f32_infinity)), result);
  }
};

struct Logarithm {
  static constexpr Takes takes = Takes::flushed_number;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i bits) {
    const __m256i magnitude = magnitude_of(bits), fraction = _mm256_and_si256(bits, all(fraction_mask));
    const __m256i rest = _mm256_and_si256(bits, all(rest_mask));
    const EightNumbers sum = interpolated(logarithm_segments[0], _mm256_srli_epi32(fraction, rest_bits), rest,
                                          square_without_tail(rest), {0x1p12, 2});
    const EightNumbers whole = numbers(exponent_of(magnitude));
    const __m256i one = equal(bits, all(f32_one));
    const __m256i low = four(sum.low, whole.low, _mm256_castsi256_si128(one));
    const __m256i high = four(sum.high, whole.high, _mm256_extracti128_si256(one, 1));
    __m256i result = lower_words(low, high);
    result = select(equal(bits, all(f32_infinity)), bits, result);
    const __m256i invalid = _mm256_or_si256(_mm256_srai_epi32(bits, 31), _mm256_cmpgt_epi32(bits, all(f32_infinity)));
    result = select(invalid, all(f32_nan), result);
    return select(is_zero(magnitude), all(f32_sign | f32_infinity), result);
  }

 private:
  TESLASIM_WIDE_INLINE static __m256i four(__m256d sum, __m256d whole, __m128i is_one) {
    constexpr double rounding = 0x3345, factor = 0.25;
    constexpr int one = 36;
    const __m256d scaled = _mm256_mul_pd(_mm256_add_pd(sum, _mm256_set1_pd(rounding)), _mm256_set1_pd(factor));
    const __m256d none = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(is_one));
    const __m256d part = _mm256_andnot_pd(none, _mm256_floor_pd(scaled));
    const __m256d value = _mm256_fmadd_pd(whole, _mm256_set1_pd(0x1p36), part);
    const __m256d negative = _mm256_cmp_pd(value, _mm256_setzero_pd(), _CMP_LT_OQ);
    // ~value
    const __m256d complement = _mm256_sub_pd(_mm256_set1_pd(-1), value);
    const __m256i cut_value = cut_to_float(_mm256_blendv_pd(value, complement, negative), one);
    const __m256i sign = _mm256_and_si256(_mm256_castpd_si256(negative), _mm256_set1_epi64x(f32_sign));
    return _mm256_or_si256(cut_value, sign);
  }
};

/// Sine of a fixed-point number of quarter turns, advanced by `quarter` of them.
template <std::uint32_t quarter>
struct Wave {
  static constexpr Takes takes = Takes::fixed_point;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i fixed) {
    constexpr std::uint32_t last_segment = 63;
    constexpr int one = 37;
    const __m256i quadrant = _mm256_add_epi32(_mm256_srli_epi32(fixed, fraction_bits), all(quarter));
    const __m256i mirror = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_and_si256(quadrant, all(1)));
    const __m256i position = _mm256_xor_si256(fixed, mirror);
    const __m256i rest = _mm256_and_si256(position, all(rest_mask));
    const __m256i index = _mm256_and_si256(_mm256_srli_epi32(position, rest_bits), all(last_segment));
    const EightNumbers sum = interpolated(sine_segments[0], index, rest, square_without_tail(rest), {0x1p11, 1});
    const __m256i value = lower_words(cut_to_float(sum.low, one), cut_to_float(sum.high, one));
    const __m256i half_turn = _mm256_slli_epi32(_mm256_and_si256(quadrant, all(2)), 30);
    const __m256i sign = quarter == 0 ? _mm256_xor_si256(sign_of(fixed), half_turn) : half_turn;
    const __m256i special = is_zero(_mm256_and_si256(fixed, all(fixed_special)));
    return select(special, _mm256_or_si256(value, sign), all(f32_nan));
  }
};

struct PowerOfTwo {
  static constexpr Takes takes = Takes::fixed_point;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i fixed) {
    constexpr std::uint32_t magnitude_mask = 0x3fffffffU;
    constexpr double rounding = 0x77e2, factor = 0x1p-15;
    const __m256i negative = _mm256_srai_epi32(fixed, 31);
    const __m256i upper = _mm256_srli_epi32(_mm256_and_si256(fixed, all(magnitude_mask)), fraction_bits);
    const __m256i magnitude = _mm256_and_si256(fixed, all(fraction_mask));
    // Whole numbers are negated, others complemented: the fraction ends one unit short.
    const __m256i complemented = _mm256_andnot_si256(is_zero(magnitude), negative);
    const __m256i fraction = _mm256_and_si256(_mm256_xor_si256(magnitude, complemented), all(fraction_mask));
    const __m256i negated = _mm256_sub_epi32(_mm256_xor_si256(upper, negative), negative);
    const __m256i whole = _mm256_add_epi32(negated, complemented);
    const __m256i rest = _mm256_and_si256(fraction, all(rest_mask));
    const EightNumbers sum = interpolated(exponential_segments[0], _mm256_srli_epi32(fraction, rest_bits), rest,
                                          square_without_tail(rest), {0x1p13, 1});
    const __m256i exponent = _mm256_add_epi32(whole, all(f32_bias));
    const __m256i value = packed(_mm256_setzero_si256(), exponent, cut(sum, rounding, factor));
    const __m256i nan = is_zero(_mm256_and_si256(fixed, all(fixed_infinity ^ fixed_special)));
    const __m256i limit = select(nan, all(f32_nan), _mm256_andnot_si256(negative, all(f32_infinity)));
    return select(is_zero(_mm256_and_si256(fixed, all(fixed_special))), value, limit);
  }
};

struct FixedForPower {
  static constexpr Takes takes = Takes::number;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i bits) {
    constexpr std::uint32_t integer_bits = 7;
    const __m256i sign = sign_of(bits), magnitude = magnitude_of(bits), exponent = exponent_of(magnitude);
    const __m256i significand = _mm256_or_si256(_mm256_and_si256(bits, all(fraction_mask)), all(1U << fraction_bits));
    // Shifts by 32 or more, which negative counts are too, leave nothing.
    const __m256i distance = _mm256_sub_epi32(_mm256_setzero_si256(), exponent);
    const __m256i larger = _mm256_sllv_epi32(significand, exponent);
    __m256i value = select(_mm256_srai_epi32(exponent, 31), _mm256_srlv_epi32(significand, distance), larger);
    value = select(_mm256_cmpgt_epi32(exponent, all(integer_bits - 1)), all(fixed_infinity), value);
    value = _mm256_andnot_si256(is_zero(_mm256_and_si256(bits, all(f32_infinity))), value);
    value = select(_mm256_cmpgt_epi32(magnitude, all(f32_infinity)), all(fixed_special), value);
    return _mm256_or_si256(sign, value);
  }
};

struct FixedForWave {
  static constexpr Takes takes = Takes::number;
  TESLASIM_WIDE_INLINE static __m256i of(__m256i bits) {
    constexpr std::uint32_t quadrant_and_fraction = 0x01ffffffU;
    const __m256i sign = sign_of(bits), magnitude = magnitude_of(bits), exponent = exponent_of(magnitude);
    const __m256i significand = _mm256_or_si256(_mm256_and_si256(bits, all(fraction_mask)), all(1U << fraction_bits));
    const __m256i low = turns(significand, exponent);
    const __m256i high = turns(_mm256_srli_epi64(significand, 32), _mm256_srli_epi64(exponent, 32));
    __m256i value = _mm256_or_si256(low, _mm256_slli_epi64(high, 32));
    value = _mm256_and_si256(value, all(quadrant_and_fraction));
    value = _mm256_andnot_si256(is_zero(_mm256_and_si256(bits, all(f32_infinity))), value);
    value = select(equal(magnitude, all(f32_infinity)), all(fixed_infinity), value);
    value = select(_mm256_cmpgt_epi32(magnitude, all(f32_infinity)), all(fixed_special), value);
    return _mm256_or_si256(sign, value);
  }

 private:
  /// Of the words in even lanes; the lower words of the results count.
  TESLASIM_WIDE_INLINE static __m256i turns(__m256i significand, __m256i exponent) {
    constexpr long long two_over_pi = 0xa2f983;  // times 2^-24
    constexpr int product_bits_dropped = 16, bits_below_fraction = 24 - 16;
    const __m256i lower = _mm256_set1_epi64x(0xffffffffLL);
    const __m256i product =
        _mm256_srli_epi64(_mm256_mul_epu32(significand, _mm256_set1_epi64x(two_over_pi)), product_bits_dropped);
    const __m256i right = _mm256_sub_epi32(all(bits_below_fraction), exponent);
    const __m256i left = _mm256_sub_epi32(_mm256_setzero_si256(), right);
    // Counts of 64 or more, which negative ones are too, leave nothing; 0 is in both.
    const __m256i smaller = _mm256_srlv_epi64(product, _mm256_and_si256(right, lower));
    const __m256i larger = _mm256_sllv_epi64(product, _mm256_and_si256(left, lower));
    return _mm256_and_si256(_mm256_or_si256(smaller, larger), lower);
  }
};

template <typename Function>
TESLASIM_WIDE void rows(const Instruction& instruction, LaneContext& context) {
  const SignModifier modifier(instruction.source[0]);
  const std::uint32_t* const a = context.source[0];
  alignas(row_alignment) __m256i result[warp_size / vector_lanes];
  for (unsigned i = 0; i < warp_size; i += vector_lanes) {
    __m256i operand = load(a + i);
    if constexpr (Function::takes != Takes::fixed_point)
      operand = _mm256_xor_si256(_mm256_and_si256(operand, all(modifier.keep)), all(modifier.toggle));
    if constexpr (Function::takes == Takes::flushed_number) operand = flushed(operand);
    result[i / vector_lanes] = Function::of(operand);
  }
  store_row(context, context.destination, result);
}

}  // namespace

Semantics wide_special(SpecialFunction function) {
  switch (function) {
    case SpecialFunction::reciprocal:
      return &rows<Reciprocal>;
    case SpecialFunction::reciprocal_root:
      return &rows<ReciprocalRoot>;
    case SpecialFunction::logarithm:
      return &rows<Logarithm>;
    case SpecialFunction::sine:
      return &rows<Wave<0>>;
    case SpecialFunction::cosine:
      return &rows<Wave<1>>;
    case SpecialFunction::power_of_two:
      return &rows<PowerOfTwo>;
    case SpecialFunction::fixed_for_sine:
      return &rows<FixedForWave>;
    case SpecialFunction::fixed_for_power:
      break;
  }
  return &rows<FixedForPower>;
}

#else

Semantics wide_special(SpecialFunction /*function*/) {
  return nullptr;
}

#endif

}  // namespace teslasim::semantics

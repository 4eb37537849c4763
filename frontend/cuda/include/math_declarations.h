// SPDX-License-Identifier: Apache-2.0
// The overloads of C++ for device code, declared. This must be read before <cmath>: its constexpr functions would
// otherwise count as device functions, which call the host's library.
#pragma once

#include "host_defines.h"

#define TESLASIM_EACH_UNARY(row)                                                                                  \
  row(acos) row(acosh) row(asin) row(asinh) row(atan) row(atanh) row(cbrt) row(ceil) row(cos) row(cosh) row(erf)  \
      row(erfc) row(exp) row(exp2) row(expm1) row(fabs) row(floor) row(lgamma) row(log) row(log10) row(log1p)     \
          row(log2) row(logb) row(nearbyint) row(rint) row(round) row(sin) row(sinh) row(sqrt) row(tan) row(tanh) \
              row(tgamma) row(trunc)
/// Functions of CUDA that C++ has not.
#define TESLASIM_EACH_OWN_UNARY(row) \
  row(rsqrt) row(rcbrt) row(exp10) row(sinpi) row(cospi) row(erfinv) row(erfcinv) row(erfcx)
#define TESLASIM_EACH_BINARY(row) \
  row(atan2) row(copysign) row(fdim) row(fmax) row(fmin) row(fmod) row(hypot) row(nextafter) row(pow) row(remainder)
#define TESLASIM_EACH_NAME(row)                                                                                \
  TESLASIM_EACH_UNARY(row)                                                                                     \
  TESLASIM_EACH_BINARY(row)                                                                                    \
  row(abs) row(fma) row(frexp) row(ldexp) row(scalbn) row(scalbln) row(modf) row(remquo) row(ilogb) row(lrint) \
      row(llrint) row(lround) row(llround)

#define TESLASIM_UNARY(name)           \
  TESLASIM_DEVICE float name(float x); \
  TESLASIM_DEVICE double name(double x);
#define TESLASIM_BINARY(name)                   \
  TESLASIM_DEVICE float name(float x, float y); \
  TESLASIM_DEVICE double name(double x, double y);
TESLASIM_EACH_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_BINARY(TESLASIM_BINARY)
#undef TESLASIM_UNARY
#undef TESLASIM_BINARY

#define TESLASIM_OTHERS(number)                                     \
  TESLASIM_DEVICE number abs(number x);                             \
  TESLASIM_DEVICE number fma(number x, number y, number z);         \
  TESLASIM_DEVICE number frexp(number x, int* exponent);            \
  TESLASIM_DEVICE number ldexp(number x, int exponent);             \
  TESLASIM_DEVICE number scalbn(number x, int exponent);            \
  TESLASIM_DEVICE number scalbln(number x, long exponent);          \
  TESLASIM_DEVICE number modf(number x, number* whole);             \
  TESLASIM_DEVICE number remquo(number x, number y, int* quotient); \
  TESLASIM_DEVICE int ilogb(number x);                              \
  TESLASIM_DEVICE long lrint(number x);                             \
  TESLASIM_DEVICE long long llrint(number x);                       \
  TESLASIM_DEVICE long lround(number x);                            \
  TESLASIM_DEVICE long long llround(number x);
TESLASIM_OTHERS(float)
TESLASIM_OTHERS(double)
#undef TESLASIM_OTHERS
TESLASIM_DEVICE int abs(int x);
TESLASIM_DEVICE long abs(long x);
TESLASIM_DEVICE long long abs(long long x);
TESLASIM_DEVICE float pow(float x, int y);
TESLASIM_DEVICE double pow(double x, int y);

namespace teslasim_device {
template <class T>
struct WholeNumber {
  static constexpr bool value = false;
};
template <class T>
struct AnyNumber {
  static constexpr bool value = WholeNumber<T>::value;
};
#define TESLASIM_NUMBER(kind, type)     \
  template <>                           \
  struct kind<type> {                   \
    static constexpr bool value = true; \
  };
TESLASIM_NUMBER(WholeNumber, bool)
TESLASIM_NUMBER(WholeNumber, char)
TESLASIM_NUMBER(WholeNumber, signed char)
TESLASIM_NUMBER(WholeNumber, unsigned char)
TESLASIM_NUMBER(WholeNumber, short)
TESLASIM_NUMBER(WholeNumber, unsigned short)
TESLASIM_NUMBER(WholeNumber, int)
TESLASIM_NUMBER(WholeNumber, unsigned int)
TESLASIM_NUMBER(WholeNumber, long)
TESLASIM_NUMBER(WholeNumber, unsigned long)
TESLASIM_NUMBER(WholeNumber, long long)
TESLASIM_NUMBER(WholeNumber, unsigned long long)
TESLASIM_NUMBER(AnyNumber, float)
TESLASIM_NUMBER(AnyNumber, double)
#undef TESLASIM_NUMBER
template <bool condition>
struct DoubleIf {};
template <>
struct DoubleIf<true> {
  using Type = double;
};
}  // namespace teslasim_device

// Whole numbers, and operands of two kinds, count as double.
#define TESLASIM_UNARY(name)                                                                                   \
  template <class T>                                                                                           \
  TESLASIM_DEVICE typename teslasim_device::DoubleIf<teslasim_device::WholeNumber<T>::value>::Type name(T x) { \
    return name(static_cast<double>(x));                                                                       \
  }
#define TESLASIM_BINARY(name)                                                                    \
  template <class T, class U>                                                                    \
  TESLASIM_DEVICE typename teslasim_device::DoubleIf<teslasim_device::AnyNumber<T>::value &&     \
                                                     teslasim_device::AnyNumber<U>::value>::Type \
  name(T x, U y) {                                                                               \
    return name(static_cast<double>(x), static_cast<double>(y));                                 \
  }
TESLASIM_EACH_UNARY(TESLASIM_UNARY)
TESLASIM_EACH_BINARY(TESLASIM_BINARY)
#undef TESLASIM_UNARY
#undef TESLASIM_BINARY

namespace std {
#define TESLASIM_USING(name) using ::name;
TESLASIM_EACH_NAME(TESLASIM_USING)
#undef TESLASIM_USING
}  // namespace std

// SPDX-License-Identifier: Apache-2.0
// Integers of 64 bits to float and back in all rounding modes, half precision, widened ints times 2^31: the bits that the host makes.
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "program.h"

enum { COUNT = 4096, MODES = 4 };

__noinline__ __device__ void to_floats(float* out, long long x) {
  const unsigned long long u = (unsigned long long)x;
  const float made[2 * MODES] = {__ll2float_rn(x),  __ll2float_rz(x),  __ll2float_ru(x),  __ll2float_rd(x),
                                 __ull2float_rn(u), __ull2float_rz(u), __ull2float_ru(u), __ull2float_rd(u)};
  for (int i = 0; i < 2 * MODES; ++i) out[i * COUNT] = made[i];
}

__global__ void integers_to_floats(const long long* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to_floats(out + i, in[i]);
}

__global__ void floats_to_integers(const float* in, long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  out[i] = __float2ll_rn(x);
  out[COUNT + i] = __float2ll_rz(x);
  out[2 * COUNT + i] = __float2ll_ru(x);
  out[3 * COUNT + i] = __float2ll_rd(x);
  out[4 * COUNT + i] = __float2ull_rn(x);
  out[5 * COUNT + i] = __float2ull_rz(x);
  out[6 * COUNT + i] = __float2ull_ru(x);
  out[7 * COUNT + i] = __float2ull_rd(x);
}

__global__ void halves(const float* in, unsigned short* out, float* again) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half_rn(in[i]);
  again[i] = __half2float(out[i]);
}

__host__ __device__ inline void widen(long long* out, int a, int b) {
  out[0] = (long long)(a + b) << 31;
  out[1] = (long long)a * 2147483648LL;
  out[2] = (long long)b * -2147483648LL;
  out[3] = (long long)((unsigned long long)(unsigned int)(a ^ b) << 31);
  out[4] = ((long long)(a - b) << 30) + ((long long)a << 32);
  out[5] = (long long)(short)a << 15;
}
/// abs of the smallest int is itself, as the chip's own instruction says; it is negative when it becomes 64 bits.
__global__ void widen_absolute(long long* out, int x) {
  out[0] = abs(x);
  out[1] = (unsigned)abs(x);
}
__global__ void widen_on_device(long long* out, int a, int b) {
  widen(out, a, b);
}

static const int modes[MODES] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

static unsigned long long random_bits() {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/// Whole numbers of all lengths, many of them beside a number that a float holds or half-way between two.
static long long integer(int i) {
  static const long long special[] = {0, 1, -1, LLONG_MAX, LLONG_MIN, UINT_MAX, INT_MIN, 1ll << 32, -(1ll << 32), (1ll << 32) - 1};
  if (i < (int)(sizeof(special) / sizeof(special[0]))) return special[i];
  const int bits = i % 64;
  const unsigned long long top = random_bits() >> 40 | 1ull << 24;
  const long long near = (long long)((bits > 25 ? top << (bits - 25) : top >> (25 - bits)) + (random_bits() % 3) - 1);
  return i % 2 != 0 ? near : (long long)(random_bits() >> bits) * (i % 4 == 0 ? 1 : -1);
}

static float real(int i) {
  static const float special[] = {0, -0.0f, INFINITY, -INFINITY, NAN, 0x1p63f, -0x1p63f, 0x1p64f, 0x1.fffffep63f, 0x1.fffffep62f, 0.5f, -0.5f, 1.5f, 0x1p32f};
  if (i < (int)(sizeof(special) / sizeof(special[0]))) return special[i];
  return ldexpf((float)(random_bits() >> 40) / (1 << 24) + 1, i % 70 - 3) * (i % 3 == 0 ? -1 : 1);
}

static long long signed_expected(float x) {
  if (isnan(x) || x < -0x1p63f) return LLONG_MIN;
  return x >= 0x1p63f ? LLONG_MAX : (long long)x;
}

static unsigned long long unsigned_expected(float x) {
  if (isnan(x)) return 1ull << 63;
  if (x <= 0) return 0;
  return x >= 0x1p64f ? ULLONG_MAX : (unsigned long long)x;
}

static int wrong_floats(const long long* in, const float* out) {
  int wrong = 0;
  for (int mode = 0; mode < MODES; ++mode) {
    fesetround(modes[mode]);
    for (int i = 0; i < COUNT; ++i) {
      const volatile long long x = in[i];
      const volatile unsigned long long u = (unsigned long long)x;
      const volatile float from_signed = (float)x, from_unsigned = (float)u;
      wrong += from_signed != out[mode * COUNT + i];
      wrong += from_unsigned != out[(MODES + mode) * COUNT + i];
    }
  }
  fesetround(FE_TONEAREST);
  return wrong;
}

static int wrong_integers(const float* in, const long long* out) {
  int wrong = 0;
  for (int mode = 0; mode < MODES; ++mode) {
    fesetround(modes[mode]);
    for (int i = 0; i < COUNT; ++i) {
      const volatile float x = in[i];
      const float whole = nearbyintf(x);
      wrong += signed_expected(whole) != out[mode * COUNT + i];
      wrong += unsigned_expected(whole) != (unsigned long long)out[(MODES + mode) * COUNT + i];
    }
  }
  fesetround(FE_TONEAREST);
  return wrong;
}

/// Half precision by its definition: 11 bits of precision, steps of 2^-24 below 2^-14.
static int wrong_halves(const float* in, const unsigned short* bits, const float* again) {
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    const float x = in[i];
    int exponent;
    frexpf(x, &exponent);
    const int step = exponent - 11 < -24 ? -24 : exponent - 11;
    const float rounded = isinf(x) ? x : ldexpf(nearbyintf(ldexpf(x, -step)), step);
    const float expected = fabsf(rounded) > 65504 ? copysignf(INFINITY, x) : rounded;
    wrong += isnan(x) ? !isnan(again[i]) : again[i] != expected;
    wrong += (bits[i] >> 15 != 0) != (signbit(x) != 0) && !isnan(x);
  }
  return wrong;
}

int main() {
  static long long integers[COUNT], integers_made[2 * MODES * COUNT];
  static float reals[COUNT], reals_made[2 * MODES * COUNT], again[COUNT];
  static unsigned short bits[COUNT];
  for (int i = 0; i < COUNT; ++i) integers[i] = integer(i), reals[i] = real(i);
  long long *device_integers, *device_integers_made;
  float *device_reals, *device_reals_made;
  CHECK(cudaMalloc((void**)&device_integers, sizeof(integers)));
  CHECK(cudaMalloc((void**)&device_integers_made, sizeof(integers_made)));
  CHECK(cudaMalloc((void**)&device_reals, sizeof(reals)));
  CHECK(cudaMalloc((void**)&device_reals_made, sizeof(reals_made)));
  CHECK(cudaMemcpy(device_integers, integers, sizeof(integers), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_reals, reals, sizeof(reals), cudaMemcpyHostToDevice));

  integers_to_floats<<<COUNT / 64, 64>>>(device_integers, device_reals_made);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(reals_made, device_reals_made, sizeof(reals_made), cudaMemcpyDeviceToHost));
  floats_to_integers<<<COUNT / 64, 64>>>(device_reals, device_integers_made);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(integers_made, device_integers_made, sizeof(integers_made), cudaMemcpyDeviceToHost));
  int wrong = wrong_floats(integers, reals_made);
  printf("integers to floats: %d wrong\n", wrong);
  const int wrong_whole = wrong_integers(reals, integers_made);
  printf("floats to integers: %d wrong\n", wrong_whole);

  for (int i = 20; i < COUNT; ++i) reals[i] = ldexpf(reals[i], -70 + i % 70);
  CHECK(cudaMemcpy(device_reals, reals, sizeof(reals), cudaMemcpyHostToDevice));
  halves<<<COUNT / 64, 64>>>(device_reals, (unsigned short*)device_integers, device_reals_made);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(bits, device_integers, sizeof(bits), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(again, device_reals_made, sizeof(again), cudaMemcpyDeviceToHost));
  const int wrong_half = wrong_halves(reals, bits, again);
  printf("halves: %d wrong\n", wrong_half);
  int wrong_wide = 0;
  for (int a = -70000; a < 70000; a += 20011) {
    long long expected[6], made[6];
    widen(expected, a, 3 * a + 7);
    widen_on_device<<<1, 1>>>(device_integers, a, 3 * a + 7);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(made, device_integers, sizeof(made), cudaMemcpyDeviceToHost));
    wrong_wide += memcmp(expected, made, sizeof(made)) != 0;
  }
  printf("widened integers: %d wrong\n", wrong_wide);
  long long absolute[2] = {0, 0};
  widen_absolute<<<1, 1>>>(device_integers, (int)0x80000000);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(absolute, device_integers, sizeof(absolute), cudaMemcpyDeviceToHost));
  wrong_wide += absolute[0] != -2147483647LL - 1 || absolute[1] != 2147483648LL;
  printf("the smallest integer's absolute value: %lld, unsigned %lld\n", absolute[0], absolute[1]);
  return verdict(wrong + wrong_whole + wrong_half + wrong_wide == 0);
}

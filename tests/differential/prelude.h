// SPDX-License-Identifier: Apache-2.0
// What random programs call, the same for the device and for the host: operations that are defined for all operands.
#pragma once

using s8 = signed char;
using u8 = unsigned char;
using s16 = short;
using u16 = unsigned short;
using s32 = int;
using u32 = unsigned;
using s64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

#ifdef __CUDA__
#define DEVICE static inline __attribute__((device, always_inline))
#define CALLED static __attribute__((device, noinline))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define KERNEL extern "C" __attribute__((global))
#else
#define DEVICE static inline __attribute__((always_inline))
#define CALLED static __attribute__((noinline))
#define SHARED static
#define CONSTANT static
#endif

template <typename T>
struct Around {  // a type that wraps around
  using type = u32;
};
template <>
struct Around<s64> {
  using type = u64;
};
template <>
struct Around<u64> {
  using type = u64;
};
template <typename T>
using Wrapping = typename Around<T>::type;

template <typename T>
DEVICE T add(T a, T b) {
  return (T)((Wrapping<T>)a + (Wrapping<T>)b);
}
template <typename T>
DEVICE T subtract(T a, T b) {
  return (T)((Wrapping<T>)a - (Wrapping<T>)b);
}
template <typename T>
DEVICE T multiply(T a, T b) {
  return (T)((Wrapping<T>)a * (Wrapping<T>)b);
}
template <typename T>
DEVICE T divide(T a, T b) {
  const T divisor = (T)(b | 1);
  return divisor == (T)-1 && (T)-1 < 0 ? subtract<T>(0, a) : (T)(a / divisor);
}
template <typename T>
DEVICE T rest(T a, T b) {
  const T divisor = (T)(b | 1);
  return divisor == (T)-1 && (T)-1 < 0 ? (T)0 : (T)(a % divisor);
}
template <typename T>
DEVICE T left(T a, u32 count) {
  return (T)((Wrapping<T>)a << (count & (8 * sizeof(T) - 1)));
}
template <typename T>
DEVICE T right(T a, u32 count) {
  return (T)(a >> (count & (8 * sizeof(T) - 1)));
}
template <typename T>
DEVICE T positive_zero(T a) {
  return a;
}
template <>
DEVICE f32 positive_zero(f32 a) {
  return a + 0.0F;
}
template <>
DEVICE f64 positive_zero(f64 a) {
  return a + 0.0;
}
// LLVM 14 makes `max` of `x > -0.0 ? x : -0.0`, which has another zero where x is +0.0: no zero here is negative.
template <typename T>
DEVICE T least(T a, T b) {
  const T x = positive_zero(a), y = positive_zero(b);
  return x < y ? x : y;
}
template <typename T>
DEVICE T most(T a, T b) {
  const T x = positive_zero(a), y = positive_zero(b);
  return x > y ? x : y;
}
template <typename T>
DEVICE T magnitude(T a) {
  return a < 0 ? subtract<T>(0, a) : a;
}
DEVICE u32 rotate(u32 a, u32 count) {
  return a << (count & 31) | a >> (-count & 31);
}
template <typename T>
DEVICE T high(T a, T b);
template <>
DEVICE u32 high(u32 a, u32 b) {
  return (u32)((u64)a * b >> 32);
}
template <>
DEVICE s32 high(s32 a, s32 b) {
  return (s32)((s64)a * b >> 32);
}
template <>
DEVICE u64 high(u64 a, u64 b) {
  return (u64)((unsigned __int128)a * b >> 64);
}
template <>
DEVICE s64 high(s64 a, s64 b) {
  return (s64)((__int128)a * b >> 64);
}

// Numbers that the integer can hold; NaN becomes 0.
template <typename T, typename F>
DEVICE T whole(F a) {
  return a > (F)-2e9 && a < (F)2e9 ? (T)(s32)a : (T)0;
}
template <typename F>
DEVICE u32 whole_unsigned(F a) {
  return a > (F)-0.5 && a < (F)4e9 ? (u32)a : 0U;
}
template <typename F>
DEVICE s64 whole_long(F a) {
  return a > (F)-9e18 && a < (F)9e18 ? (s64)a : 0;
}
// Variables keep a middle size: the chip has no denormal f32, and its NaNs have other bits.
DEVICE f32 keep(f32 a) {
  return a > 1e15F || a < -1e15F || (a < 1e-15F && a > -1e-15F && a != 0.0F) ? 1.25F : a;
}
DEVICE f64 keep(f64 a) {
  return a > 1e20 || a < -1e20 || (a < 1e-20 && a > -1e-20 && a != 0.0) ? 1.25 : a;
}
DEVICE f32 narrow(f64 a) {
  return a > -1e-30 && a < 1e-30 ? 0.0F : (f32)a;
}
DEVICE u32 bits(f32 a) {
  u32 word;
  __builtin_memcpy(&word, &a, 4);
  return a != a ? 0x7fffffffU : word;
}
DEVICE u64 bits(f64 a) {
  u64 word;
  __builtin_memcpy(&word, &a, 8);
  return a != a ? 0x7fffffffffffffffULL : word;
}
template <typename T>
DEVICE T bits(T a) {
  return a;
}

#ifdef __CUDA__
// LLVM 14 has no vote of its own for this level.
#define VOTE(mode)                                                             \
  DEVICE u32 vote_##mode(u32 truth) {                                          \
    u32 found;                                                                 \
    asm volatile("{ .reg .pred %%vote; setp.ne.s32 %%vote, %1, 0; vote." #mode \
                 ".pred %%vote, %%vote; selp.s32 %0, 1, 0, %%vote; }"          \
                 : "=r"(found)                                                 \
                 : "r"(truth));                                                \
    return found;                                                              \
  }
VOTE(any)
VOTE(all)
DEVICE u32 atomic_add(u32* p, u32 v) {
  return (u32)__nvvm_atom_add_gen_i((int*)p, (int)v);
}
DEVICE u64 atomic_add(u64* p, u64 v) {
  return (u64)__nvvm_atom_add_gen_ll((s64*)p, (s64)v);
}
DEVICE u32 atomic_exch(u32* p, u32 v) {
  return (u32)__nvvm_atom_xchg_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_cas(u32* p, u32 c, u32 v) {
  return (u32)__nvvm_atom_cas_gen_i((int*)p, (int)c, (int)v);
}
DEVICE u32 atomic_min(u32* p, u32 v) {
  return __nvvm_atom_min_gen_ui(p, v);
}
DEVICE u32 atomic_max(u32* p, u32 v) {
  return __nvvm_atom_max_gen_ui(p, v);
}
DEVICE u32 atomic_smin(u32* p, u32 v) {
  return (u32)__nvvm_atom_min_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_smax(u32* p, u32 v) {
  return (u32)__nvvm_atom_max_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_and(u32* p, u32 v) {
  return (u32)__nvvm_atom_and_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_or(u32* p, u32 v) {
  return (u32)__nvvm_atom_or_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_xor(u32* p, u32 v) {
  return (u32)__nvvm_atom_xor_gen_i((int*)p, (int)v);
}
DEVICE u32 atomic_inc(u32* p, u32 v) {
  return __nvvm_atom_inc_gen_ui(p, v);
}
DEVICE u32 atomic_dec(u32* p, u32 v) {
  return __nvvm_atom_dec_gen_ui(p, v);
}
#else
template <typename T>
static T swapped(T* p, T v) {
  const T old = *p;
  *p = v;
  return old;
}
static u32 atomic_add(u32* p, u32 v) {
  return swapped(p, *p + v);
}
static u64 atomic_add(u64* p, u64 v) {
  return swapped(p, *p + v);
}
static u32 atomic_exch(u32* p, u32 v) {
  return swapped(p, v);
}
static u32 atomic_cas(u32* p, u32 c, u32 v) {
  return swapped(p, *p == c ? v : *p);
}
static u32 atomic_min(u32* p, u32 v) {
  return swapped(p, least(*p, v));
}
static u32 atomic_max(u32* p, u32 v) {
  return swapped(p, most(*p, v));
}
static u32 atomic_smin(u32* p, u32 v) {
  return swapped(p, (u32)least((s32)*p, (s32)v));
}
static u32 atomic_smax(u32* p, u32 v) {
  return swapped(p, (u32)most((s32)*p, (s32)v));
}
static u32 atomic_and(u32* p, u32 v) {
  return swapped(p, *p & v);
}
static u32 atomic_or(u32* p, u32 v) {
  return swapped(p, *p | v);
}
static u32 atomic_xor(u32* p, u32 v) {
  return swapped(p, *p ^ v);
}
static u32 atomic_inc(u32* p, u32 v) {
  return swapped(p, *p >= v ? 0 : *p + 1);
}
static u32 atomic_dec(u32* p, u32 v) {
  return swapped(p, *p == 0 || *p > v ? v : *p - 1);
}
#endif

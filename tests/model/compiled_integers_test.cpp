// SPDX-License-Identifier: Apache-2.0
// Datasheet of integers of all widths in compiled PTX, with registers and with constants: what nvcc wrote and LLVM does
// not is here too (16 bits, set, slct, cnot, sad, mul24, mad24, saturation).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

__extension__ using Wide = __int128;

template <typename T>
std::string bits_word() {
  return std::to_string(8 * sizeof(T));
}
template <typename T>
std::string word() {
  return (std::is_signed_v<T> ? "s" : "u") + bits_word<T>();
}
template <typename T>
std::string constant(T value) {
  std::ostringstream text;
  text << "0x" << std::hex << (static_cast<std::uint64_t>(value) & (~std::uint64_t{0} >> (64 - 8 * sizeof(T))));
  return text.str();
}

template <typename T>
using Function = std::function<std::uint64_t(T, T, T)>;

/// %x, %y, %w hold T, %z the result; `instruction` reads them.
template <typename T>
std::string body(const std::string& instruction, const std::string& result) {
  const std::string type = word<T>();
  return ".reg ." + type + " %x, %y, %w;\n.reg ." + result + " %z;\n.reg .b64 %upper;\nshr.u64 %upper, %a, 24;\ncvt." +
         type + ".u64 %x, %a;\ncvt." + type + ".u64 %y, %b;\ncvt." + type + ".u64 %w, %upper;\n" + instruction +
         "\ncvt.u64.u" + result.substr(1) + " %r, %z;";
}

/// The same with some operands that are constants, at -O0 and -O3.
template <typename T>
void expect_operation(const std::string& name, const std::string& result, unsigned operands,
                      const Function<T>& reference, const std::string& before = "") {
  constexpr std::array<std::uint64_t, 4> corners{0, 5, std::uint64_t{1} << (8 * sizeof(T) - 1), ~std::uint64_t{0}};
  const std::array<std::string, 3> registers{"%x", "%y", "%w"};
  for (unsigned constants = 0; constants < (1U << operands); ++constants) {
    const unsigned rounds = constants == 0 ? 2 : 1;
    for (unsigned round = 0; round < rounds; ++round) {
      std::array<T, 3> fixed{};
      std::string instruction = before + name + " %z";
      for (unsigned i = 0; i < operands; ++i) {
        fixed[i] = static_cast<T>(corners[(constants * 3 + i + name.size()) % corners.size()]);
        if (!before.empty() && i == 1) fixed[i] = static_cast<T>(fixed[i] | 1);
        instruction += ", " + ((constants >> i & 1U) != 0 ? constant(fixed[i]) : registers[i]);
      }
      const auto value = [&](unsigned i, std::uint64_t bits) {
        return (constants >> i & 1U) != 0 ? fixed[i] : static_cast<T>(bits);
      };
      expect_computes(
          body<T>(instruction + ";", result),
          [&](std::uint64_t a, std::uint64_t b) {
            const T second = static_cast<T>(before.empty() ? b : b | 1U);
            return reference(value(0, a), value(1, static_cast<std::uint64_t>(second)), value(2, a >> 24U));
          },
          10, 1 + round);
    }
  }
}

template <typename T>
std::uint64_t result_bits(T value) {
  return static_cast<std::make_unsigned_t<T>>(value);
}
template <typename T>
std::uint64_t magnitude(Wide value) {
  return result_bits(static_cast<T>(value < 0 ? -value : value));
}

template <typename T>
struct Integers : ::testing::Test {};
using AllWidths =
    ::testing::Types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, AllWidths);

TYPED_TEST(Integers, sums_and_products) {
  using T = TypeParam;
  const std::string type = word<T>(), own = "u" + bits_word<T>();
  const auto of = [](auto function) {
    return [function](T x, T y, T w) { return result_bits(static_cast<T>(function(Wide{x}, Wide{y}, Wide{w}))); };
  };
  expect_operation<T>("add." + type, own, 2, of([](Wide x, Wide y, Wide) { return x + y; }));
  expect_operation<T>("sub." + type, own, 2, of([](Wide x, Wide y, Wide) { return x - y; }));
  expect_operation<T>("mul.lo." + type, own, 2, of([](Wide x, Wide y, Wide) {
                        return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y);
                      }));
  expect_operation<T>(
      "mul.hi." + type, own, 2, of([](Wide x, Wide y, Wide) {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
          __extension__ using UnsignedWide = unsigned __int128;
          return static_cast<Wide>((static_cast<UnsignedWide>(x) * static_cast<UnsignedWide>(y)) >> 64U);
        } else {
          return x * y >> (8 * sizeof(T));
        }
      }));
  expect_operation<T>("mad.hi." + type, own, 3, of([](Wide x, Wide y, Wide w) {
                        if constexpr (std::is_same_v<T, std::uint64_t>) {
                          __extension__ using UnsignedWide = unsigned __int128;
                          const UnsignedWide product = static_cast<UnsignedWide>(x) * static_cast<UnsignedWide>(y);
                          return static_cast<std::uint64_t>(product >> 64U) + static_cast<std::uint64_t>(w);
                        } else {
                          return (x * y >> (8 * sizeof(T))) + w;
                        }
                      }));
  expect_operation<T>("mad.lo." + type, own, 3, of([](Wide x, Wide y, Wide w) {
                        return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) +
                               static_cast<std::uint64_t>(w);
                      }));
}

TYPED_TEST(Integers, quotients) {
  using T = TypeParam;
  const std::string type = word<T>(), own = "u" + bits_word<T>();
  const std::string odd = "or.b" + bits_word<T>() + " %y, %y, 1;\n";
  expect_operation<T>(
      "div." + type, own, 2, [](T x, T y, T) { return result_bits(static_cast<T>(Wide{x} / Wide{y})); }, odd);
  expect_operation<T>(
      "rem." + type, own, 2, [](T x, T y, T) { return result_bits(static_cast<T>(Wide{x} % Wide{y})); }, odd);
}

TYPED_TEST(Integers, least_most_and_differences) {
  using T = TypeParam;
  const std::string type = word<T>(), own = "u" + bits_word<T>();
  expect_operation<T>("min." + type, own, 2, [](T x, T y, T) { return result_bits(std::min(x, y)); });
  expect_operation<T>("max." + type, own, 2, [](T x, T y, T) { return result_bits(std::max(x, y)); });
  expect_operation<T>("sad." + type, own, 3, [](T x, T y, T w) {
    return result_bits(static_cast<T>(static_cast<std::uint64_t>(w) + magnitude<T>(Wide{x} - Wide{y})));
  });
  if constexpr (std::is_signed_v<T>) {
    expect_operation<T>("abs." + type, own, 1, [](T x, T, T) { return magnitude<T>(Wide{x}); });
    expect_operation<T>("neg." + type, own, 1, [](T x, T, T) { return result_bits(static_cast<T>(-Wide{x})); });
  }
}

TYPED_TEST(Integers, bits_and_shifts) {
  using T = TypeParam;
  const std::string bits = "b" + bits_word<T>(), own = "u" + bits_word<T>();
  expect_operation<T>("and." + bits, own, 2, [](T x, T y, T) { return result_bits(static_cast<T>(x & y)); });
  expect_operation<T>("or." + bits, own, 2, [](T x, T y, T) { return result_bits(static_cast<T>(x | y)); });
  expect_operation<T>("xor." + bits, own, 2, [](T x, T y, T) { return result_bits(static_cast<T>(x ^ y)); });
  expect_operation<T>("not." + bits, own, 1, [](T x, T, T) { return result_bits(static_cast<T>(~x)); });
  expect_operation<T>("cnot." + bits, own, 1, [](T x, T, T) { return std::uint64_t{x == 0}; });
  const std::string count = ".reg .u32 %n;\ncvt.u32.u64 %n, %b;\nand.b32 %n, %n, 127;\n";
  constexpr unsigned width = 8 * sizeof(T);
  for (const std::string by : {"%n", "0", "3", "15", "40", "200"}) {
    const auto shifted_by = [by](std::uint64_t b) {
      return by == "%n" ? static_cast<unsigned>(b & 127U) : static_cast<unsigned>(std::stoul(by));
    };
    expect_computes(
        body<T>(count + "shl." + bits + " %z, %x, " + by + ";", own),
        [=](std::uint64_t a, std::uint64_t b) {
          const unsigned n = shifted_by(b);
          return n < width ? result_bits(static_cast<T>(a << n)) : 0;
        },
        10, 2);
    expect_computes(
        body<T>(count + "shr." + word<T>() + " %z, %x, " + by + ";", own),
        [=](std::uint64_t a, std::uint64_t b) {
          const unsigned n = std::min(shifted_by(b), 100U);
          return result_bits(static_cast<T>(Wide{static_cast<T>(a)} >> n));
        },
        10, 2);
  }
}

TYPED_TEST(Integers, comparisons_and_selections) {
  using T = TypeParam;
  using Unsigned = std::make_unsigned_t<T>;
  struct Relation {
    const char* word;
    bool (*holds)(T, T);
  };
  const auto relations = std::to_array<Relation>({
      {"eq", [](T x, T y) { return x == y; }},
      {"ne", [](T x, T y) { return x != y; }},
      {"lt", [](T x, T y) { return x < y; }},
      {"le", [](T x, T y) { return x <= y; }},
      {"gt", [](T x, T y) { return x > y; }},
      {"ge", [](T x, T y) { return x >= y; }},
      {"lo", [](T x, T y) { return static_cast<Unsigned>(x) < static_cast<Unsigned>(y); }},
      {"ls", [](T x, T y) { return static_cast<Unsigned>(x) <= static_cast<Unsigned>(y); }},
      {"hi", [](T x, T y) { return static_cast<Unsigned>(x) > static_cast<Unsigned>(y); }},
      {"hs", [](T x, T y) { return static_cast<Unsigned>(x) >= static_cast<Unsigned>(y); }},
  });
  const std::string type = word<T>();
  for (const Relation& one : relations) {
    const std::string name = std::string(one.word) + ".";
    const auto holds = one.holds;
    expect_operation<T>("set." + name + "u32." + type, "u32", 2,
                        [holds](T x, T y, T) { return std::uint64_t{holds(x, y) ? 0xffffffffU : 0U}; });
    const std::string chosen = ".reg .pred %p, %q;\nsetp." + name + type + " %p|%q, %x, %y;\nselp." + type;
    expect_computes(
        body<T>(chosen + " %z, %w, %y, %q;", "u" + bits_word<T>()),
        [holds](std::uint64_t a, std::uint64_t b) {
          return result_bits(static_cast<T>(holds(static_cast<T>(a), static_cast<T>(b)) ? b : a >> 24U));
        },
        10, 1);
  }
  expect_computes(
      body<T>(".reg .s32 %s;\ncvt.s32.u64 %s, %b;\nslct." + type + ".s32 %z, %x, %w, %s;", "u" + bits_word<T>()),
      [](std::uint64_t a, std::uint64_t b) {
        return result_bits(static_cast<T>(static_cast<std::int32_t>(b) >= 0 ? a : a >> 24U));
      },
      10, 2);
}

template <typename To, typename From>
void expect_conversion() {
  const std::string name = word<To>() + "." + word<From>(),
                    own = "u" + std::to_string(std::max<std::size_t>(16, 8 * sizeof(To)));
  const std::string source = ".reg .u" + std::to_string(std::max<std::size_t>(16, 8 * sizeof(From))) + " %s;\ncvt." +
                             (sizeof(From) == 1 ? "u16" : "u" + bits_word<From>()) + ".u64 %s, %a;\n";
  // A register wider than the result gets it extended.
  const auto kept = [](To value) {
    return sizeof(To) == 1 ? result_bits(static_cast<std::int16_t>(value)) : result_bits(value);
  };
  expect_computes(
      body<std::uint16_t>(source + "cvt." + name + " %z, %s;", own),
      [kept](std::uint64_t a, std::uint64_t) { return kept(static_cast<To>(static_cast<From>(a))); }, 10, 1);
  if constexpr (sizeof(To) < 4 && sizeof(From) < 8) {
    expect_computes(
        body<std::uint16_t>(source + "cvt.sat." + name + " %z, %s;", own),
        [kept](std::uint64_t a, std::uint64_t) {
          const Wide value = static_cast<From>(a);
          return kept(
              static_cast<To>(std::clamp<Wide>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max())));
        },
        10, 1);
  }
}
template <typename To>
void expect_conversions() {
  expect_conversion<To, std::uint8_t>();
  expect_conversion<To, std::int8_t>();
  expect_conversion<To, std::uint16_t>();
  expect_conversion<To, std::int16_t>();
  expect_conversion<To, std::uint32_t>();
  expect_conversion<To, std::int32_t>();
  expect_conversion<To, std::uint64_t>();
  expect_conversion<To, std::int64_t>();
}

TYPED_TEST(Integers, conversions) {
  expect_conversions<TypeParam>();
}
TEST(SmallIntegers, conversions) {
  expect_conversions<std::uint8_t>();
  expect_conversions<std::int8_t>();
}

template <typename T, typename W>
void expect_wide_products() {
  const std::string type = word<T>(), wide = "u" + bits_word<W>();
  expect_operation<T>("mul.wide." + type, wide, 2,
                      [](T x, T y, T) { return result_bits(static_cast<W>(W{x} * W{y})); });
  expect_computes(
      body<T>(".reg ." + wide + " %c;\ncvt." + wide + ".u64 %c, %upper;\nmad.wide." + type + " %z, %x, %y, %c;", wide),
      [](std::uint64_t a, std::uint64_t b) {
        const W product = static_cast<W>(W{static_cast<T>(a)} * W{static_cast<T>(b)});
        return result_bits(static_cast<W>(static_cast<std::uint64_t>(product) + (a >> 24U)));
      },
      10, 2);
}

TEST(WideProducts, of_16_and_32_bits) {
  expect_wide_products<std::uint16_t, std::uint32_t>();
  expect_wide_products<std::int16_t, std::int32_t>();
  expect_wide_products<std::uint32_t, std::uint64_t>();
  expect_wide_products<std::int32_t, std::int64_t>();
}

template <typename T>
void expect_products_of_24_bits() {
  const std::string type = word<T>();
  const auto product = [](T x, T y) {
    const auto cut = [](T value) {
      return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(value) << 8U) >> 8);
    };
    return Wide{cut(x)} * Wide{cut(y)};
  };
  const auto low = [product](T x, T y) { return static_cast<std::uint32_t>(product(x, y)); };
  const auto high = [product](T x, T y) { return static_cast<std::uint32_t>(product(x, y) >> 16U); };
  expect_operation<T>("mul24.lo." + type, "u32", 2, [low](T x, T y, T) { return std::uint64_t{low(x, y)}; });
  expect_operation<T>("mul24.hi." + type, "u32", 2, [high](T x, T y, T) { return std::uint64_t{high(x, y)}; });
  expect_operation<T>("mad24.lo." + type, "u32", 3, [low](T x, T y, T w) {
    return std::uint64_t{static_cast<std::uint32_t>(low(x, y) + static_cast<std::uint32_t>(w))};
  });
  expect_operation<T>("mad24.hi." + type, "u32", 3, [high](T x, T y, T w) {
    return std::uint64_t{static_cast<std::uint32_t>(high(x, y) + static_cast<std::uint32_t>(w))};
  });
}

TEST(ProductsOf24Bits, lower_and_upper_part) {
  expect_products_of_24_bits<std::uint32_t>();
  expect_products_of_24_bits<std::int32_t>();
}

TEST(Saturation, sums_stop_at_the_ends) {
  const auto clamped = [](Wide value) {
    return result_bits(static_cast<std::int32_t>(std::clamp<Wide>(value, INT32_MIN, INT32_MAX)));
  };
  expect_operation<std::int32_t>("add.sat.s32", "u32", 2,
                                 [=](auto x, auto y, auto) { return clamped(Wide{x} + Wide{y}); });
  expect_operation<std::int32_t>("sub.sat.s32", "u32", 2,
                                 [=](auto x, auto y, auto) { return clamped(Wide{x} - Wide{y}); });
  expect_operation<std::int32_t>("mad.hi.sat.s32", "u32", 3,
                                 [=](auto x, auto y, auto w) { return clamped((Wide{x} * Wide{y} >> 32) + w); });
  expect_operation<std::int32_t>("mad24.hi.sat.s32", "u32", 3, [=](auto x, auto y, auto w) {
    const auto cut = [](std::int32_t value) {
      return Wide{static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8U) >> 8};
    };
    return clamped((cut(x) * cut(y) >> 16) + w);
  });
}

/// b and a, and their words one place further: four words each. `operation` makes %s0 to %s3 of %x0 to %x3.
std::string of_four_words(const std::string& operations) {
  return "  .reg .u32 %x<4>, %s<4>;\n  .reg .u64 %h;\n  mov.b64 {%x0, %x1}, %a;\n  mov.b64 {%x2, %x3}, %b;\n" +
         operations + "  mov.b64 %r, {%s0, %s1};\n  mov.b64 %h, {%s2, %s3};\n  xor.b64 %r, %r, %h;\n";
}

__extension__ using UnsignedWide = unsigned __int128;

UnsignedWide four_words(std::uint64_t low, std::uint64_t high) {
  return UnsignedWide{high} << 64U | low;
}
UnsignedWide one_place_further(UnsignedWide value) {
  return value << 32U | value >> 96U;
}
std::uint64_t folded(UnsignedWide value) {
  return static_cast<std::uint64_t>(value) ^ static_cast<std::uint64_t>(value >> 64U);
}

TEST(CompiledCarry, goes_through_sums_of_many_words) {
  expect_computes(of_four_words("  add.cc.u32 %s0, %x0, %x3;\n  addc.cc.u32 %s1, %x1, %x0;\n"
                                "  addc.cc.u32 %s2, %x2, %x1;\n  addc.u32 %s3, %x3, %x2;\n"),
                  [](std::uint64_t a, std::uint64_t b) {
                    const UnsignedWide value = four_words(a, b);
                    return folded(value + one_place_further(value));
                  });
}

TEST(CompiledCarry, is_a_borrow_of_differences) {
  expect_computes(of_four_words("  sub.cc.u32 %s0, %x0, %x3;\n  subc.cc.u32 %s1, %x1, %x0;\n"
                                "  subc.cc.u32 %s2, %x2, %x1;\n  subc.u32 %s3, %x3, %x2;\n"),
                  [](std::uint64_t a, std::uint64_t b) {
                    const UnsignedWide value = four_words(a, b);
                    return folded(value - one_place_further(value));
                  });
}

TEST(CompiledCarry, goes_through_products) {
  expect_computes(
      of_four_words("  mul.lo.u32 %s0, %x0, %x2;\n  mul.hi.u32 %s1, %x0, %x2;\n"
                    "  mad.lo.cc.u32 %s1, %x1, %x2, %s1;\n  madc.hi.u32 %s2, %x1, %x2, 0;\n"
                    "  mov.u32 %s3, 0;\n"),
      [](std::uint64_t a, std::uint64_t b) { return folded(UnsignedWide{a} * static_cast<std::uint32_t>(b)); });
}

TEST(CompiledCarry, stays_until_the_next_one) {
  expect_computes(
      "  .reg .u32 %x, %y, %z;\n  cvt.u32.u64 %x, %a;\n  cvt.u32.u64 %y, %b;\n  add.cc.u32 %z, %x, %y;\n"
      "  mul.lo.u32 %x, %z, %y;\n  sub.u32 %y, %x, %z;\n  addc.u32 %z, %y, 0;\n  cvt.u64.u32 %r, %z;\n",
      [](std::uint64_t a, std::uint64_t b) {
        const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
        const std::uint32_t sum = x + y;
        return std::uint64_t{std::uint32_t{sum * y - sum + (sum < x ? 1U : 0U)}};
      });
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Datasheet of f32 and f64 in compiled PTX: comparisons with and without order, conversions with every rounding.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

constexpr std::uint32_t quiet = 0x7fffffffU;

/// Normal numbers of a middle size, zeros, infinities and no number.
float float_of(std::uint64_t word) {
  switch (word % 16) {
    case 0:
      return 0.0F;
    case 1:
      return -0.0F;
    case 2:
      return std::numeric_limits<float>::infinity();
    case 3:
      return -std::numeric_limits<float>::infinity();
    case 4:
      return std::numeric_limits<float>::quiet_NaN();
    case 5:
      return static_cast<float>(static_cast<std::int32_t>(word >> 32U)) * 0.5F;
    case 6:
      return static_cast<float>(static_cast<std::int32_t>(word >> 60U)) - 8.0F;
    default:
      return std::bit_cast<float>(static_cast<std::uint32_t>((word >> 8U & 0x80ffffffU) | (100 + word % 60) << 23U));
  }
}

/// Numbers whose float_of are all kinds of floats.
Words floats(unsigned seed) {
  std::mt19937_64 random(seed);
  Words words;
  for (std::size_t i = 0; i < threads; ++i) words.push_back(std::bit_cast<std::uint32_t>(float_of(random())));
  return words;
}

using FloatReference = std::function<std::uint32_t(float, float)>;

std::uint32_t bits(float value) {
  return std::isnan(value) ? quiet : std::bit_cast<std::uint32_t>(value);
}

/// %x and %y are floats, %z the word that comes out; `nan` says that any NaN will do.
void expect_floats(const std::string& instructions, const FloatReference& reference, bool nan = false) {
  const std::string body =
      ".reg .f32 %x, %y, %f;\n.reg .u32 %z, %w;\n.reg .pred %p, %q;\ncvt.u32.u64 %w, %a;\nmov.b32 %x, %w;\n"
      "cvt.u32.u64 %w, %b;\nmov.b32 %y, %w;\n" +
      instructions + "\ncvt.u64.u32 %r, %z;";
  for (const unsigned optimization : {0U, 3U}) {
    compiler::CompileOptions options;
    options.sm = 10;
    options.optimization = optimization;
    CompiledRun run(kernel_with(body), options);
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const Words a = floats(seed), b = floats(100 + seed);
      const Words results = run(a, b);
      for (std::size_t i = 0; i < threads; ++i) {
        const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(a[i]));
        const auto y = std::bit_cast<float>(static_cast<std::uint32_t>(b[i]));
        auto result = static_cast<std::uint32_t>(results[i]);
        if (nan) result = bits(std::bit_cast<float>(result));
        ASSERT_EQ(result, reference(x, y)) << instructions << "\nx " << x << ", y " << y << ", -O" << optimization;
      }
    }
  }
}

struct Relation {
  const char* word;
  bool (*holds)(float, float);
};

TEST(CompiledFloats, compare_with_and_without_order) {
  const auto relations = std::to_array<Relation>({
      {"eq", [](float x, float y) { return x == y; }},
      {"ne", [](float x, float y) { return x < y || x > y; }},
      {"lt", [](float x, float y) { return x < y; }},
      {"le", [](float x, float y) { return x <= y; }},
      {"gt", [](float x, float y) { return x > y; }},
      {"ge", [](float x, float y) { return x >= y; }},
      {"equ", [](float x, float y) { return !(x < y || x > y); }},
      {"neu", [](float x, float y) { return x != y; }},
      {"ltu", [](float x, float y) { return !(x >= y); }},
      {"leu", [](float x, float y) { return !(x > y); }},
      {"gtu", [](float x, float y) { return !(x <= y); }},
      {"geu", [](float x, float y) { return !(x < y); }},
      {"num", [](float x, float y) { return !std::isnan(x) && !std::isnan(y); }},
      {"nan", [](float x, float y) { return std::isnan(x) || std::isnan(y); }},
  });
  for (const Relation& one : relations) {
    const std::string name = one.word;
    const auto holds = one.holds;
    const FloatReference mask = [holds](float x, float y) { return holds(x, y) ? 0xffffffffU : 0U; };
    expect_floats("set." + name + ".u32.f32 %z, %x, %y;", mask);
    expect_floats("set." + name + ".f32.f32 %f, %x, %y;\nmov.b32 %z, %f;",
                  [holds](float x, float y) { return holds(x, y) ? 0x3f800000U : 0U; });
    expect_floats("setp." + name + ".f32 %p|%q, %x, %y;\nselp.u32 %z, 7, 9, %q;",
                  [holds](float x, float y) { return holds(x, y) ? 9U : 7U; });
    expect_floats("setp.lt.f32 %q, %y, 0f00000000;\nset." + name + ".and.u32.f32 %z, %x, %y, !%q;",
                  [holds](float x, float y) { return holds(x, y) && !(y < 0.0F) ? 0xffffffffU : 0U; });
    expect_floats("setp." + name +
                      ".f32 %p, %x, 0f3fc00000;\n@%p bra TAKEN;\nmov.u32 %z, 1;\nbra BOTH;\n"
                      "TAKEN: mov.u32 %z, 2;\nBOTH:",
                  [holds](float x, float) { return holds(x, 1.5F) ? 2U : 1U; });
  }
}

TEST(CompiledFloats, select_least_most_and_signs) {
  const std::string out = "\nmov.b32 %z, %f;";
  expect_floats(
      "slct.f32.f32 %f, %x, 0f40400000, %y;" + out, [](float x, float y) { return y >= 0 ? bits(x) : bits(3.0F); },
      true);
  expect_floats(
      "min.f32 %f, %x, %y;" + out,
      [](float x, float y) {
        const float least = std::fmin(x, y);
        return x == y ? bits(std::signbit(x) ? x : y) : bits(least);
      },
      true);
  expect_floats(
      "abs.f32 %f, %x;" + out, [](float x, float) { return bits(std::fabs(x)); }, true);
  expect_floats(
      "neg.f32 %f, %x;" + out, [](float x, float) { return bits(-x); }, true);
}

TEST(CompiledFloats, sums_and_products_may_saturate) {
  const std::string out = "\nmov.b32 %z, %f;";
  // As on the chip; PTX has 0 for what is no number.
  const auto clamped = [](float value) {
    if (std::isnan(value)) return quiet;
    return bits(value > 0.0F ? std::fmin(value, 1.0F) : 0.0F);
  };
  expect_floats("add.sat.f32 %f, %x, %y;" + out, [=](float x, float y) { return clamped(x + y); });
  expect_floats("sub.sat.f32 %f, %x, %y;" + out, [=](float x, float y) { return clamped(x - y); });
  expect_floats("cvt.sat.f32.f32 %f, %x;" + out, [=](float x, float) { return clamped(x); });
  expect_floats("cvt.rzi.sat.f32.f32 %f, %x;" + out, [=](float x, float) { return clamped(std::trunc(x)); });
  expect_floats("cvt.rzi.sat.s32.f32 %w, %x;\ncvt.rn.sat.f32.s32 %f, %w;" + out,
                [=](float x, float) { return std::isnan(x) ? 0U : clamped(std::trunc(x)); });
}

double rounded(double value, int mode) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const double result = std::nearbyint(value);
  std::fesetround(before);
  return result;
}

struct Mode {
  const char* word;
  int mode;
};
constexpr std::array<Mode, 4> modes{
    {{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}}};

template <typename T>
void expect_whole_numbers(const std::string& type) {
  for (const Mode& mode : modes) {
    const std::string name = "cvt." + std::string(mode.word) + "i." + type + ".f32";
    const std::string code =
        sizeof(T) == 4 ? name + " %z, %x;" : ".reg .u16 %h;\n" + name + " %h, %x;\ncvt.u32.u16 %z, %h;";
    expect_floats(code, [&](float x, float) {
      if (std::isnan(x)) return 0U;
      const double value =
          std::fmin(std::fmax(rounded(x, mode.mode), std::numeric_limits<T>::min()), std::numeric_limits<T>::max());
      const auto whole = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
      return sizeof(T) == 4 ? whole : whole & 0xffffU;
    });
  }
}

TEST(CompiledFloats, become_whole_numbers_of_all_widths) {
  expect_whole_numbers<std::uint32_t>("u32");
  expect_whole_numbers<std::int32_t>("s32");
  expect_whole_numbers<std::uint16_t>("u16");
  expect_whole_numbers<std::int16_t>("s16");
  expect_whole_numbers<std::uint8_t>("u8");
  expect_whole_numbers<std::int8_t>("s8");
}

TEST(CompiledFloats, round_to_whole_floats) {
  for (const Mode& mode : modes) {
    expect_floats(
        "cvt." + std::string(mode.word) + "i.f32.f32 %f, %x;\nmov.b32 %z, %f;",
        [&](float x, float) { return bits(static_cast<float>(rounded(x, mode.mode))); }, true);
  }
}

template <typename T>
std::uint64_t to_float(std::uint64_t word, int mode) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile T value = static_cast<T>(word);
  volatile float result = static_cast<float>(value);
  std::fesetround(before);
  return std::bit_cast<std::uint32_t>(static_cast<float>(result));
}

template <typename T>
void expect_from_whole_numbers(const std::string& type) {
  for (const Mode& mode : modes) {
    const std::string holder = sizeof(T) < 4 ? "u16" : "u32";
    expect_computes(
        ".reg ." + holder + " %x;\n.reg .f32 %f;\n.reg .u32 %z;\ncvt." + holder + ".u64 %x, %a;\ncvt." + mode.word +
            ".f32." + type + " %f, %x;\nmov.b32 %z, %f;\ncvt.u64.u32 %r, %z;",
        [&](std::uint64_t a, std::uint64_t) { return to_float<T>(a, mode.mode); }, 10, 2);
  }
}

TEST(CompiledFloats, come_from_whole_numbers_with_every_rounding) {
  expect_from_whole_numbers<std::uint32_t>("u32");
  expect_from_whole_numbers<std::int32_t>("s32");
  expect_from_whole_numbers<std::uint16_t>("u16");
  expect_from_whole_numbers<std::int16_t>("s16");
  expect_from_whole_numbers<std::uint8_t>("u8");
  expect_from_whole_numbers<std::int8_t>("s8");
}

}  // namespace
}  // namespace teslasim

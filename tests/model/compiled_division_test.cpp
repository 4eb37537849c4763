// SPDX-License-Identifier: Apache-2.0
// Datasheet of division: quotients and remainders are exact for every size of both operands.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

struct Division {
  const char* instruction;
  std::uint32_t (*reference)(std::uint32_t, std::uint32_t);
};

std::int64_t wide(std::uint32_t word) {
  return static_cast<std::int32_t>(word);
}

/// By 0 all bits are 1, as the routines of NVIDIA's compiler end.
constexpr Division divisions[] = {
    {"div.u32", [](std::uint32_t x, std::uint32_t y) { return y == 0 ? ~0U : x / y; }},
    {"rem.u32", [](std::uint32_t x, std::uint32_t y) { return y == 0 ? ~0U : x % y; }},
    {"div.s32",
     [](std::uint32_t x, std::uint32_t y) { return y == 0 ? ~0U : static_cast<std::uint32_t>(wide(x) / wide(y)); }},
    {"rem.s32",
     [](std::uint32_t x, std::uint32_t y) { return y == 0 ? ~0U : static_cast<std::uint32_t>(wide(x) % wide(y)); }}};

std::string body_of(const Division& division) {
  return std::string(".reg .u32 %x, %y, %z;\ncvt.u32.u64 %x, %a;\ncvt.u32.u64 %y, %b;\n") + division.instruction +
         " %z, %x, %y;\ncvt.u64.u32 %r, %z;";
}

/// Dividends and divisors in the order in which they are asked for, 256 at once.
void expect_exact(const Division& division, const Words& dividends, const Words& divisors) {
  compiler::CompileOptions options;
  options.sm = 10;
  CompiledRun run(kernel_with(body_of(division)), options);
  for (std::size_t at = 0; at < dividends.size(); at += threads) {
    Words a(threads), b(threads);
    for (std::size_t i = 0; i < threads; ++i) {
      a[i] = dividends[(at + i) % dividends.size()];
      b[i] = divisors[(at + i) % divisors.size()];
    }
    const Words results = run(a, b);
    for (std::size_t i = 0; i < threads; ++i)
      ASSERT_EQ(results[i], division.reference(static_cast<std::uint32_t>(a[i]), static_cast<std::uint32_t>(b[i])))
          << division.instruction << " " << a[i] << ", " << b[i];
  }
}

/// Beside powers of two, and at the ends of what signs leave.
Words corners() {
  Words words;
  for (unsigned bit = 0; bit < 32; ++bit) {
    for (const std::uint32_t near : {~0U, 0U, 1U}) words.push_back((1U << bit) + near);
  }
  for (const std::uint32_t word : {3U, 5U, 7U, 10U, 255U * 257U, 0x00ffffffU, 0x55555555U, 0xaaaaaaabU, 0xfffffffeU})
    words.push_back(word);
  return words;
}

TEST(CompiledDivision, EveryPairOfCornersIsExact) {
  Words dividends, divisors;
  for (const std::uint64_t dividend : corners()) {
    for (const std::uint64_t divisor : corners()) {
      dividends.push_back(dividend);
      divisors.push_back(divisor);
    }
  }
  for (const Division& division : divisions) expect_exact(division, dividends, divisors);
}

/// Where an estimate that is too small or too large by one shows: multiples of the divisor and their neighbours.
TEST(CompiledDivision, MultiplesOfTheDivisorAndTheirNeighboursAreExact) {
  std::mt19937 random(7);
  Words dividends, divisors;
  for (unsigned i = 0; i < 10'000; ++i) {
    const auto divisor = static_cast<std::uint32_t>(random()) >> random() % 32;
    const std::uint32_t most = divisor == 0 ? 1 : ~0U / divisor;
    const auto factor = i % 2 == 0 ? most : static_cast<std::uint32_t>(random() % (std::uint64_t{most} + 1));
    dividends.push_back((divisor * factor + static_cast<std::uint32_t>(random() % 3) - 1) & ~0U);
    divisors.push_back(divisor);
  }
  for (const Division& division : divisions) expect_exact(division, dividends, divisors);
}

TEST(CompiledDivision, RandomNumbersOfAllSizesAreExact) {
  std::mt19937 random(11);
  Words dividends, divisors;
  for (unsigned i = 0; i < 40'000; ++i) {
    dividends.push_back(static_cast<std::uint32_t>(random()) >> random() % 32);
    divisors.push_back(static_cast<std::uint32_t>(random()) >> random() % 32);
  }
  for (const Division& division : divisions) expect_exact(division, dividends, divisors);
}

/// 16 bits go the same way; 64 bits where both numbers are small.
TEST(CompiledDivision, OtherWidthsAreExactToo) {
  expect_computes(
      ".reg .u16 %x, %y, %z;\ncvt.u16.u64 %x, %a;\ncvt.u16.u64 %y, %b;\nor.b16 %y, %y, 1;\n"
      "rem.u16 %z, %x, %y;\ncvt.u64.u16 %r, %z;",
      [](auto a, auto b) {
        return std::uint64_t{static_cast<std::uint32_t>(static_cast<std::uint16_t>(a)) %
                             static_cast<std::uint32_t>(static_cast<std::uint16_t>(b) | 1U)};
      });
  expect_computes("or.b64 %b, %b, 1;\nand.b64 %a, %a, 0xffffffff;\nand.b64 %b, %b, 0xffffffff;\nrem.s64 %r, %a, %b;",
                  [](auto a, auto b) { return (a & 0xffffffffU) % ((b | 1U) & 0xffffffffU); });
}

}  // namespace
}  // namespace teslasim

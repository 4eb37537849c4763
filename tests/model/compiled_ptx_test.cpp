// SPDX-License-Identifier: Apache-2.0
// Datasheet of code that the compiler makes: what PTX says is what the chip computes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

/// %x and %y are the lower words of a and b, %z the result.
std::string words(const std::string& instruction) {
  return ".reg .u32 %x, %y, %z;\ncvt.u32.u64 %x, %a;\ncvt.u32.u64 %y, %b;\nmov.u32 %z, 0;\n" + instruction +
         "\ncvt.u64.u32 %r, %z;";
}
Reference on_words(const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& function) {
  return [function](std::uint64_t a, std::uint64_t b) {
    return std::uint64_t{function(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b))};
  };
}
std::int32_t as_signed(std::uint32_t word) {
  return static_cast<std::int32_t>(word);
}
std::int64_t as_signed(std::uint64_t word) {
  return static_cast<std::int64_t>(word);
}

TEST(CompiledPtx, multiplies_32_bits_with_16_bit_multipliers) {
  expect_computes(words("mul.lo.u32 %z, %x, %y;"), on_words([](auto x, auto y) { return x * y; }));
  expect_computes(words("mul.hi.u32 %z, %x, %y;"),
                  on_words([](auto x, auto y) { return static_cast<std::uint32_t>((std::uint64_t{x} * y) >> 32U); }));
  expect_computes(
      words("mul.hi.s32 %z, %x, %y;"), on_words([](auto x, auto y) {
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::int64_t{as_signed(x)} * as_signed(y)) >> 32U);
      }));
  expect_computes("mul.lo.u64 %r, %a, %b;", [](auto a, auto b) { return a * b; });
  expect_computes("mul.hi.u64 %r, %a, %b;", [](auto a, auto b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{a} * b) >> 64U);
  });
}

TEST(CompiledPtx, divides_without_a_divider) {
  const std::string odd = "or.b32 %y, %y, 1;\n";
  expect_computes(words(odd + "div.u32 %z, %x, %y;"), on_words([](auto x, auto y) { return x / (y | 1U); }));
  expect_computes(words(odd + "rem.u32 %z, %x, %y;"), on_words([](auto x, auto y) { return x % (y | 1U); }));
  const auto quotient = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::uint32_t>(std::int64_t{as_signed(x)} / as_signed(y | 1U));
  };
  expect_computes(words(odd + "div.s32 %z, %x, %y;"), on_words(quotient));
  expect_computes(words(odd + "rem.s32 %z, %x, %y;"), on_words([](auto x, auto y) {
                    return static_cast<std::uint32_t>(std::int64_t{as_signed(x)} % as_signed(y | 1U));
                  }));
  const std::string wide_odd = "or.b64 %b, %b, 1;\n";
  expect_computes(wide_odd + "div.u64 %r, %a, %b;", [](auto a, auto b) { return a / (b | 1U); });
  expect_computes(wide_odd + "rem.u64 %r, %a, %b;", [](auto a, auto b) { return a % (b | 1U); });
  expect_computes(wide_odd + "div.s64 %r, %a, %b;", [](auto a, auto b) {
    const std::int64_t divisor = as_signed(b | 1U);
    return divisor == -1 ? 0 - a : static_cast<std::uint64_t>(as_signed(a) / divisor);
  });
}

TEST(CompiledPtx, counts_and_cuts_bits) {
  expect_computes(words("popc.b32 %z, %x;"),
                  on_words([](auto x, auto) { return static_cast<std::uint32_t>(std::popcount(x)); }));
  expect_computes(words("clz.b32 %z, %x;"),
                  on_words([](auto x, auto) { return static_cast<std::uint32_t>(std::countl_zero(x)); }));
  expect_computes(words("bfind.u32 %z, %x;"),
                  on_words([](auto x, auto) { return static_cast<std::uint32_t>(31 - std::countl_zero(x)); }));
  expect_computes(words("brev.b32 %z, %x;"), on_words([](auto x, auto) {
                    std::uint32_t turned = 0;
                    for (unsigned bit = 0; bit < 32; ++bit) turned |= (x >> bit & 1U) << (31 - bit);
                    return turned;
                  }));
  expect_computes(words("and.b32 %y, %y, 31;\nbfe.u32 %z, %x, %y, 7;"),
                  on_words([](auto x, auto y) { return x >> (y & 31U) & 127U; }));
  expect_computes(words("and.b32 %y, %y, 15;\nbfi.b32 %z, %x, 0x12345678, %y, 9;"), on_words([](auto x, auto y) {
                    const std::uint32_t mask = 0x1ffU << (y & 15U);
                    return (0x12345678U & ~mask) | (x << (y & 15U) & mask);
                  }));
  expect_computes(".reg .u32 %n;\npopc.b64 %n, %a;\ncvt.u64.u32 %r, %n;",
                  [](auto a, auto) { return static_cast<std::uint64_t>(std::popcount(a)); });
  expect_computes(".reg .u32 %n;\nclz.b64 %n, %a;\ncvt.u64.u32 %r, %n;",
                  [](auto a, auto) { return static_cast<std::uint64_t>(std::countl_zero(a)); });
}

TEST(CompiledPtx, computes_with_64_bits_in_two_words) {
  expect_computes("add.u64 %r, %a, %b;", [](auto a, auto b) { return a + b; });
  expect_computes("sub.u64 %r, %a, %b;", [](auto a, auto b) { return a - b; });
  expect_computes("neg.s64 %r, %a;", [](auto a, auto) { return 0 - a; });
  const std::string count = ".reg .u32 %n;\ncvt.u32.u64 %n, %b;\nand.b32 %n, %n, 127;\n";
  expect_computes(count + "shl.b64 %r, %a, %n;", [](auto a, auto b) { return (b & 127U) < 64 ? a << (b & 63U) : 0; });
  expect_computes(count + "shr.u64 %r, %a, %n;", [](auto a, auto b) { return (b & 127U) < 64 ? a >> (b & 63U) : 0; });
  expect_computes(count + "shr.s64 %r, %a, %n;", [](auto a, auto b) {
    return static_cast<std::uint64_t>(as_signed(a) >> std::min<std::uint64_t>(b & 127U, 63));
  });
  expect_computes(".reg .pred %p;\nsetp.lt.s64 %p, %a, %b;\nselp.u64 %r, %a, %b, %p;",
                  [](auto a, auto b) { return as_signed(a) < as_signed(b) ? a : b; });
  expect_computes("max.u64 %r, %a, %b;", [](auto a, auto b) { return std::max(a, b); });
}

TEST(CompiledPtx, extends_what_is_smaller_than_a_word) {
  const std::string halves = ".reg .u16 %h;\ncvt.u16.u64 %h, %a;\n.reg .s32 %w;\n";
  expect_computes(halves + "cvt.s32.s16 %w, %h;\ncvt.s64.s32 %r, %w;",
                  [](auto a, auto) { return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(a)}); });
  expect_computes(halves + "cvt.s32.s8 %w, %h;\ncvt.s64.s32 %r, %w;",
                  [](auto a, auto) { return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(a)}); });
  expect_computes(halves + "mul.wide.s16 %w, %h, %h;\ncvt.s64.s32 %r, %w;", [](auto a, auto) {
    const std::int32_t half = static_cast<std::int16_t>(a);
    return static_cast<std::uint64_t>(std::int64_t{half * half});
  });
}

/// Doubles with all exponents but those below the normal range, where results are rounded twice.
TEST(CompiledPtx, divides_and_takes_roots_of_doubles_as_IEEE_says) {
  const auto body = [](const std::string& instruction) {
    return ".reg .f64 %x, %y, %z;\nmov.b64 %x, %a;\nmov.b64 %y, %b;\n" + instruction + "\nmov.b64 %r, %z;";
  };
  compiler::CompileOptions options;
  options.sm = 13;
  CompiledRun quotient(kernel_with(body("div.rn.f64 %z, %x, %y;")), options);
  CompiledRun root(kernel_with(body("abs.f64 %x, %x;\nsqrt.rn.f64 %z, %x;")), options);
  std::mt19937_64 random(7);
  const auto draw = [&] {
    Words drawn;
    for (std::size_t i = 0; i < threads; ++i)
      drawn.push_back((random() & ~(0x7ffULL << 52U)) | (523 + random() % 1000) << 52U);
    return drawn;
  };
  for (unsigned round = 0; round < 40; ++round) {
    const Words a = draw(), b = draw();
    const Words quotients = quotient(a, b), roots = root(a, b);
    for (std::size_t i = 0; i < threads; ++i) {
      const double x = std::bit_cast<double>(a[i]), y = std::bit_cast<double>(b[i]);
      if (const double expected = x / y; std::isnormal(expected)) {
        ASSERT_EQ(quotients[i], std::bit_cast<std::uint64_t>(expected)) << x << " / " << y;
      }
      ASSERT_EQ(roots[i], std::bit_cast<std::uint64_t>(std::sqrt(std::abs(x)))) << x;
    }
  }
}

TEST(CompiledPtx, doubles_with_constants) {
  using Reference = double (*)(double);
  const std::pair<const char*, Reference> cases[] = {
      {"sub.rn.f64 %z, %x, 0d412E848000000000;", [](double x) { return x - 1e6; }},
      {"sub.rn.f64 %z, 0d412E848000000000, %x;", [](double x) { return 1e6 - x; }},
      {"add.rn.f64 %z, %x, 0dC12E848000000000;", [](double x) { return x - 1e6; }},
      {"neg.f64 %z, 0d3FF8000000000000;\nmul.rn.f64 %z, %x, %z;", [](double x) { return x * -1.5; }},
      {"neg.f64 %z, %x;\nadd.rn.f64 %z, %z, 0d3FF8000000000000;", [](double x) { return 1.5 - x; }},
      {"fma.rn.f64 %z, %x, 0dBFF8000000000000, 0d4000000000000000;", [](double x) { return std::fma(x, -1.5, 2.0); }},
      {"min.f64 %z, %x, 0dC000000000000000;", [](double x) { return std::min(x, -2.0); }},
  };
  Words a;
  for (std::size_t i = 0; i < threads; ++i)
    a.push_back(std::bit_cast<std::uint64_t>(static_cast<double>(i) * 1.25 - 77));
  for (const unsigned optimization : {0U, 3U}) {
    compiler::CompileOptions options;
    options.sm = 13;
    options.optimization = optimization;
    for (const auto& [instruction, reference] : cases) {
      CompiledRun run(
          kernel_with(".reg .f64 %x, %z;\nmov.b64 %x, %a;\n" + std::string(instruction) + "\nmov.b64 %r, %z;"),
          options);
      const Words results = run(a, a);
      for (std::size_t i = 0; i < threads; ++i) {
        const double expected = reference(std::bit_cast<double>(a[i]));
        ASSERT_EQ(std::bit_cast<double>(results[i]), expected) << instruction << " at " << std::bit_cast<double>(a[i]);
      }
    }
  }
}

/// The sum of a block in shared memory, by halves, with a branch that parts threads and a barrier behind it.
TEST(CompiledPtx, threads_that_parted_meet_before_a_barrier) {
  const std::string body = R"(
  .reg .u32 %s, %d, %o, %p, %q;
  .reg .pred %idle, %more;
  shl.b32 %s, %t, 2;
  cvt.u32.u64 %p, %a;
  st.shared.u32 [%s+sums], %p;
  mov.u32 %d, 128;
AGAIN:
  bar.sync 0;
  setp.ge.u32 %idle, %t, %d;
  @%idle bra SKIP;
  shl.b32 %o, %d, 2;
  add.u32 %o, %o, %s;
  ld.shared.u32 %p, [%o+sums];
  ld.shared.u32 %q, [%s+sums];
  add.u32 %p, %p, %q;
  st.shared.u32 [%s+sums], %p;
SKIP:
  shr.u32 %d, %d, 1;
  setp.ne.u32 %more, %d, 0;
  @%more bra AGAIN;
  bar.sync 0;
  ld.shared.u32 %p, [sums];
  cvt.u64.u32 %r, %p;
)";
  for (const unsigned sm : {10U, 13U}) {
    compiler::CompileOptions options;
    options.sm = static_cast<std::uint8_t>(sm);
    // An address in shared memory is an offset: the variable's own is added by the load.
    std::string text = kernel_with(body, ".shared .align 4 .b8 sums[1024];\n");
    for (std::size_t at = text.find("+sums"); at != std::string::npos; at = text.find("+sums")) text.replace(at, 5, "");
    const std::string begin = "shl.b32 %s, %t, 2;";
    text.replace(text.find(begin), begin.size(), begin + "\n  mov.u32 %o, sums;\n  add.u32 %s, %s, %o;");
    CompiledRun run(text, options);
    const Words a = numbers(3);
    std::uint32_t sum = 0;
    for (const std::uint64_t word : a) sum += static_cast<std::uint32_t>(word);
    for (const std::uint64_t result : run(a, a)) ASSERT_EQ(result, sum) << "sm_" << sm;
  }
}

/// MIDDLE is also reached by a way that parts nobody, so threads must be told of MEET before the two ways part.
TEST(CompiledPtx, threads_meet_although_another_way_comes_in_between) {
  const std::string body = R"(
  .reg .u32 %n; .reg .pred %all, %few;
  mov.u32 %n, %ntid.x; setp.gt.u32 %all, %n, 256; mov.u64 %r, 3;
  @%all bra MIDDLE;
  setp.lt.u32 %few, %t, 16;
  @%few bra MEET;
MIDDLE: mov.u64 %r, 7;
MEET: bar.sync 0;
)";
  CompiledRun run(kernel_with(body), {});
  const Words results = run(numbers(1), numbers(2));
  for (std::size_t i = 0; i < threads; ++i) ASSERT_EQ(results[i], i < 16 ? 3U : 7U);
}

/// Euclid's algorithm: each thread leaves the loop at another turn, some in its middle.
TEST(CompiledPtx, threads_leave_loops_at_different_turns) {
  const std::string body = R"(
  .reg .pred %p;
LOOP:
  setp.eq.u32 %p, %y, 0;
  @%p bra DONE;
  rem.u32 %x, %x, %y;
  setp.eq.u32 %p, %x, 0;
  @%p bra OTHER;
  rem.u32 %y, %y, %x;
  bra LOOP;
OTHER:
  mov.u32 %x, %y;
DONE:
  mov.u32 %z, %x;
)";
  expect_computes(words(body), on_words([](auto x, auto y) {
                    while (y != 0) {
                      const std::uint32_t rest = x % y;
                      x = y;
                      y = rest;
                    }
                    return x;
                  }));
}

/// What is computed from a variable of a loop may be read behind it, after the variable has its next value.
TEST(CompiledPtx, complements_and_sums_made_in_a_loop_are_read_behind_it) {
  const std::string loop = ".reg .u32 %n;\n.reg .pred %p;\nand.b32 %n, %y, 7;\nLOOP:\n";
  const std::string turn = "setp.ne.u32 %p, %n, 0;\nsub.u32 %n, %n, 1;\n@%p bra LOOP;\n";
  expect_computes(words(loop + "not.b32 %z, %x;\nmov.u32 %x, %z;\n" + turn + "and.b32 %z, %z, 0xffff;"),
                  on_words([](auto x, auto y) { return (y % 2 == 0 ? ~x : x) & 0xffffU; }));
  const std::string table =
      ".shared .align 4 .b32 table[64];\n.reg .u32 %place;\nmov.u32 %place, table;\n"
      "st.shared.u32 [table+4], 1;\nst.shared.u32 [table+8], 2;\nst.shared.u32 [table+12], 3;\n"
      "st.shared.u32 [table+16], 4;\nst.shared.u32 [table+20], 5;\nst.shared.u32 [table+24], 6;\n"
      "st.shared.u32 [table+28], 7;\nst.shared.u32 [table+32], 8;\nst.shared.u32 [table+36], 9;\n";
  expect_computes(
      words(table + loop + "add.u32 %x, %place, 4;\nmov.u32 %place, %x;\n" + turn + "ld.shared.u32 %z, [%x];"),
      on_words([](auto, auto y) { return y % 8 + 1; }));
}

TEST(CompiledPtx, registers_that_do_not_suffice_live_in_local_memory) {
  std::string body = ".reg .u32 %v<40>;\n.reg .u32 %x, %z;\ncvt.u32.u64 %x, %a;\n";
  for (int i = 0; i < 40; ++i)
    body +=
        "xor.b32 %v" + std::to_string(i) + ", %x, " + std::to_string(i * 77 + 1) + ";\nmul.lo.u32 %x, %x, 1664525;\n";
  body += "mov.u32 %z, 0;\n";
  // Last comes first: no order of the instructions can do with few of them at a time.
  for (int i = 39; i >= 0; --i) body += "mad.lo.u32 %z, %z, 31, %v" + std::to_string(i) + ";\n";
  body += "cvt.u64.u32 %r, %z;";
  compiler::CompileOptions few, many;
  few.maximum_registers = 16;
  CompiledRun narrow(kernel_with(body), few), wide(kernel_with(body), many);
  EXPECT_LE(narrow.launch.kernel->registers, 16U);
  EXPECT_GT(narrow.launch.kernel->local_bytes, 0U);
  EXPECT_GT(wide.launch.kernel->registers, 40U);
  EXPECT_EQ(wide.launch.kernel->local_bytes, 0U);
  const Words a = numbers(5);
  EXPECT_EQ(narrow(a, a), wide(a, a));
}

TEST(CompiledPtx, doubles_are_floats_below_sm_13) {
  const std::string body = R"(
  .reg .f32 %f;
  .reg .f64 %d;
  .reg .u32 %x;
  cvt.u32.u64 %x, %a;
  and.b32 %x, %x, 0xffff;
  cvt.rn.f32.u32 %f, %x;
  cvt.f64.f32 %d, %f;
  mul.rn.f64 %d, %d, 0d3FE0000000000000;
  mov.b64 %r, %d;
)";
  expect_computes(
      body, [](auto a, auto) { return std::bit_cast<std::uint64_t>(static_cast<double>(a & 0xffffU) * 0.5); }, 10);
  expect_computes(
      body, [](auto a, auto) { return std::bit_cast<std::uint64_t>(static_cast<double>(a & 0xffffU) * 0.5); }, 13);
}

}  // namespace
}  // namespace teslasim

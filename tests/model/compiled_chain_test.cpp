// SPDX-License-Identifier: Apache-2.0
// Chains of PTX instructions of all widths, as nvcc wrote them, compute what each of them says: what one leaves in the
// unused bits of a register, or a pass thinks it knows of them, must not reach another.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <rapidcheck/gtest.h>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

__extension__ using Wide = __int128;
using Words3 = std::array<std::uint64_t, 3>;

/// One instruction: width of its result and of its sources in bits, its text up to the operands, what it computes.
struct Step {
  std::string text;
  unsigned result = 32;
  std::vector<unsigned> sources{};
  std::function<std::uint64_t(const Words3&)> compute{};
};

std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return value & (~std::uint64_t{0} >> (64 - bits));
}

template <typename T, typename Function>
Step step(const std::string& name, unsigned sources, Function function) {
  constexpr unsigned bits = 8 * sizeof(T);
  return {name, bits, std::vector<unsigned>(sources, bits), [function](const Words3& words) {
            return cut(
                static_cast<std::uint64_t>(function(Wide{static_cast<T>(words[0])}, Wide{static_cast<T>(words[1])},
                                                    Wide{static_cast<T>(words[2])})),
                bits);
          }};
}

template <typename T>
void add_steps(std::vector<Step>& steps) {
  constexpr unsigned bits = 8 * sizeof(T);
  const std::string width = std::to_string(bits), type = (std::is_signed_v<T> ? "s" : "u") + width;
  steps.push_back(step<T>("add." + type, 2, [](Wide x, Wide y, Wide) { return x + y; }));
  steps.push_back(step<T>("sub." + type, 2, [](Wide x, Wide y, Wide) { return x - y; }));
  steps.push_back(step<T>("min." + type, 2, [](Wide x, Wide y, Wide) { return std::min(x, y); }));
  steps.push_back(step<T>("max." + type, 2, [](Wide x, Wide y, Wide) { return std::max(x, y); }));
  steps.push_back(step<T>("and.b" + width, 2, [](Wide x, Wide y, Wide) { return x & y; }));
  steps.push_back(step<T>("or.b" + width, 2, [](Wide x, Wide y, Wide) { return x | y; }));
  steps.push_back(step<T>("xor.b" + width, 2, [](Wide x, Wide y, Wide) { return x ^ y; }));
  steps.push_back(step<T>("not.b" + width, 1, [](Wide x, Wide, Wide) { return ~x; }));
  steps.push_back(step<T>("cnot.b" + width, 1, [](Wide x, Wide, Wide) { return Wide{x == 0}; }));
  steps.push_back(step<T>("mov.b" + width, 1, [](Wide x, Wide, Wide) { return x; }));
  steps.push_back(step<T>("sad." + type, 3, [](Wide x, Wide y, Wide w) { return (x < y ? y - x : x - y) + w; }));
  if constexpr (bits < 64) {
    steps.push_back(step<T>("mul.lo." + type, 2, [](Wide x, Wide y, Wide) { return x * y; }));
    steps.push_back(step<T>("mul.hi." + type, 2, [](Wide x, Wide y, Wide) { return x * y >> bits; }));
    steps.push_back(step<T>("mad.lo." + type, 3, [](Wide x, Wide y, Wide w) { return x * y + w; }));
    Step wide = step<T>("mul.wide." + type, 2, [](Wide, Wide, Wide) { return Wide{0}; });
    wide.result = 2 * bits;
    wide.compute = [](const Words3& words) {
      return cut(static_cast<std::uint64_t>(Wide{static_cast<T>(words[0])} * Wide{static_cast<T>(words[1])}), 2 * bits);
    };
    steps.push_back(wide);
  }
  if constexpr (std::is_signed_v<T>) {
    steps.push_back(step<T>("neg." + type, 1, [](Wide x, Wide, Wide) { return -x; }));
    steps.push_back(step<T>("abs." + type, 1, [](Wide x, Wide, Wide) { return x < 0 ? -x : x; }));
  }
  for (const unsigned count : {1U, 7U, 15U}) {
    // The last operand stands in the text behind the sources.
    steps.push_back(
        step<T>("shr." + type + "|" + std::to_string(count), 1, [count](Wide x, Wide, Wide) { return x >> count; }));
    steps.push_back(step<T>("shl.b" + width + "|" + std::to_string(count), 1, [count](Wide x, Wide, Wide) {
      return static_cast<Wide>(static_cast<std::uint64_t>(x) << count);
    }));
  }
  for (const bool less : {true, false}) {
    Step set = step<T>(std::string("set.") + (less ? "lt" : "eq") + ".u32." + type, 2,
                       [](Wide, Wide, Wide) { return Wide{0}; });
    set.result = 32;
    set.compute = [less](const Words3& words) {
      const bool holds = less ? static_cast<T>(words[0]) < static_cast<T>(words[1])
                              : static_cast<T>(words[0]) == static_cast<T>(words[1]);
      return std::uint64_t{holds ? 0xffffffffU : 0U};
    };
    steps.push_back(set);
  }
  Step slct = step<T>("slct." + type + ".s32", 2, [](Wide, Wide, Wide) { return Wide{0}; });
  slct.sources = {bits, bits, 32};
  slct.compute = [](const Words3& words) {
    return cut(static_cast<std::int32_t>(words[2]) >= 0 ? words[0] : words[1], bits);
  };
  steps.push_back(slct);
}

template <typename To, typename From>
void add_conversion(std::vector<Step>& steps) {
  const auto name = [](bool is_signed, unsigned bits) { return (is_signed ? "s" : "u") + std::to_string(bits); };
  constexpr unsigned to = 8 * sizeof(To), from = 8 * sizeof(From);
  constexpr unsigned held = std::max(to, 16U);
  steps.push_back({"cvt." + name(std::is_signed_v<To>, to) + "." + name(std::is_signed_v<From>, from),
                   held,
                   {std::max(from, 16U)},
                   [](const Words3& words) {
                     const To value = static_cast<To>(static_cast<From>(words[0]));
                     return cut(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), held);
                   }});
}
template <typename To>
void add_conversions(std::vector<Step>& steps) {
  add_conversion<To, std::uint8_t>(steps);
  add_conversion<To, std::int8_t>(steps);
  add_conversion<To, std::uint16_t>(steps);
  add_conversion<To, std::int16_t>(steps);
  add_conversion<To, std::uint32_t>(steps);
  add_conversion<To, std::int32_t>(steps);
  add_conversion<To, std::uint64_t>(steps);
  add_conversion<To, std::int64_t>(steps);
}

std::vector<Step> all_steps() {
  std::vector<Step> steps;
  add_steps<std::uint16_t>(steps);
  add_steps<std::int16_t>(steps);
  add_steps<std::uint32_t>(steps);
  add_steps<std::int32_t>(steps);
  add_steps<std::uint64_t>(steps);
  add_steps<std::int64_t>(steps);
  add_conversions<std::uint8_t>(steps);
  add_conversions<std::int8_t>(steps);
  add_conversions<std::uint16_t>(steps);
  add_conversions<std::int16_t>(steps);
  add_conversions<std::uint32_t>(steps);
  add_conversions<std::int32_t>(steps);
  const auto of_24 = [](std::uint64_t word) { return word & 0xffffffU; };
  steps.push_back({"mul24.lo.u32", 32, {32, 32}, [of_24](const Words3& words) {
                     return cut(of_24(words[0]) * of_24(words[1]), 32);
                   }});
  steps.push_back({"mad24.lo.u32", 32, {32, 32, 32}, [of_24](const Words3& words) {
                     return cut(of_24(words[0]) * of_24(words[1]) + words[2], 32);
                   }});
  return steps;
}

constexpr std::size_t registers_of_a_width = 5;

unsigned row_of_width(unsigned bits) {
  return bits == 16 ? 0 : bits == 32 ? 1 : 2;
}

/// A random chain over five registers of each width, some of which it changes, some operands constants.
class Chain {
 public:
  explicit Chain(unsigned seed) : random_(seed), steps_(all_steps()) {
    for (unsigned i = 0; i < length; ++i) add();
  }

  [[nodiscard]] std::string body() const {
    std::string text = ".reg .b16 %h<5>;\n.reg .b32 %w<5>;\n.reg .b64 %d<5>, %s;\n";
    for (std::size_t i = 0; i < registers_of_a_width; ++i) {
      const std::string n = std::to_string(i);
      text += "shr.u64 %s, " + std::string(i % 2 == 0 ? "%a, " : "%b, ") + std::to_string(9 * i) + ";\ncvt.u16.u64 %h" +
              n + ", %s;\ncvt.u32.u64 %w" + n + ", %s;\nmov.b64 %d" + n + ", %s;\n";
    }
    text += text_;
    for (std::size_t i = 0; i < registers_of_a_width; ++i) {
      const std::string n = std::to_string(i);
      text += "mul.lo.u64 %r, %r, 31;\nxor.b64 %r, %r, %d" + n + ";\ncvt.u64.u32 %s, %w" + n +
              ";\nadd.u64 %r, %r, %s;\ncvt.u64.u16 %s, %h" + n + ";\nadd.u64 %r, %r, %s;\n";
    }
    return text;
  }

  [[nodiscard]] std::uint64_t run(std::uint64_t a, std::uint64_t b) const {
    std::array<std::array<std::uint64_t, registers_of_a_width>, 3> values{};
    for (std::size_t i = 0; i < registers_of_a_width; ++i) {
      const std::uint64_t start = (i % 2 == 0 ? a : b) >> (9 * i);
      for (const unsigned bits : {16U, 32U, 64U}) values[row_of_width(bits)][i] = cut(start, bits);
    }
    for (const Call& call : calls_) {
      Words3 words{};
      for (std::size_t i = 0; i < call.step->sources.size(); ++i)
        words[i] = call.source[i] < 0
                       ? call.constant[i]
                       : values[row_of_width(call.step->sources[i])][static_cast<std::size_t>(call.source[i])];
      values[row_of_width(call.step->result)][call.target] = call.step->compute(words);
    }
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < registers_of_a_width; ++i)
      result = ((result * 31) ^ values[2][i]) + values[1][i] + values[0][i];
    return result;
  }

 private:
  static constexpr unsigned length = 40;
  struct Call {
    const Step* step = nullptr;
    std::size_t target = 0;
    std::array<int, 3> source{};  ///< negative: the constant
    Words3 constant{};
  };

  static std::string name(unsigned bits, std::size_t number) {
    return std::string(bits == 16 ? "%h" : bits == 32 ? "%w" : "%d") + std::to_string(number);
  }

  void add() {
    Call call;
    call.step = &steps_[random_() % steps_.size()];
    call.target = random_() % registers_of_a_width;
    const std::size_t bar = call.step->text.find('|');
    std::string text = call.step->text.substr(0, bar) + " " + name(call.step->result, call.target);
    for (std::size_t i = 0; i < call.step->sources.size(); ++i) {
      const unsigned bits = call.step->sources[i];
      call.source[i] = static_cast<int>(random_() % registers_of_a_width);
      // A small constant now and then; conversions take registers.
      if (i > 0 && random_() % 4 == 0) {
        call.source[i] = -1;
        call.constant[i] = cut(random_() >> (random_() % 32), std::min(bits, 32U)) >> (32 - std::min(bits, 32U));
      }
      text += ", " + (call.source[i] < 0 ? std::to_string(call.constant[i])
                                         : name(bits, static_cast<std::size_t>(call.source[i])));
    }
    if (bar != std::string::npos) text += ", " + call.step->text.substr(bar + 1);
    text_ += text + ";\n";
    calls_.push_back(call);
  }

  std::mt19937 random_;
  std::vector<Step> steps_;
  std::vector<Call> calls_{};
  std::string text_{};
};

RC_GTEST_PROP(CompiledChains, of_instructions_of_all_widths_compute_what_each_says, ()) {
  const Chain chain(*rc::gen::arbitrary<unsigned>());
  for (const unsigned optimization : {0U, 3U}) {
    compiler::CompileOptions options;
    options.sm = 10;
    options.optimization = optimization;
    CompiledRun run(kernel_with(chain.body()), options);
    const Words a = numbers(1), b = numbers(2);
    const Words results = run(a, b);
    for (std::size_t i = 0; i < threads; ++i) RC_ASSERT(results[i] == chain.run(a[i], b[i]));
  }
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Datasheet of control flow that the compiler makes: any graph of blocks, entered and left anywhere.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

constexpr std::size_t variables = 3;
using Values = std::array<std::uint32_t, variables>;

/// v[target] = v[source] * factor + term; then on to one of two blocks, by a bit of v[tested].
struct RandomBlock {
  std::size_t target = 0, source = 0, tested = 0;
  std::uint32_t factor = 0, term = 0, bit = 0;
  std::array<std::size_t, 2> next{};  ///< the number of blocks: the end
};
using RandomGraph = std::vector<RandomBlock>;

constexpr std::uint32_t most_blocks_run = 60;

std::uint32_t run_graph(const RandomGraph& graph, std::uint32_t a, std::uint32_t b) {
  Values v{a, b, a ^ b};
  std::size_t at = 0;
  for (std::uint32_t fuel = most_blocks_run; fuel > 0 && at < graph.size(); --fuel) {
    const RandomBlock& block = graph[at];
    v[block.target] = v[block.source] * block.factor + block.term;
    at = block.next[(v[block.tested] >> block.bit & 1U) != 0 ? 0 : 1];
  }
  return v[0] ^ (v[1] * 3) ^ (v[2] * 5);
}

std::string name_of(const RandomGraph& graph, std::size_t block) {
  return block < graph.size() ? "B" + std::to_string(block) : "END";
}

std::string ptx_of(const RandomGraph& graph) {
  std::string text = R"(
  .reg .u32 %v<3>, %fuel, %w;
  .reg .pred %p;
  cvt.u32.u64 %v0, %a;
  cvt.u32.u64 %v1, %b;
  xor.b32 %v2, %v0, %v1;
  mov.u32 %fuel, )" + std::to_string(most_blocks_run) +
                     ";\n";
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const RandomBlock& block = graph[i];
    const auto variable = [](std::size_t number) { return "%v" + std::to_string(number); };
    text += name_of(graph, i) + ":\n  setp.eq.u32 %p, %fuel, 0;\n  @%p bra END;\n  sub.u32 %fuel, %fuel, 1;\n";
    text += "  mad.lo.u32 " + variable(block.target) + ", " + variable(block.source) + ", " +
            std::to_string(block.factor) + ", " + std::to_string(block.term) + ";\n";
    text += "  and.b32 %w, " + variable(block.tested) + ", " + std::to_string(1U << block.bit) + ";\n";
    text += "  setp.ne.u32 %p, %w, 0;\n  @%p bra " + name_of(graph, block.next[0]) + ";\n  bra " +
            name_of(graph, block.next[1]) + ";\n";
  }
  return text + R"(END:
  bar.sync 0;
  mul.lo.u32 %v1, %v1, 3;
  mul.lo.u32 %v2, %v2, 5;
  xor.b32 %v0, %v0, %v1;
  xor.b32 %v0, %v0, %v2;
  cvt.u64.u32 %r, %v0;
)";
}

rc::Gen<RandomGraph> graphs() {
  return rc::gen::exec([] {
    const auto size = *rc::gen::inRange<std::size_t>(2, 9);
    RandomGraph graph(size);
    for (RandomBlock& block : graph) {
      block.target = *rc::gen::inRange<std::size_t>(0, variables);
      block.source = *rc::gen::inRange<std::size_t>(0, variables);
      block.tested = *rc::gen::inRange<std::size_t>(0, variables);
      block.factor = *rc::gen::inRange<std::uint32_t>(1, 100);
      block.term = *rc::gen::inRange<std::uint32_t>(0, 1000);
      block.bit = *rc::gen::inRange<std::uint32_t>(0, 6);
      for (std::size_t& next : block.next) next = *rc::gen::inRange<std::size_t>(0, size + 1);
    }
    return graph;
  });
}

RC_GTEST_PROP(CompiledFlow, threads_take_any_graph_as_its_source_says, ()) {
  const RandomGraph graph = *graphs();
  const Words a = numbers(1), b = numbers(2);
  for (const unsigned optimization : {0U, 3U}) {
    compiler::CompileOptions options;
    options.optimization = optimization;
    const std::string text = kernel_with(ptx_of(graph));
    CompiledRun run(text, options);
    const Words results = run(a, b);
    for (std::size_t i = 0; i < threads; ++i) {
      const std::uint32_t expected =
          run_graph(graph, static_cast<std::uint32_t>(a[i]), static_cast<std::uint32_t>(b[i]));
      if (results[i] != expected) {
        RC_LOG() << text;
        RC_LOG() << "thread " << i << ", -O" << optimization << ": " << results[i] << ", should be " << expected;
        RC_FAIL("another result");
      }
    }
  }
}

}  // namespace
}  // namespace teslasim

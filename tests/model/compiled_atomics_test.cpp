// SPDX-License-Identifier: Apache-2.0
// Datasheet of atomic operations that the compiler makes.
#include <algorithm>
#include <numeric>

#include "sim/base/diagnostic.h"
#include "tests/model/compiled_run.h"

namespace teslasim {
namespace {

using namespace compiled;

compiler::CompileOptions options_for(std::uint8_t sm) {
  compiler::CompileOptions options;
  options.sm = sm;
  return options;
}

/// All threads add to one counter; the old values are all different.
TEST(CompiledAtomics, on_shared_memory_lock) {
  const std::string body = R"(
  .reg .u32 %o, %n, %m;
  mov.u32 %o, counters;
  .reg .pred %first;
  setp.ne.u32 %first, %t, 0;
  @!%first st.shared.u32 [%o], 0;
  @!%first st.shared.u32 [%o+4], 0;
  bar.sync 0;
  atom.shared.add.u32 %n, [%o], 1;
  atom.shared.max.u32 %m, [%o+4], %t;
  bar.sync 0;
  ld.shared.u32 %m, [%o+4];
  mov.b64 %r, {%n, %m};
)";
  CompiledRun run(kernel_with(body, ".shared .align 4 .b8 counters[8];\n"), options_for(12));
  Words results = run(numbers(1), numbers(2));
  std::vector<std::uint64_t> olds;
  for (const std::uint64_t result : results) {
    EXPECT_EQ(result >> 32U, threads - 1);
    olds.push_back(result & 0xffffffffU);
  }
  std::sort(olds.begin(), olds.end());
  for (std::size_t i = 0; i < threads; ++i) EXPECT_EQ(olds[i], i);
}

/// As LLVM 14 writes atomicInc on a shared variable.
const std::string open_increment = R"(
  .reg .u64 %p;
  .reg .u32 %n, %o;
  .reg .pred %first;
  mov.u32 %o, counter;
  setp.ne.u32 %first, %t, 0;
  @!%first st.shared.u32 [%o], 0;
  bar.sync 0;
  mov.u64 %p, counter;
  cvta.shared.u64 %p, %p;
  atom.inc.u32 %n, [%p], 1000;
  cvt.u64.u32 %r, %n;
)";

TEST(CompiledAtomics, without_a_space_go_where_the_pointer_points) {
  CompiledRun run(kernel_with(open_increment, ".shared .align 4 .b8 counter[4];\n"), options_for(12));
  Words results = run(numbers(1), numbers(2));
  std::sort(results.begin(), results.end());
  Words expected(threads);
  std::iota(expected.begin(), expected.end(), 0U);
  EXPECT_EQ(results, expected);
}

TEST(CompiledAtomics, on_shared_memory_need_sm_12_also_without_a_space) {
  const std::string text = kernel_with(open_increment, ".shared .align 4 .b8 counter[4];\n");
  try {
    const CompiledRun run(text, options_for(11));
    FAIL() << "sm_11 has no such operation";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().front().code, "PTX-UNSUPPORTED");
    EXPECT_EQ(error.diagnostics().front().help,
              "compile with -arch sm_12, and run it on a machine of that level: -c gt220");
  }
}

/// LLVM writes the addition of nothing, which only reads, as `or`; other 64-bit logic is refused.
TEST(CompiledAtomics, of_64_bits_that_change_nothing_are_additions) {
  CompiledRun run(kernel_with("atom.global.or.b64 %r, [%from], 0;"), options_for(12));
  const Words b = numbers(2);
  EXPECT_EQ(run(numbers(1), b), b);
  EXPECT_THROW(CompiledRun(kernel_with("atom.global.or.b64 %r, [%from], %a;"), options_for(12)), InputError);
}

}  // namespace
}  // namespace teslasim

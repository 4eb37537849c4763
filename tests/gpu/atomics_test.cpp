// SPDX-License-Identifier: Apache-2.0
// Atomic operations and locks under contention, on whole machines: what programs compute must be right, and the same to
// the last cycle for every look-ahead and any number of threads.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <set>

#include "frontend/text/assembler.h"
#include "memory/image/device_memory.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/result/digest.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

/// Buffers `in` (word i = 7 i modulo 1000) and `out` (zero).
class Contention {
 public:
  Contention(const std::string& text, unsigned blocks, unsigned threads) : blocks_(blocks), threads_(threads) {
    module_ = assemble_text(".arch sm_11\n" + text);
    in_ = memory_.allocate("in", "u32", 4 * words);
    out_ = memory_.allocate("out", "u32", 4 * words);
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint32_t value = 7 * i % 1000;
      std::memcpy(memory_.at(in_ + 4 * i), &value, 4);
    }
  }

  /// Returns the digest of statistics and results.
  std::uint64_t run(const std::string& machine, const TimingOptions& options) {
    std::memset(memory_.at(out_), 0, 4 * words);
    Launch launch;
    launch.kernel = &module_.kernels.at(0);
    launch.module = &module_;
    launch.grid = {blocks_, 1, 1};
    launch.block = {threads_, 1, 1};
    launch.shared_bytes = launch.kernel->shared_bytes;
    launch.parameters.resize(launch.kernel->parameters.size() * 4);
    const std::array<std::uint32_t, 3> values{static_cast<std::uint32_t>(in_), static_cast<std::uint32_t>(out_),
                                              blocks_};
    std::memcpy(launch.parameters.data(), values.data(), launch.parameters.size());
    launch.memory = &memory_;
    SystemCContext context(SystemCContext::Engine::left_to_the_model);
    GpuSimulator gpu(load_machine({machine}, {}).spec, options);
    const LaunchOutcome outcome = gpu.run(launch, {});
    EXPECT_EQ(outcome.statistics.status, RunStatus::ok);
    Digest digest;
    digest.add(outcome.statistics);
    digest.add("out", {memory_.at(out_), 4 * words});
    return digest.value();
  }

  [[nodiscard]] std::uint32_t in(std::uint32_t index) const { return word(in_ + 4 * index); }
  [[nodiscard]] std::uint32_t out(std::uint32_t index) const { return word(out_ + 4 * index); }
  [[nodiscard]] std::uint32_t threads() const { return blocks_ * threads_; }

 private:
  static constexpr std::uint32_t words = 8192;
  [[nodiscard]] std::uint32_t word(Address address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, memory_.at(address), 4);
    return value;
  }
  unsigned blocks_, threads_;
  Module module_;
  DeviceMemory memory_;
  Address in_ = 0, out_ = 0;
};

/// Calls `check` after each of several ways to run, which must not differ.
template <typename Check>
void in_every_way(Contention& program, Check check) {
  for (const char* machine : {"gtx280", "9800gx2"}) {
    std::set<std::uint64_t> digests;
    for (const TimingOptions& options :
         {TimingOptions{0, true, {}, 0}, TimingOptions{1, true, {}, 0}, TimingOptions{4, false, {}, 0},
          TimingOptions{8, true, {}, 7}, TimingOptions{8, true, {}, 0, false, 2}}) {
      SCOPED_TRACE(std::string(machine) + ", look-ahead " + std::to_string(options.look_ahead) + ", threads " +
                   std::to_string(options.threads));
      digests.insert(program.run(machine, options));
      check();
    }
    EXPECT_EQ(digests.size(), 1U) << "the way to run it changes something on " << machine;
  }
}

/// Every thread counts a value in one of eight bins, and takes a place of its own from a counter.
const std::string histogram = R"(
.entry histogram
{
  .param ptr in
  .param ptr out
  mov.b16 $r2.lo, %ntid.x
  and.b32 $r1, $r0, 0x0000ffff
  mad24.lo.u32.u16.u16.u32 $r1, %ctaid.x, $r2.lo, $r1
  shl.u32 $r2, $r1, 2
  add.u32 $r2, s[in], $r2
  mov.u32 $r3, g[$r2]
  and.b32 $r3, $r3, 0x00000007
  shl.u32 $r3, $r3, 2
  add.u32 $r3, s[out], $r3
  mov.b32 $r4, 1
  red.add.u32 g[$r3], $r4           // one of 8 bins
  mov.b32 $r5, s[out]
  add.u32 $r5, $r5, 64
  atom.add.u32 $r6, g[$r5], $r4     // a place for every thread
  shl.u32 $r6, $r6, 2
  add.u32 $r6, $r6, $r5
  add.u32 $r6, $r6, 64
  add.u32 $r1, $r1, 1
  mov.u32 g[$r6], $r1
  return
}
)";

TEST(Atomics, no_count_is_lost_and_no_place_given_twice) {
  Contention program(histogram, 40, 96);
  in_every_way(program, [&] {
    std::array<std::uint32_t, 8> bins{};
    for (std::uint32_t i = 0; i < program.threads(); ++i) ++bins[program.in(i)&7U];
    for (std::uint32_t bin = 0; bin < bins.size(); ++bin) EXPECT_EQ(program.out(bin), bins[bin]);
    EXPECT_EQ(program.out(16), program.threads());
    std::set<std::uint32_t> owners;
    for (std::uint32_t i = 0; i < program.threads(); ++i) owners.insert(program.out(32 + i));
    EXPECT_EQ(owners.size(), program.threads());
    EXPECT_EQ(*owners.begin(), 1U) << "a place was left empty";
    EXPECT_EQ(*owners.rbegin(), program.threads());
  });
}

/// Each block stores 32 partial results; the one that finds that it is the last adds all of them up. There is no fence
/// (decision 0016): a store has taken effect when it has been read back.
const std::string last_block = R"(
.entry last_block
{
  .param ptr in
  .param ptr out
  .param u32 blocks
  .shared last, 4
  and.b32 $r1, $r0, 0x0000ffff
  mov.u32.u16 $r2, %ctaid.x
  shl.u32 $r3, $r2, 5
  add.u32 $r3, $r3, $r1
  shl.u32 $r3, $r3, 2
  add.u32 $r4, s[in], $r3
  mov.u32 $r5, g[$r4]
  add.u32 $r3, s[out], $r3
  add.u32 $r3, $r3, 128
  mov.u32 g[$r3], $r5               // partial result, in memory when it has been read back
  mov.u32 $r6, g[$r3]
  sub.u32 $r6, $r6, $r5
  mov.b32 $r7, 0
  set.ne.u32 $p0|$o127, $r1, $r7
  mov.b32 $r8, s[blocks]
  add.u32 $r8, $r8, -1
  add.u32 $r8, $r8, $r6
  mov.b32 $r9, s[out]
@$p0.eq atom.inc.u32 $r10, g[$r9], $r8
@$p0.eq mov.b32 s[last], $r10
  bar.sync.u32 0x00000000
  mov.b32 $r10, s[last]
  set.ne.u32 $p0|$o127, $r10, $r8
@$p0.ne return
  mov.b32 $r11, 0
  shl.u32 $r3, $r1, 2
  add.u32 $r3, s[out], $r3
  add.u32 $r3, $r3, 128
  mov.b32 $r12, s[blocks]
  mov.b32 $r13, 1
next:
  mov.u32 $r5, g[$r3]
  add.u32 $r3, $r3, 128
  add.u32 $r11, $r11, $r5
  sub.u32 $p0|$r12, $r12, $r13
@$p0.ne bra.label next
  add.u32 $r9, $r9, 4
  red.add.u32 g[$r9], $r11
  return
}
)";

TEST(Atomics, the_last_block_sees_the_results_of_all_others) {
  constexpr unsigned blocks = 100;
  Contention program(last_block, blocks, 32);
  in_every_way(program, [&] {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < program.threads(); ++i) sum += program.in(i);
    EXPECT_EQ(program.out(1), sum);
    EXPECT_EQ(program.out(0), 0U) << "atom.inc returns to 0 after its limit";
  });
}

/// One thread of each block takes a ticket, waits until it is served, adds to a word that only the lock protects, and
/// serves the next.
const std::string ticket_lock = R"(
.entry ticket_lock
{
  .param ptr in
  .param ptr out
  and.b32 $r1, $r0, 0x0000ffff
  mov.b32 $r3, 0
  set.ne.u32 $p0|$o127, $r1, $r3
@$p0.ne return
  mov.b32 $r2, s[out]
  mov.b32 $r3, 1
  atom.add.u32 $r4, g[$r2], $r3
  add.u32 $r8, $r2, 256             // now serving, in another partition
  add.u32 $r9, $r2, 512             // what the lock guards, in a third
spin:
  mov.u32 $r5, g[$r8]
  sub.u32 $p0|$r5, $r5, $r4
@$p0.ne bra.label spin
  mov.u32 $r6, g[$r9]
  add.u32 $r6, $r6, $r4
  add.u32 $r6, $r6, 1
  mov.u32 g[$r9], $r6
  mov.u32 $r7, g[$r9]               // in memory when it has been read back
  sub.u32 $r7, $r7, $r6
  add.u32 $r4, $r4, 1
  add.u32 $r4, $r4, $r7
  mov.u32 g[$r8], $r4
  return
}
)";

TEST(Atomics, a_ticket_lock_lets_one_in_at_a_time) {
  constexpr std::uint32_t blocks = 60;
  Contention program(ticket_lock, blocks, 32);
  in_every_way(program, [&] {
    EXPECT_EQ(program.out(0), blocks) << "tickets";
    EXPECT_EQ(program.out(64), blocks) << "served";
    EXPECT_EQ(program.out(128), blocks * (blocks + 1) / 2) << "an addition was lost";
  });
}

}  // namespace
}  // namespace teslasim::testing

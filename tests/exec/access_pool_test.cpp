// SPDX-License-Identifier: Apache-2.0
// Accesses from issue to the registers, alone.
#include "sim/exec/access_pool.h"

#include "tests/exec/program.h"

namespace teslasim::exec_test {
namespace {

constexpr LaneMask low_lanes = 0xffffU;

struct Pool {
  Program program{"mov.b32 $r4, $r1\nmov.u32 g[$r2], $r4\nreturn"};
  ExecutionContext context;
  ResidentWarps warps{context};
  AccessPool pool{context};

  explicit Pool(MemoryEffect effect = MemoryEffect::at_partition) : context(program.launch, options(effect)) {
    warps.start_block(0, 0, 0);
  }
  static ExecutionStreamOptions options(MemoryEffect effect) {
    ExecutionStreamOptions options;
    options.memory_effect = effect;
    return options;
  }
  MemoryAccess& load_to(std::uint8_t destination, Operand::Half half = Operand::Half::full) {
    MemoryAccess& access = pool.acquire();
    access.kind = MemoryAccess::Kind::load;
    access.space = MemoryAccess::Space::global;
    access.bytes = 4;
    access.lanes = low_lanes;
    access.destination = destination;
    access.destination_half = static_cast<std::uint8_t>(half);
    access.discard_result = false;
    for (unsigned lane = 0; lane < warp_size; ++lane) access.data[0][lane] = 100 + lane;
    return access;
  }
  const std::uint32_t* row(unsigned index) { return register_row(context, warps[0], index); }
};

TEST(AccessPoolUnit, what_is_released_is_used_again) {
  Pool pool;
  MemoryAccess& first = pool.pool.acquire();
  MemoryAccess& second = pool.pool.acquire();
  EXPECT_NE(&first, &second);
  pool.pool.release(first);
  EXPECT_EQ(&pool.pool.acquire(), &first);
}

TEST(AccessPoolUnit, it_grows_when_all_are_taken) {
  Pool pool(MemoryEffect::at_issue);  // prepares one
  std::vector<MemoryAccess*> taken;
  for (unsigned i = 0; i < 5; ++i) taken.push_back(&pool.pool.acquire());
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(std::unique(taken.begin(), taken.end()), taken.end());
}

TEST(AccessPoolUnit, a_load_writes_the_lanes_that_took_part) {
  Pool pool;
  pool.pool.complete(pool.warps[0], pool.load_to(3));
  EXPECT_EQ(pool.row(3)[15], 115U);
  EXPECT_EQ(pool.row(3)[16], 0U);
}

TEST(AccessPoolUnit, a_half_is_written_beside_the_other_half) {
  Pool pool;
  pool.pool.complete(pool.warps[0], pool.load_to(3, Operand::Half::high));
  pool.pool.complete(pool.warps[0], pool.load_to(3, Operand::Half::low));
  EXPECT_EQ(pool.row(3)[2], 102U << 16U | 102U);
}

TEST(AccessPoolUnit, registers_beyond_the_allocation_are_not_written) {
  Pool pool;
  ASSERT_LT(pool.context.registers, 100U);
  pool.pool.complete(pool.warps[0], pool.load_to(100));
  EXPECT_EQ(pool.row(100)[0], 0U);
}

TEST(AccessPoolUnit, in_time_the_access_is_handed_out_and_not_performed) {
  Pool pool;
  WarpInst out;
  MemoryAccess& access = pool.load_to(3);
  pool.pool.send(pool.warps[0], access, out);
  EXPECT_EQ(out.memory, &access);
  EXPECT_EQ(pool.row(3)[0], 0U);
}

}  // namespace
}  // namespace teslasim::exec_test

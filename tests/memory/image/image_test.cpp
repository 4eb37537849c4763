// SPDX-License-Identifier: Apache-2.0
// Datasheet of device memory: buffers, guards, and the effect of one warp's access.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "memory/image/word_copies.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

TEST(DeviceMemory, buffers_are_aligned_and_separated_by_a_guard) {
  DeviceMemory memory;
  const Address a = memory.allocate("a", "f32", 100);
  const Address b = memory.allocate("b", "", 1);
  EXPECT_NE(a, 0U);
  EXPECT_EQ(a % 256, 0U);
  EXPECT_EQ(b % 256, 0U);
  EXPECT_GE(b - (a + 100), 256U);
  EXPECT_EQ(memory.find(a + 99)->name, "a");
  EXPECT_EQ(memory.find(a + 100), nullptr);
  EXPECT_EQ(memory.find(a + 98, 4), nullptr);  // reaches past the end
  EXPECT_EQ(memory.find(a - 1), nullptr);
  EXPECT_EQ(memory.find(b)->name, "b");
  EXPECT_EQ(memory.find(0), nullptr);
}

TEST(DeviceMemory, an_address_in_no_buffer_was_likely_meant_for_the_one_before_it) {
  DeviceMemory memory;
  EXPECT_EQ(memory.likely(5), nullptr);
  const Address a = memory.allocate("a", "u8", 256);
  const Address b = memory.allocate("b", "u8", 256);
  EXPECT_EQ(memory.likely(a + 256)->name, "a");
  EXPECT_EQ(memory.likely(b - 1)->name, "a") << "beyond its end, not before the start of the next";
  EXPECT_EQ(memory.likely(0)->name, "a");
  EXPECT_EQ(memory.likely(0xffffffffU)->name, "b");
}

TEST(DeviceMemory, a_released_buffer_is_no_buffer_and_its_place_can_be_taken) {
  DeviceMemory memory;
  const Address a = memory.allocate("a", "", 256);
  const Address b = memory.allocate("b", "", 256);
  EXPECT_FALSE(memory.release(a + 4)) << "no buffer begins there";
  EXPECT_TRUE(memory.release(a));
  EXPECT_FALSE(memory.release(a)) << "twice";
  EXPECT_EQ(memory.find(a), nullptr);
  memory.allocate_at(a, "c", "", 100);
  EXPECT_EQ(memory.find(a + 99)->name, "c");
  EXPECT_EQ(memory.find(a + 100), nullptr);
  EXPECT_EQ(memory.find(b)->name, "b");
  EXPECT_GT(memory.allocate("d", "", 4), b) << "allocate goes on behind all that there was";
}

TEST(DeviceMemory, cleared_bytes_are_0_and_those_around_stay) {
  DeviceMemory memory;
  constexpr std::uint64_t bytes = 5 * 4096;
  const Address start = memory.allocate("a", "", bytes);
  for (const auto& [first, count] :
       {std::pair{100U, 40U}, {4000U, 200U}, {0U, 4096U}, {1U, 3U * 4096U}, {4095U, 4097U}}) {
    std::memset(memory.at(start), 0x55, bytes);
    memory.clear(start + first, count);
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const bool is_inside = i >= first && i < first + count;
      ASSERT_EQ(std::to_integer<int>(*memory.at(start + i)), is_inside ? 0 : 0x55) << i << " of " << first;
    }
  }
}

TEST(DeviceMemory, a_buffer_that_does_not_fit_is_refused) {
  DeviceMemory memory;
  memory.allocate("large", "u8", std::uint64_t{2} << 30);
  try {
    memory.allocate("second", "u8", std::uint64_t{2} << 30);
    FAIL() << "4 GiB fit into 3";
  } catch (const InputError& error) {
    EXPECT_NE(error.diagnostics().front().message.find("'second'"), std::string::npos);
  }
}

TEST(DeviceMemory, only_touched_pages_use_host_memory) {
  const auto resident_pages = [] {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident;
  };
  DeviceMemory memory;
  const Address a = memory.allocate("a", "u8", std::uint64_t{1} << 30);
  const std::uint64_t before = resident_pages();
  *memory.at(a + (1U << 29U)) = std::byte{1};
  EXPECT_EQ(*memory.at(a + (1U << 28U)), std::byte{0});
  EXPECT_LE(resident_pages() - before, 64U);
}

MemoryAccess access(MemoryAccess::Kind kind, unsigned bytes, const std::function<Address(unsigned)>& address) {
  MemoryAccess result;
  result.kind = kind;
  result.bytes = static_cast<std::uint8_t>(bytes);
  result.lanes = all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) result.address[lane] = address(lane);
  return result;
}

TEST(Perform, only_the_lanes_of_the_transaction_take_part) {
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  MemoryAccess store = access(MemoryAccess::Kind::store, 4, [&](unsigned lane) { return base + 4 * lane; });
  for (unsigned lane = 0; lane < warp_size; ++lane) store.data[0][lane] = lane + 1;
  perform(store, 0x0000ff00, memory);
  std::array<std::uint32_t, warp_size> words{};
  std::memcpy(words.data(), memory.at(base), sizeof words);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    EXPECT_EQ(words[lane], lane >= 8 && lane < 16 ? lane + 1 : 0) << lane;
  }
}

TEST(Perform, loads_of_all_widths_extend_as_told) {
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  const std::array<std::uint32_t, 4> pattern{0x8182f384, 2, 3, 4};
  std::memcpy(memory.at(base), pattern.data(), sizeof pattern);
  const auto loaded = [&](unsigned bytes, bool sign_extend, unsigned word) {
    MemoryAccess load = access(MemoryAccess::Kind::load, bytes, [&](unsigned) { return base; });
    load.sign_extend = sign_extend;
    perform(load, all_lanes, memory);
    return load.data[word][17];
  };
  EXPECT_EQ(loaded(1, false, 0), 0x84U);
  EXPECT_EQ(loaded(1, true, 0), 0xffffff84U);
  EXPECT_EQ(loaded(2, false, 0), 0xf384U);
  EXPECT_EQ(loaded(2, true, 0), 0xfffff384U);
  EXPECT_EQ(loaded(4, true, 0), 0x8182f384U);
  EXPECT_EQ(loaded(8, false, 1), 2U);
  EXPECT_EQ(loaded(16, false, 3), 4U);
}

TEST(Perform, rows_are_found_by_half_warp) {
  const auto rows = [](unsigned bytes, const std::function<Address(unsigned)>& address) {
    MemoryAccess made = access(MemoryAccess::Kind::load, bytes, address);
    find_rows(made);
    return made;
  };
  const MemoryAccess both = rows(4, [](unsigned lane) { return 64 + 4 * lane; });
  EXPECT_EQ(both.side_by_side, (std::array{true, true}));
  EXPECT_EQ(both.first_address, (std::array<Address, 2>{64, 128}));
  const MemoryAccess tile = rows(4, [](unsigned lane) { return lane < 16 ? 4 * lane : 4096 + 4 * lane; });
  EXPECT_EQ(tile.side_by_side, (std::array{true, true})) << "two rows of a matrix";
  EXPECT_EQ(tile.first_address, (std::array<Address, 2>{0, 4160}));
  EXPECT_EQ(rows(4, [](unsigned lane) { return lane < 16 ? 4 * lane : 0; }).side_by_side, (std::array{true, false}));
  EXPECT_EQ(rows(4, [](unsigned lane) { return 4 * (lane ^ 1U); }).side_by_side, (std::array{false, false}));
  EXPECT_EQ(rows(8, [](unsigned lane) { return 8 * lane; }).side_by_side, (std::array{false, false})) << "words only";
}

TEST(Perform, consecutive_words_and_the_general_way_agree) {
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  for (std::uint32_t i = 0; i < 64; ++i) std::memcpy(memory.at(base + 4 * i), &i, 4);
  MemoryAccess fast = access(MemoryAccess::Kind::load, 4, [&](unsigned lane) { return base + 16 + 4 * lane; });
  MemoryAccess slow = fast;
  find_rows(fast);
  perform(fast, all_lanes, memory);
  perform(slow, 0x7fffffff, memory);
  perform(slow, 0x80000000, memory);
  EXPECT_EQ(fast.data[0], slow.data[0]);
  EXPECT_EQ(fast.data[0][31], 35U);
}

TEST(Perform, a_load_into_registers_changes_only_the_lanes_that_take_part) {
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  for (std::uint32_t i = 0; i < 256; ++i) std::memcpy(memory.at(base + 4 * i), &i, 4);
  for (const unsigned bytes : {4U, 8U, 16U}) {
    std::array<std::array<std::uint32_t, warp_size>, 4> registers{};
    for (auto& row : registers) row.fill(~0U);
    MemoryAccess load = access(MemoryAccess::Kind::load, bytes, [&](unsigned lane) { return base + bytes * lane; });
    load.registers = registers[0].data();
    find_rows(load);
    load.lanes = 0xfffffff0;
    perform(load, 0x0fff0fff, memory);
    for (unsigned word = 0; word < 4; ++word) {
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        const bool written = (0x0fff0ff0U >> lane & 1U) != 0 && word < bytes / 4;
        EXPECT_EQ(registers[word][lane], written ? bytes / 4 * lane + word : ~0U)
            << bytes << ' ' << word << ' ' << lane;
      }
    }
  }
}

TEST(Perform, half_a_warp_in_a_row_and_the_general_way_agree) {
  for (const LaneMask lanes : {0x0000ffffU, 0xffff0000U, 0x00ffff00U, 0x0001ffffU, 0x0ff00ff0U, 0x00005555U}) {
    for (const unsigned stride : {4U, 8U}) {  // 8: not in a row
      DeviceMemory memory;
      const Address base = memory.allocate("a", "u32", 4096);
      const auto address = [&](unsigned lane) { return base + 16 + stride * lane; };
      MemoryAccess store = access(MemoryAccess::Kind::store, 4, address);
      for (unsigned lane = 0; lane < warp_size; ++lane) store.data[0][lane] = 1000 + lane;
      find_rows(store);
      perform(store, lanes, memory);
      MemoryAccess load = access(MemoryAccess::Kind::load, 4, address);
      find_rows(load);
      load.data[0].fill(7);
      perform(load, lanes, memory);
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        const bool takes_part = (lanes >> lane & 1U) != 0;
        std::uint32_t there = 0;
        std::memcpy(&there, memory.at(address(lane)), 4);
        EXPECT_EQ(there, takes_part ? 1000 + lane : 0);
        EXPECT_EQ(load.data[0][lane], takes_part ? 1000 + lane : 7);
      }
    }
  }
}

TEST(Perform, local_memory_took_effect_when_it_issued) {
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  MemoryAccess store = access(MemoryAccess::Kind::store, 4, [&](unsigned lane) { return base + 4 * lane; });
  store.space = MemoryAccess::Space::local;
  store.data[0].fill(7);
  perform(store, all_lanes, memory);
  EXPECT_EQ(*memory.at(base), std::byte{0});
}

TEST(Perform, atomics_of_64_bits_add_exchange_and_compare) {
  constexpr std::uint8_t add = 0, exchange = 1, compare_and_swap = 2, maximum = 6;
  const auto result = [](std::uint8_t operation, std::uint64_t old, std::uint64_t operand, std::uint64_t second) {
    DeviceMemory memory;
    const Address base = memory.allocate("a", "u64", 4096);
    std::memcpy(memory.at(base), &old, 8);
    MemoryAccess atomic = access(MemoryAccess::Kind::atomic, 8, [&](unsigned) { return base; });
    atomic.operation = operation;
    for (unsigned word = 0; word < 2; ++word) {
      atomic.data[word].fill(static_cast<std::uint32_t>(operand >> (32 * word)));
      atomic.data[word + 2].fill(static_cast<std::uint32_t>(second >> (32 * word)));
    }
    perform(atomic, 1, memory);
    EXPECT_EQ(atomic.data[0][0] | std::uint64_t{atomic.data[1][0]} << 32U, old);
    std::uint64_t value = 0;
    std::memcpy(&value, memory.at(base), 8);
    return value;
  };
  EXPECT_EQ(result(add, 0xffffffffU, 1, 0), 0x100000000U);
  EXPECT_EQ(result(exchange, 1, 0x123456789abU, 0), 0x123456789abU);
  EXPECT_EQ(result(compare_and_swap, 5, 5, 0x900000000U), 0x900000000U);
  EXPECT_EQ(result(compare_and_swap, 5, 6, 9), 5U);
  EXPECT_EQ(result(maximum, 5, 6, 0), 5U);  // does not exist on 64 bits: memory stays
}

RC_GTEST_PROP(Perform, lanes_of_an_atomic_add_see_each_other_in_order, (std::vector<std::uint32_t> operands)) {
  operands.resize(warp_size);
  DeviceMemory memory;
  const Address base = memory.allocate("a", "u32", 4096);
  MemoryAccess atomic = access(MemoryAccess::Kind::atomic, 4, [&](unsigned lane) { return base + lane % 3 * 4; });
  for (unsigned lane = 0; lane < warp_size; ++lane) atomic.data[0][lane] = operands[lane];
  perform(atomic, all_lanes, memory);
  std::array<std::uint32_t, 3> sums{};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    RC_ASSERT(atomic.data[0][lane] == sums[lane % 3]);
    sums[lane % 3] += operands[lane];
  }
  RC_ASSERT(std::memcmp(memory.at(base), sums.data(), sizeof sums) == 0);
}

RC_GTEST_PROP(Perform, beside_other_threads_does_what_it_does_alone, ()) {
  const auto bytes = static_cast<std::uint8_t>(1U << *rc::gen::inRange(0, 5));
  const auto kind = *rc::gen::element(MemoryAccess::Kind::load, MemoryAccess::Kind::store);
  const unsigned step = *rc::gen::inRange(1U, 4U);
  std::array<DeviceMemory, 2> memory;
  std::array<MemoryAccess, 2> accesses;
  const auto lanes = *rc::gen::element(all_lanes, LaneMask{0xffff}, *rc::gen::arbitrary<LaneMask>());
  for (unsigned i = 0; i < 2; ++i) {
    const Address base = memory[i].allocate("a", "u8", 4096);
    for (unsigned k = 0; k < 4096; ++k) *memory[i].at(base + k) = static_cast<std::byte>(k * 37 >> 3);
    accesses[i] = access(kind, bytes, [&](unsigned lane) { return base + lane * step * bytes; });
    accesses[i].lanes = lanes;
    accesses[i].sign_extend = step == 1;
    for (unsigned word = 0; word < 4; ++word) {
      for (unsigned lane = 0; lane < warp_size; ++lane) accesses[i].data[word][lane] = 0x9e3779b9U * (lane + 32 * word);
    }
    find_rows(accesses[i]);
  }
  perform(accesses[0], all_lanes, memory[0]);
  perform_beside_others(accesses[1], memory[1]);
  RC_ASSERT(accesses[0].data == accesses[1].data);
  const Address base = memory[0].buffers().front().address;
  RC_ASSERT(std::memcmp(memory[0].at(base), memory[1].at(base), 4096) == 0);
}

TEST(SharedWords, at_odd_places_are_copied_by_halves_and_bytes) {
  alignas(4) std::array<std::byte, 16> memory{};
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<std::byte>(k);
  for (std::size_t at = 0; at < 8; ++at) {
    std::uint32_t word = 0;
    SharedWords::load(&word, &memory[at], sizeof word);
    EXPECT_EQ(std::memcmp(&word, &memory[at], sizeof word), 0) << at;
    const std::uint16_t half = 0xbeef;
    std::array<std::byte, 16> expected = memory;
    std::memcpy(&expected[at], &half, sizeof half);
    SharedWords::store(&memory[at], &half, sizeof half);
    EXPECT_EQ(memory, expected) << at;
  }
}

}  // namespace
}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Datasheet of footprints: which accesses of two threads of the host meet, and how memory is put back.
#include "memory/image/memory_footprint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <vector>

#include "memory/image/device_memory.h"

namespace teslasim {
namespace {

constexpr std::uint64_t end = 1U << 20U;

MemoryAccess access(MemoryAccess::Kind kind, Address first, unsigned step, std::uint8_t bytes = 4,
                    LaneMask lanes = all_lanes) {
  MemoryAccess result;
  result.kind = kind;
  result.bytes = bytes;
  result.lanes = lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) result.address[lane] = first + lane * step;
  find_rows(result);
  return result;
}
constexpr auto load = MemoryAccess::Kind::load;
constexpr auto store = MemoryAccess::Kind::store;

struct TwoThreads {
  DeviceMemory memory;
  PageImages images{memory, end};
  std::vector<MemoryFootprint> threads;
  TwoThreads() {
    threads.reserve(2);
    threads.emplace_back(end, images);
    threads.emplace_back(end, images);
  }
  [[nodiscard]] bool independent() const {
    return MemoryFootprint::are_independent(std::array{&threads[0], &threads[1]});
  }
};

TEST(MemoryFootprint, reads_of_one_word_do_not_meet) {
  TwoThreads both;
  both.threads[0].note(access(load, 4096, 4));
  both.threads[1].note(access(load, 4096, 4));
  EXPECT_TRUE(both.independent());
}

TEST(MemoryFootprint, a_write_meets_reads_and_writes_of_the_word) {
  for (const auto kind : {load, store}) {
    for (const unsigned writer : {0U, 1U}) {
      TwoThreads both;
      both.threads[writer].note(access(store, 8192, 4));
      both.threads[1 - writer].note(access(kind, 8192 + 4 * 31, 4));
      EXPECT_FALSE(both.independent());
    }
  }
}

TEST(MemoryFootprint, neighbours_do_not_meet_but_bytes_of_a_word_do) {
  TwoThreads words;
  words.threads[0].note(access(store, 8192, 4));
  words.threads[1].note(access(store, 8192 + 128, 4));
  EXPECT_TRUE(words.independent());
  TwoThreads bytes;
  bytes.threads[0].note(access(store, 8192, 0, 1, 1));
  bytes.threads[1].note(access(store, 8193, 0, 1, 1));
  EXPECT_FALSE(bytes.independent());
}

TEST(MemoryFootprint, a_thread_may_meet_itself) {
  TwoThreads both;
  both.threads[0].note(access(store, 8192, 4));
  both.threads[0].note(access(load, 8192, 4));
  EXPECT_TRUE(both.independent());
}

TEST(MemoryFootprint, knows_ranges_that_were_written) {
  TwoThreads both;
  both.threads[0].note(access(store, 8192, 4, 4, 0x80000000U));
  EXPECT_TRUE(both.threads[0].wrote_in(8192, 128));
  EXPECT_FALSE(both.threads[0].wrote_in(8192, 124));
  EXPECT_FALSE(both.threads[0].wrote_in(8192 + 128, 128));
}

TEST(PageImages, put_back_what_was_written) {
  DeviceMemory memory;
  const Address data = memory.allocate("data", "u32", 64 * 1024);
  std::memset(memory.at(data), 0x5a, 64 * 1024);
  PageImages images(memory, data + 64 * 1024);
  images.keep(data + 4090, 16);  // two pages
  std::memset(memory.at(data + 4090), 0, 16);
  images.keep(data + 4090, 16);
  images.restore();
  for (unsigned i = 0; i < 64 * 1024; ++i) ASSERT_EQ(*memory.at(data + i), std::byte{0x5a}) << i;
}

/// Against sets of words.
RC_GTEST_PROP(MemoryFootprint, finds_exactly_the_words_that_meet, ()) {
  const auto count = *rc::gen::inRange(1, 8);
  TwoThreads both;
  std::array<std::set<std::uint32_t>, 2> read, written;
  for (int i = 0; i < count; ++i) {
    const auto thread = *rc::gen::inRange<std::size_t>(0, 2);
    const auto bytes = *rc::gen::element<std::uint8_t>(1, 2, 4, 8, 16);
    const unsigned first = 4096 + *rc::gen::inRange(0U, 600U) * 16;
    const unsigned step = *rc::gen::element(0U, 1U, 4U) * bytes;
    const bool writes = *rc::gen::inRange(0, 3) == 0;
    const auto lanes = *rc::gen::arbitrary<LaneMask>();
    const MemoryAccess one = access(writes ? store : load, first, step, bytes, lanes);
    both.threads[thread].note(one);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((lanes >> lane & 1U) == 0) continue;
      for (unsigned byte = 0; byte < bytes; ++byte) {
        (writes ? written : read)[thread].insert((one.address[lane] + byte) / 4);
      }
    }
  }
  bool meet = false;
  for (const std::size_t thread : {std::size_t{0}, std::size_t{1}}) {
    for (const std::uint32_t word : written[thread]) {
      meet = meet || read[1 - thread].contains(word) || written[1 - thread].contains(word);
    }
  }
  RC_ASSERT(both.independent() == !meet);
}

}  // namespace
}  // namespace teslasim

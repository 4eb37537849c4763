// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstring>
#include <map>

namespace teslasim::cudart {
namespace {

constexpr std::uint64_t capacity = 1U << 20U;

const void* pointer(std::uint64_t address) {
  return std::bit_cast<const void*>(std::uintptr_t{address});
}

TEST(DeviceHeap, buffers_begin_at_multiples_of_256_with_a_guard_between) {
  DeviceHeap heap(capacity);
  const Address first = heap.allocate(1, "cudaMalloc", {}).value();
  const Address second = heap.allocate(256, "cudaMalloc", {}).value();
  EXPECT_NE(first, 0U);
  EXPECT_EQ(first % 256, 0U);
  EXPECT_EQ(second % 256, 0U);
  EXPECT_GE(second - first, 512U);
}

TEST(DeviceHeap, a_pointer_into_a_buffer_is_found_as_far_as_the_buffer_goes) {
  DeviceHeap heap(capacity);
  const Address start = heap.allocate(1000, "cudaMalloc", {}).value();
  EXPECT_EQ(heap.find(pointer(start + 400), 600), start + 400);
  EXPECT_FALSE(heap.find(pointer(start + 400), 601));
  EXPECT_FALSE(heap.find(pointer(std::uint64_t{start} + (std::uint64_t{1} << 32U)), 1)) << "the upper half counts";
  EXPECT_FALSE(heap.find(&heap, 1)) << "an address of the host";
}

TEST(DeviceHeap, kernels_may_reach_what_lies_around_buffers_and_the_host_may_not) {
  DeviceHeap heap(capacity, DeviceHeap::Reach::board);
  const Address buffer = heap.allocate(256, "cudaMalloc", {}).value();
  EXPECT_NE(nullptr, heap.memory().find(buffer - 4096, 4));
  EXPECT_NE(nullptr, heap.memory().find(buffer + 256, 4));
  EXPECT_EQ(nullptr, heap.memory().find(0, 4));
  EXPECT_TRUE(heap.find(pointer(buffer), 256).has_value());
  EXPECT_FALSE(heap.find(pointer(buffer), 257).has_value());
  heap.clear();
  EXPECT_EQ(0U, heap.used());
  EXPECT_FALSE(heap.find(pointer(buffer), 1).has_value());
}

TEST(DeviceHeap, the_board_is_full_at_its_capacity) {
  DeviceHeap heap(capacity);
  EXPECT_FALSE(heap.allocate(capacity + 1, "cudaMalloc", {}));
  const Address all = heap.allocate(capacity, "cudaMalloc", {}).value();
  EXPECT_FALSE(heap.allocate(1, "cudaMalloc", {}));
  EXPECT_TRUE(heap.release(all));
  EXPECT_TRUE(heap.allocate(capacity, "cudaMalloc", {}));
}

TEST(DeviceHeap, a_buffer_is_given_back_once_and_by_its_start) {
  DeviceHeap heap(capacity);
  const Address start = heap.allocate(1000, "cudaMalloc", {}).value();
  EXPECT_FALSE(heap.release(start + 4));
  EXPECT_TRUE(heap.release(start));
  EXPECT_FALSE(heap.release(start));
  EXPECT_FALSE(heap.find(pointer(start), 1));
  EXPECT_EQ(heap.used(), 0U);
}

TEST(DeviceHeap, a_place_is_used_again_and_reads_as_zeros) {
  DeviceHeap heap(capacity);
  const Address start = heap.allocate(10000, "cudaMalloc", {}).value();
  std::memset(heap.at(start), 0xff, 10000);
  ASSERT_TRUE(heap.release(start));
  EXPECT_EQ(heap.allocate(10000, "cudaMalloc", {}), start);
  for (unsigned i = 0; i < 10000; ++i) ASSERT_EQ(*heap.at(start + i), std::byte{0}) << i;
}

TEST(DeviceHeap, messages_name_the_call_that_made_a_buffer) {
  DeviceHeap heap(capacity);
  const Address start = heap.allocate(100, "cudaMalloc", {"main.cu", 41}).value();
  EXPECT_NE(heap.describe(pointer(start + 612)).find("512 B after the end of 'cudaMalloc at main.cu:41'"),
            std::string::npos)
      << heap.describe(pointer(start + 612));
  EXPECT_NE(heap.describe(&heap).find("an address of the host"), std::string::npos);
}

// Whatever was allocated and freed in whatever order: buffers are apart, and what is in use adds up.
RC_GTEST_PROP(DeviceHeap, buffers_never_touch, (const std::vector<std::uint16_t>& steps)) {
  DeviceHeap heap(capacity);
  std::map<Address, std::uint64_t> alive;
  std::uint64_t used = 0;
  for (const std::uint16_t step : steps) {
    if (step % 3 == 0 && !alive.empty()) {
      const auto victim = std::next(alive.begin(), step % static_cast<std::ptrdiff_t>(alive.size()));
      used -= victim->second;
      RC_ASSERT(heap.release(victim->first));
      alive.erase(victim);
      continue;
    }
    const std::uint64_t bytes = 1 + step % 3000U;
    const std::optional<Address> address = heap.allocate(bytes, "cudaMalloc", {});
    if (!address) continue;
    alive[*address] = bytes;
    used += bytes;
  }
  RC_ASSERT(heap.used() == used);
  std::uint64_t end = 0;
  for (const auto& [address, bytes] : alive) {
    RC_ASSERT(address % 256 == 0U);
    RC_ASSERT(address >= end + 256);
    RC_ASSERT(heap.find(pointer(address), bytes) == address);
    end = address + bytes;
  }
}

}  // namespace
}  // namespace teslasim::cudart

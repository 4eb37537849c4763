// SPDX-License-Identifier: Apache-2.0
// Events, streams, arrays and page-locked memory, by what programs hold of them.
#include <gtest/gtest.h>

#include <cstring>

#include "sim/cudart/array_table.h"
#include "sim/cudart/event_table.h"
#include "sim/cudart/host_buffers.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

constexpr std::uint64_t capacity = 1U << 20U;

TEST(EventTable, a_handle_of_the_past_is_known_as_such) {
  EventTable events;
  const std::size_t first = events.create(true);
  EXPECT_NE(events.find(first), nullptr);
  EXPECT_EQ(events.find(0), nullptr);
  EXPECT_EQ(events.find(first + 1), nullptr);
  EXPECT_TRUE(events.destroy(first));
  EXPECT_FALSE(events.destroy(first));
  EXPECT_NE(events.create(true), first);
}

TEST(StreamTable, the_null_stream_is_always_there) {
  DeviceClock clock(true);
  StreamTable streams;
  EXPECT_TRUE(streams.exists(0));
  EXPECT_FALSE(streams.destroy(0));
  const std::size_t stream = streams.create(clock);
  EXPECT_TRUE(streams.exists(stream));
  EXPECT_TRUE(streams.destroy(stream));
  EXPECT_FALSE(streams.exists(stream));
  EXPECT_FALSE(streams.exists(~std::size_t{0}));
}

TEST(ArrayTable, texels_have_one_two_or_four_equal_channels) {
  const auto format = texel_format({8, 8, 8, 8, cudaChannelFormatKindUnsigned});
  ASSERT_TRUE(format);
  EXPECT_EQ(format->bytes(), 4U);
  EXPECT_EQ(format->kind, TexelFormat::Kind::unsigned_integer);
  EXPECT_FALSE(texel_format({32, 32, 32, 0, cudaChannelFormatKindFloat}));
  EXPECT_FALSE(texel_format({8, 16, 0, 0, cudaChannelFormatKindUnsigned}));
  EXPECT_FALSE(texel_format({8, 0, 0, 0, cudaChannelFormatKindFloat}));
  EXPECT_FALSE(texel_format({0, 0, 0, 0, cudaChannelFormatKindNone}));
}

TEST(ArrayTable, an_array_takes_whole_tiles_of_device_memory) {
  DeviceHeap heap(capacity);
  ArrayTable arrays;
  const cudaChannelFormatDesc channels{32, 0, 0, 0, cudaChannelFormatKindFloat};
  const auto number = arrays.create(channels, *texel_format(channels), {17, 5, 0}, heap, {});
  ASSERT_TRUE(number);
  EXPECT_EQ(arrays.find(*number)->image.dimensions, 2);
  EXPECT_EQ(heap.used() % 256, 0U);
  EXPECT_GE(heap.used(), 17U * 5 * 4);
  EXPECT_TRUE(arrays.destroy(*number, heap));
  EXPECT_FALSE(arrays.destroy(*number, heap));
  EXPECT_EQ(heap.used(), 0U);
}

TEST(HostBuffers, mapped_memory_is_the_same_on_both_sides_around_a_launch) {
  DeviceHeap heap(capacity);
  HostBuffers buffers;
  auto* values = static_cast<int*>(buffers.allocate(100 * sizeof(int), cudaHostAllocMapped));
  values[7] = 42;
  const Address address = buffers.device_address(values + 7, heap, {}).value();
  buffers.to_device(heap);
  int seen = 0;
  std::memcpy(&seen, heap.at(address), sizeof(seen));
  EXPECT_EQ(seen, 42);
  seen = 43;
  std::memcpy(heap.at(address), &seen, sizeof(seen));
  buffers.from_device(heap);
  EXPECT_EQ(values[7], 43);
  EXPECT_TRUE(buffers.release(values, heap));
  EXPECT_FALSE(buffers.release(values, heap));
  EXPECT_EQ(heap.used(), 0U);
}

TEST(HostBuffers, memory_is_registered_once) {
  DeviceHeap heap(capacity);
  HostBuffers buffers;
  std::array<char, 100> memory{};
  EXPECT_TRUE(buffers.add(memory.data(), memory.size(), 0));
  EXPECT_FALSE(buffers.add(memory.data() + 50, 10, 0));
  EXPECT_TRUE(buffers.is_pinned(memory.data() + 99));
  EXPECT_FALSE(buffers.release(memory.data(), heap)) << "it is the program's";
  EXPECT_TRUE(buffers.remove(memory.data(), heap));
  EXPECT_FALSE(buffers.remove(memory.data(), heap));
}

TEST(HostMemory, a_wrong_pointer_is_an_answer) {
  int value = 5, copy = 0;
  EXPECT_TRUE(read_host(&copy, &value, sizeof(copy)));
  EXPECT_EQ(copy, 5);
  const void* nowhere = reinterpret_cast<const void*>(std::uintptr_t{0x10});
  EXPECT_FALSE(read_host(&copy, nowhere, sizeof(copy)));
  EXPECT_FALSE(host_text(nowhere));
  EXPECT_EQ(host_text("name"), "name");
}

}  // namespace
}  // namespace teslasim::cudart

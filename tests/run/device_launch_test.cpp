// SPDX-License-Identifier: Apache-2.0
// From a launch file's launch to what the simulators take: sizes, places, demands.
#include "sim/run/device_launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "frontend/frontend.h"

namespace teslasim {
namespace {

/// Two blocks of 64 threads of a kernel with two parameters; the first is the address of the only buffer.
Workload workload_of(const std::string& declarations) {
  Workload workload;
  BufferSpec buffer;
  buffer.name = "out";
  buffer.type = ValueType::u32;
  buffer.count = 128;
  workload.buffers.push_back(buffer);
  LaunchSpec launch;
  launch.module = std::make_shared<Module>(
      read_module_bytes("k.asm", ".entry k\n{\n.param ptr out\n.param u32 n\n" + declarations + "return\n}\n"));
  launch.kernel = "k";
  launch.grid = {2, 1, 1};
  launch.block = {64, 1, 1};
  launch.parameters.resize(2);
  launch.parameters[0].buffer = 0;
  launch.parameters[1].bits = 0x01020304;
  workload.launches.push_back(launch);
  return workload;
}

TEST(DeviceLaunch, has_the_address_of_its_buffer_and_the_values_of_its_parameters) {
  const Workload workload = workload_of("");
  DeviceMemory memory;
  const std::vector<Address> addresses = place_buffers(workload, memory);
  ASSERT_EQ(addresses.size(), 1U);
  const Launch launch = launch_of(workload.launches.front(), addresses, memory, 13);
  ASSERT_EQ(launch.parameters.size(), 8U);
  std::uint32_t address = 0;
  for (unsigned byte = 4; byte-- > 0;) address = address << 8U | launch.parameters[byte];
  EXPECT_EQ(address, addresses.front());
  EXPECT_EQ(launch.parameters[4], 4);
  EXPECT_EQ(launch.parameters[7], 1);
  EXPECT_EQ(launch.memory, &memory);
  EXPECT_EQ(launch.machine_sm, 13);
  EXPECT_EQ(launch.blocks(), 2U);
}

TEST(DeviceLaunch, variables_start_with_the_addresses_of_others) {
  Workload workload = workload_of("");
  auto module = std::make_shared<Module>(*workload.launches.front().module);
  module->variables = {{"links", 8, std::vector<std::uint8_t>(8), {{4, 1, 12}}}, {"table", 16, {}}};
  for (const DeviceVariable& variable : module->variables) {
    BufferSpec buffer;
    buffer.name = variable.name;
    buffer.type = ValueType::u8;
    buffer.count = variable.bytes;
    workload.launches.front().variables.push_back(workload.buffers.size());
    workload.buffers.push_back(buffer);
  }
  workload.launches.front().module = module;
  DeviceMemory memory;
  const std::vector<Address> addresses = place_buffers(workload, memory);
  ASSERT_EQ(addresses.size(), 3U);
  Address link = 0;
  std::memcpy(&link, memory.at(addresses[1] + 4), sizeof link);
  EXPECT_EQ(link, addresses[2] + 12);
}

TEST(DeviceLaunch, shared_memory_begins_with_16_bytes_of_header_and_the_parameters) {
  LaunchSpec launch = workload_of("").launches.front();
  constexpr std::uint32_t header = 16, parameters = 8;
  EXPECT_GE(occupancy_demand(launch).shared_bytes, header + parameters);
  // A kernel whose code says nothing of its parameters is given room for them all the same.
  auto module = std::make_shared<Module>(*launch.module);
  module->kernels.front().shared_bytes = 0;
  launch.module = module;
  EXPECT_EQ(occupancy_demand(launch).shared_bytes, header + parameters);
  launch.dynamic_shared_bytes = 100;
  EXPECT_EQ(occupancy_demand(launch).shared_bytes, header + parameters + 100);
}

TEST(DeviceLaunch, asks_the_same_of_the_machine_as_it_then_takes) {
  Workload workload = workload_of(".shared tile, 1000\n");
  LaunchSpec& spec = workload.launches.front();
  spec.dynamic_shared_bytes = 24;
  DeviceMemory memory;
  const Launch launch = launch_of(spec, place_buffers(workload, memory), memory, 10);
  EXPECT_EQ(launch_demand(spec).shared_bytes, launch.shared_bytes);
  EXPECT_EQ(occupancy_demand(spec).shared_bytes, launch.shared_bytes);
  EXPECT_EQ(launch_demand(spec).block, launch.block);
  EXPECT_EQ(occupancy_demand(spec).threads, 64U);
  EXPECT_GE(launch.shared_bytes, 1000U + 24U);
}

}  // namespace
}  // namespace teslasim

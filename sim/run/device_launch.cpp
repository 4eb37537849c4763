// SPDX-License-Identifier: Apache-2.0
#include "sim/run/device_launch.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "frontend/workload/device/buffer_contents.h"
#include "frontend/workload/device/launch_image.h"
#include "isa/names.h"
#include "sim/run/texture_binding.h"

namespace teslasim {
namespace {

std::uint32_t shared_bytes(const LaunchSpec& spec) {
  const std::uint32_t header = launch_header_bytes + spec.parameter_bytes();
  return std::max(spec.kernel_code().shared_bytes, header) + spec.dynamic_shared_bytes;
}

/// Device variables that start with addresses of others.
void place_addresses(const LaunchSpec& launch, const std::vector<Address>& buffers, DeviceMemory& memory) {
  std::vector<Address> variables;
  for (const std::size_t buffer : launch.variables) variables.push_back(buffers.at(buffer));
  if (variables.empty()) return;
  for (const AddressInVariable& slot : addresses_in_variables(*launch.module, variables))
    std::memcpy(memory.at(variables.at(slot.variable) + slot.offset), &slot.address, sizeof slot.address);
}

}  // namespace

std::vector<Address> place_buffers(const Workload& workload, DeviceMemory& memory) {
  std::vector<Address> addresses;
  for (const BufferSpec& buffer : workload.buffers) {
    const std::uint64_t bytes = buffer.count * bytes_of(buffer.type);
    const std::uint64_t allocated = bytes + buffer.padding_bytes;
    addresses.push_back(memory.allocate(buffer.name, std::string(type_name(buffer.type)), allocated));
    write_initial_contents(buffer, {memory.at(addresses.back()), bytes});
  }
  place_tiled_images(workload, addresses, memory);
  for (const LaunchSpec& launch : workload.launches) place_addresses(launch, addresses, memory);
  return addresses;
}

Launch launch_of(const LaunchSpec& spec, const std::vector<Address>& addresses, DeviceMemory& memory,
                 unsigned machine_sm) {
  Launch launch;
  launch.kernel = &spec.kernel_code();
  launch.module = spec.module.get();
  launch.grid = spec.grid;
  launch.block = spec.block;
  launch.shared_bytes = shared_bytes(spec);
  launch.parameters = parameter_block(spec, addresses);
  launch.constant_banks = constant_banks(spec, addresses);
  launch.textures = bound_textures(spec, addresses);
  launch.memory = &memory;
  launch.machine_sm = static_cast<std::uint8_t>(machine_sm);
  return launch;
}

LaunchDemand launch_demand(const LaunchSpec& spec) {
  LaunchDemand demand;
  demand.kernel = spec.kernel;
  demand.sm_level = spec.module->sm;
  demand.grid = spec.grid;
  demand.block = spec.block;
  demand.registers_per_thread = spec.kernel_code().registers;
  demand.most_threads = spec.kernel_code().most_threads;
  demand.shared_bytes = shared_bytes(spec);
  demand.uses_double = needs_unit(spec.kernel_code(), UnitClass::dp);
  demand.where = spec.where;
  return demand;
}

OccupancyDemand occupancy_demand(const LaunchSpec& spec) {
  return {spec.threads_per_block(), spec.kernel_code().registers, shared_bytes(spec)};
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The bytes that a launch puts into the machine: the parameter block of shared memory and the constant banks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "frontend/workload.h"
#include "sim/base/types.h"

namespace teslasim {

/// The parameters as they are stored from s[0x10] on, naturally aligned. `buffer_addresses[i]` is the device address of
/// Workload::buffers[i].
[[nodiscard]] std::vector<std::uint8_t> parameter_block(const LaunchSpec& launch,
                                                        const std::vector<Address>& buffer_addresses);

/// Banks c0..c15: the module's constants, then the kernel's, then the addresses of device variables, then the launch
/// file's, later ones on top. `buffer_addresses[i]` is the device address of Workload::buffers[i].
[[nodiscard]] std::array<std::vector<std::uint8_t>, 16> constant_banks(
    const LaunchSpec& launch, const std::vector<Address>& buffer_addresses = {});

/// Four bytes of a device variable: where, and the address that they start with.
struct AddressInVariable {
  std::size_t variable = 0;  ///< index into Module::variables
  std::uint32_t offset = 0;
  Address address = 0;
};
/// The addresses that device variables start with. `variables[i]` is the device address of Module::variables[i].
[[nodiscard]] std::vector<AddressInVariable> addresses_in_variables(const Module& module,
                                                                    const std::vector<Address>& variables);

}  // namespace teslasim

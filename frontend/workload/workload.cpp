// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload.h"

#include "frontend/workload/device/launch_image.h"

namespace teslasim {

namespace {

std::uint32_t aligned(std::uint32_t offset, std::uint32_t bytes) {
  return (offset + bytes - 1) / bytes * bytes;
}

void store(const ConstantSegment& segment, std::array<std::vector<std::uint8_t>, 16>& banks) {
  std::vector<std::uint8_t>& bank = banks.at(segment.bank);
  if (bank.size() < segment.offset + segment.bytes.size()) bank.resize(segment.offset + segment.bytes.size());
  std::copy(segment.bytes.begin(), segment.bytes.end(), bank.begin() + segment.offset);
}

ConstantSegment address_segment(const AddressSlot& slot, Address address) {
  const Address value = address + slot.addend;
  ConstantSegment segment{slot.bank, slot.offset, {}};
  for (unsigned i = 0; i < sizeof(std::uint32_t); ++i)
    segment.bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return segment;
}

}  // namespace

const Kernel& LaunchSpec::kernel_code() const {
  SIM_CHECK(module != nullptr, "a launch has a module");
  for (const Kernel& candidate : module->kernels) {
    if (candidate.name == kernel) return candidate;
  }
  throw InternalError("a launch of a kernel that its module does not have: " + kernel);
}

std::uint32_t LaunchSpec::parameter_bytes() const {
  std::uint32_t bytes = 0;
  for (const ParameterValue& parameter : parameters) {
    bytes = aligned(bytes, bytes_of(parameter.type)) + bytes_of(parameter.type);
  }
  return bytes;
}

std::vector<std::uint8_t> parameter_block(const LaunchSpec& launch, const std::vector<Address>& buffer_addresses) {
  std::vector<std::uint8_t> block(launch.parameter_bytes());
  std::uint32_t offset = 0;
  for (const ParameterValue& parameter : launch.parameters) {
    const unsigned bytes = bytes_of(parameter.type);
    offset = aligned(offset, bytes);
    const std::uint64_t bits = parameter.buffer ? buffer_addresses.at(*parameter.buffer) : parameter.bits;
    for (unsigned i = 0; i < bytes; ++i) block[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    offset += bytes;
  }
  return block;
}

std::array<std::vector<std::uint8_t>, 16> constant_banks(const LaunchSpec& launch,
                                                         const std::vector<Address>& buffer_addresses) {
  std::array<std::vector<std::uint8_t>, 16> banks;
  for (const ConstantSegment& segment : launch.module->constants) store(segment, banks);
  for (const ConstantSegment& segment : launch.kernel_code().constants) store(segment, banks);
  for (const AddressSlot& slot : launch.kernel_code().address_slots)
    store(address_segment(slot, buffer_addresses.at(launch.variables.at(slot.variable))), banks);
  for (const ConstantSegment& segment : launch.constants) store(segment, banks);
  return banks;
}

std::vector<AddressInVariable> addresses_in_variables(const Module& module, const std::vector<Address>& variables) {
  std::vector<AddressInVariable> found;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    for (const VariableAddress& slot : module.variables[i].addresses)
      found.push_back({i, slot.offset, static_cast<Address>(variables.at(slot.variable) + slot.addend)});
  }
  return found;
}

}  // namespace teslasim

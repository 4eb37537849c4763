// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/loaded_code.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "frontend/workload/device/launch_image.h"
#include "sim/base/diagnostic.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

std::uint32_t end_of(const Parameter& parameter) {
  return parameter.offset + (parameter.bytes != 0 ? parameter.bytes : bytes_of(parameter.type));
}

std::uint32_t parameter_bytes(const Kernel& kernel) {
  constexpr std::uint32_t word = 4;
  std::uint32_t end = 0;
  for (const Parameter& parameter : kernel.parameters) end = std::max(end, end_of(parameter));
  return (end + word - 1) / word * word;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> gathered_parameters(const LoadedKernel& kernel, void** arguments) {
  const std::vector<Parameter>& parameters = kernel.kernel->parameters;
  std::vector<const void*> addresses(parameters.size());
  if (!read_host(addresses.data(), arguments, addresses.size() * sizeof(void*))) return std::nullopt;
  std::vector<std::uint8_t> bytes(kernel.parameter_bytes);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (!read_host(bytes.data() + parameter.offset, addresses[i], end_of(parameter) - parameter.offset))
      return std::nullopt;
  }
  return bytes;
}

LoadedCode::LoadedCode(std::shared_ptr<const Module> module, DeviceHeap& heap, std::uint8_t machine_sm)
    : module_(std::move(module)), heap_(heap), machine_sm_(machine_sm) {
  place_variables();
  place_constants();
}

LoadedCode::~LoadedCode() {
  for (const Address address : owned_) (void)heap_.release(address);
}

Address LoadedCode::place(std::uint64_t bytes, const std::string& what) {
  if (const std::optional<Address> address = heap_.allocate(bytes, what.c_str(), {})) {
    owned_.push_back(*address);
    return *address;
  }
  Diagnostic problem;
  problem.code = "ENV-MEMORY";
  problem.message = what + " of " + std::to_string(bytes) + " bytes does not fit in the memory of the board";
  problem.help = "free buffers, or use a machine with more memory";
  throw InputError(ExitCode::environment, std::move(problem));
}

void LoadedCode::place_variables() {
  for (const DeviceVariable& variable : module_->variables) {
    const Address address = place(variable.bytes, variable.name);
    std::memcpy(heap_.at(address), variable.contents.data(), variable.contents.size());
    variables_.push_back(address);
    symbols_[variable.name] = {address, variable.bytes};
  }
  for (const AddressInVariable& slot : addresses_in_variables(*module_, variables_))
    std::memcpy(heap_.at(variables_.at(slot.variable) + slot.offset), &slot.address, sizeof slot.address);
}

void LoadedCode::place_constants() {
  const auto is_user = [](const ConstantSegment& segment) { return segment.bank == 0; };
  for (const ConstantSegment& segment : module_->constants) {
    if (is_user(segment))
      constant_bytes_ = std::max<std::uint64_t>(constant_bytes_, segment.offset + segment.bytes.size());
  }
  if (constant_bytes_ == 0) return;
  constants_ = place(constant_bytes_, "constants");
  for (const ConstantSegment& segment : module_->constants) {
    if (!is_user(segment)) continue;
    const Address address = constants_ + segment.offset;
    std::memcpy(heap_.at(address), segment.bytes.data(), segment.bytes.size());
    if (!segment.name.empty()) symbols_[segment.name] = {address, segment.bytes.size()};
  }
  for (const Kernel& kernel : module_->kernels) place_addresses_of_constants(kernel);
}

/// Every kernel names those in the constants that all kernels share.
void LoadedCode::place_addresses_of_constants(const Kernel& kernel) {
  for (const AddressSlot& slot : kernel.address_slots) {
    const Address address = variables_.at(slot.variable) + slot.addend;
    if (slot.bank == 0 && slot.offset + sizeof address <= constant_bytes_)
      std::memcpy(heap_.at(constants_ + slot.offset), &address, sizeof address);
  }
}

LoadedKernel* LoadedCode::kernel(const std::string& name) {
  const Kernel* code = cuda::find_kernel(*module_, name);
  if (code == nullptr) return nullptr;
  std::unique_ptr<LoadedKernel>& loaded = kernels_[code];
  if (loaded) return loaded.get();
  LaunchSpec spec;
  spec.kernel = code->name;
  spec.module = module_;
  for (std::size_t i = 0; i < variables_.size(); ++i) spec.variables.push_back(i);
  loaded = std::make_unique<LoadedKernel>();
  loaded->name = cuda::shown_kernel_name(*module_, *code);
  loaded->kernel = code;
  loaded->parameter_bytes = parameter_bytes(*code);
  loaded->shared_bytes = std::max(code->shared_bytes, launch_header_bytes + loaded->parameter_bytes);
  loaded->launch.kernel = code;
  loaded->launch.module = module_.get();
  loaded->launch.constant_banks = constant_banks(spec, variables_);
  loaded->launch.memory = &heap_.memory();
  loaded->launch.machine_sm = machine_sm_;
  return loaded.get();
}

const SymbolPlace* LoadedCode::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

void LoadedCode::put_constants(std::vector<std::uint8_t>& bank) const {
  if (constant_bytes_ == 0) return;
  bank.resize(std::max<std::size_t>(bank.size(), constant_bytes_));
  std::memcpy(bank.data(), heap_.at(constants_), constant_bytes_);
}

}  // namespace teslasim::cudart

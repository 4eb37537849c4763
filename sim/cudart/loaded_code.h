// SPDX-License-Identifier: Apache-2.0
// Device code in device memory: a module with its variables, constants and kernels, ready to be launched.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/workload.h"
#include "isa/program.h"
#include "sim/cudart/device_heap.h"
#include "sim/exec/launch.h"

namespace teslasim::cudart {

/// A kernel with what all of its launches have in common.
struct LoadedKernel {
  std::string name;
  const Kernel* kernel = nullptr;
  Launch launch;                      ///< code, constants; not shape, parameters, textures
  std::uint32_t parameter_bytes = 0;  ///< from s[0x10] on
  std::uint32_t shared_bytes = 0;     ///< static: header and parameters included
};

/// The parameters from the addresses of their values; nothing when one of them is no address of the host.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> gathered_parameters(const LoadedKernel& kernel,
                                                                           void** arguments);

/// Where a symbol lies.
struct SymbolPlace {
  Address address = 0;
  std::uint64_t bytes = 0;
};

/// Constants have a copy in device memory: what the host writes there is in the constant bank of later launches.
class LoadedCode {
 public:
  /// Places variables and constants. Throws InputError (environment) when the board is full.
  LoadedCode(std::shared_ptr<const Module> module, DeviceHeap& heap, std::uint8_t machine_sm);
  ~LoadedCode();
  LoadedCode(const LoadedCode&) = delete;
  LoadedCode& operator=(const LoadedCode&) = delete;

  [[nodiscard]] const Module& module() const { return *module_; }
  [[nodiscard]] std::shared_ptr<const Module> shared_module() const { return module_; }
  /// By the name of the linker or of the source; null when there is none.
  [[nodiscard]] LoadedKernel* kernel(const std::string& name);
  /// A variable or a constant; null when there is none.
  [[nodiscard]] const SymbolPlace* symbol(const std::string& name) const;
  /// The constants as they are now, for bank c0 of a launch.
  void put_constants(std::vector<std::uint8_t>& bank) const;

 private:
  [[nodiscard]] Address place(std::uint64_t bytes, const std::string& what);
  void place_variables();
  void place_constants();
  void place_addresses_of_constants(const Kernel& kernel);

  std::shared_ptr<const Module> module_;
  DeviceHeap& heap_;
  std::uint8_t machine_sm_;
  std::vector<Address> owned_;      ///< buffers to give back
  std::vector<Address> variables_;  ///< of Module::variables
  Address constants_ = 0;
  std::uint64_t constant_bytes_ = 0;
  std::map<std::string, SymbolPlace, std::less<>> symbols_;
  std::map<const Kernel*, std::unique_ptr<LoadedKernel>> kernels_;
};

}  // namespace teslasim::cudart

// SPDX-License-Identifier: Apache-2.0
// Modules that a program loads by the driver's interface, and their functions with what was set for the next launch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cudart/driver_textures.h"
#include "sim/cudart/loaded_code.h"

namespace teslasim::cudart {

struct DriverFunction {
  std::size_t module = 0;
  LoadedKernel* kernel = nullptr;
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;
};

/// By the numbers that handles are; 0 is none.
class DriverModules {
 public:
  DriverTextures textures;

  std::size_t add(std::unique_ptr<LoadedCode> code);
  [[nodiscard]] bool remove(std::size_t number);
  [[nodiscard]] LoadedCode* module(std::size_t number) const;
  /// 0 when the module has no such kernel.
  std::size_t add_function(std::size_t module, const std::string& name);
  /// Null for what is no function, or is one of a module that is gone.
  [[nodiscard]] DriverFunction* function(std::size_t number);
  void clear();

 private:
  std::vector<std::unique_ptr<LoadedCode>> modules_{1};
  std::vector<DriverFunction> functions_{1};
};

/// The bytes of an image in memory: an ELF file by its headers, a text up to its end. Nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> image_bytes(const void* image);

}  // namespace teslasim::cudart

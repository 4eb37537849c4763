// SPDX-License-Identifier: Apache-2.0
// The device code that a host program carries, as its constructors register it: images, kernels, variables, textures.
// Constructors run before main and must not fail: nothing is read or made for a chip before the first use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/clang/portable_code.h"
#include "sim/cudart/device_heap.h"
#include "sim/cudart/loaded_code.h"
#include "sim/cudart/texture_state.h"

namespace teslasim::cudart {

class ProgramCode {
 public:
  /// One compiled file of the program.
  struct Image {
    const char* data = nullptr;
    std::unique_ptr<LoadedCode> loaded{};
    std::uint8_t refused_for = 0;  ///< level of a machine for which no code could be made, as was said in full
    std::map<std::string, TextureState*, std::less<>> textures{};  ///< by the name on the device
  };
  struct Function {
    Image* image = nullptr;
    std::string name;  ///< of the linker
    LoadedKernel* kernel = nullptr;
  };

  Image* add_image(const char* data);
  void add_function(Image* image, const void* stub, std::string name);
  void add_variable(Image* image, const void* host, std::string name);
  void add_texture(Image* image, const void* host, std::string name, bool normalised_values);
  void remove_image(const Image* image);
  [[nodiscard]] bool empty() const { return images_.empty(); }

  /// By the address of its stub on the host, or by name; null when there is none. Throws InputError when the code does
  /// not load.
  [[nodiscard]] Function* function(const void* stub, DeviceHeap& heap, std::uint8_t machine_sm);
  /// By the address of the host's copy, or by name.
  /// Files of a program may each have a variable of that name; one that is known by its address is one alone.
  [[nodiscard]] std::vector<SymbolPlace> symbols(const void* symbol, DeviceHeap& heap, std::uint8_t machine_sm);
  /// By the address of the reference on the host; null when there is none.
  [[nodiscard]] TextureState* texture(const void* host);
  /// The address of a reference, by itself or by its name.
  [[nodiscard]] const void* texture_by(const void* symbol) const;
  /// Device memory is gone: everything is loaded again at its next use.
  void unload();

 private:
  struct Variable {
    Image* image = nullptr;
    std::string name;
  };
  LoadedCode& load(Image& image, DeviceHeap& heap, std::uint8_t machine_sm) const;
  Function* function_named(const void* text);
  /// Of one file; null when it has none.
  const Variable* variable_named(const Image& image, const std::string& name) const;

  std::vector<std::unique_ptr<Image>> images_;
  std::map<const void*, Function> functions_;
  std::map<const void*, Variable> variables_;
  std::map<const void*, std::unique_ptr<TextureState>> textures_;
};

}  // namespace teslasim::cudart

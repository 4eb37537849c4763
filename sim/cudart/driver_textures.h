// SPDX-License-Identifier: Apache-2.0
// Texture references of modules that a program loads by the driver's interface: what they are bound to and how they are
// read, which may be set in any order until a launch.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontend/cuda/include/driver_enumerations.h"
#include "isa/program.h"
#include "sim/cudart/array_table.h"
#include "sim/cudart/texture_state.h"

namespace teslasim::cudart {

struct DriverTexture {
  std::size_t module = 0;
  TextureState state{};
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned components = 1;
  unsigned flags = 0;
  CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
  std::array<CUaddress_mode, 3> address_mode{CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP,
                                             CU_TR_ADDRESS_MODE_CLAMP};
};

/// Channels as the runtime describes them; those of kind None for a format that there is not.
[[nodiscard]] cudaChannelFormatDesc channels_of(CUarray_format format, unsigned components);
/// The reverse, for arrays that were made.
[[nodiscard]] CUarray_format format_of(const TexelFormat& format);

/// By the numbers that handles are; 0 is none.
class DriverTextures {
 public:
  /// The reference of that name of a module, the same one each time; 0 when the module has none.
  std::size_t add(std::size_t module, const Module& code, const std::string& name);
  /// One of no module, as cuTexRefCreate makes it; no kernel reads it.
  std::size_t add_free();
  /// False when there is none of no module with this number.
  [[nodiscard]] bool remove_free(std::size_t number);
  [[nodiscard]] DriverTexture* texture(std::size_t number);
  /// What a launch of a kernel of this module reads, by slot.
  [[nodiscard]] std::vector<Texture> bound(std::size_t module, const Module& code) const;
  /// The module is gone.
  void remove(std::size_t module);
  void clear() { textures_.resize(1); }

 private:
  std::vector<std::optional<DriverTexture>> textures_{std::nullopt};
};

}  // namespace teslasim::cudart

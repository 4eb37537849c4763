// SPDX-License-Identifier: Apache-2.0
// A texture reference of the program: what it is bound to now.
#pragma once

#include <string>

#include "memory/image/texture.h"

namespace teslasim::cudart {

struct TextureState {
  std::string name;                ///< on the device
  bool normalised_values = false;  ///< cudaReadModeNormalizedFloat
  Texture bound{};                 ///< bound() is false while it is bound to nothing
  std::size_t offset = 0;          ///< bytes from the aligned start to what was bound
};

}  // namespace teslasim::cudart

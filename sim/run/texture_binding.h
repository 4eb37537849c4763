// SPDX-License-Identifier: Apache-2.0
// From the textures of a launch file to what a launch binds to its texture slots.
#pragma once

#include <vector>

#include "frontend/workload.h"
#include "memory/image/device_memory.h"
#include "memory/image/texture.h"

namespace teslasim {

/// By slot; `addresses[i]` is where Workload::buffers[i] is.
[[nodiscard]] std::vector<Texture> bound_textures(const LaunchSpec& launch, const std::vector<Address>& addresses);

/// Buffers of tiled textures were filled row by row: puts each texel in its place, once.
void place_tiled_images(const Workload& workload, const std::vector<Address>& addresses, DeviceMemory& memory);

}  // namespace teslasim

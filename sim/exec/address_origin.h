// SPDX-License-Identifier: Apache-2.0
// Which buffer an access was meant for, when its address is in none: found in the code, for a message.
#pragma once

#include "memory/image/device_memory.h"
#include "sim/exec/launch.h"

namespace teslasim {

/// The buffer to whose address, a parameter of the launch or a constant, the code before `access` adds what becomes its
/// address; nullptr when there is none, or more than one. The code is read upwards as it stands: where paths meet, or a
/// pointer comes from memory, the answer is likely, not certain.
[[nodiscard]] const Buffer* address_origin(const Launch& launch, const Instruction& access);

}  // namespace teslasim

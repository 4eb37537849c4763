// SPDX-License-Identifier: Apache-2.0
// One value into one parameter, or the reason why not.
#pragma once

#include <optional>

#include "sim/base/config.h"
#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

/// Checks type (CFG-TYPE), range (CFG-RANGE) and choice (CFG-CHOICE), and stores the value when all hold.
[[nodiscard]] std::optional<Diagnostic> assign(const FieldSlot& slot, const ConfigEntry& entry);

}  // namespace teslasim

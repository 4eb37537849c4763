// SPDX-License-Identifier: Apache-2.0
// How much memory of the host this process has taken.
#pragma once

namespace teslasim {

/// The most that was resident so far, in 10^6 bytes.
[[nodiscard]] double resident_mb();

}  // namespace teslasim

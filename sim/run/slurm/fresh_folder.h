// SPDX-License-Identifier: Apache-2.0
// Folders of network file systems as they are now, not as this host remembers them.
#pragma once

#include <string>
#include <vector>

namespace teslasim {

/// Names of what is in a folder. Something is made and removed there first, which makes a host look anew: NFS keeps a
/// folder for up to a minute otherwise. Without the right to write there, as far as the host knows.
[[nodiscard]] std::vector<std::string> fresh_names_in(const std::string& folder);

/// Seconds since something was made or removed in `folder`, both by the clock of its file system; 0 when that cannot be
/// told.
[[nodiscard]] double seconds_since_change(const std::string& folder);

}  // namespace teslasim

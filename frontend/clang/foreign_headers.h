// SPDX-License-Identifier: Apache-2.0
// Folders of headers that hold another CUDA's: a toolkit that is installed must not replace our headers.
#pragma once

#include <string>
#include <vector>

namespace teslasim::cuda {

/// The words for clang and gcc that add a folder: -I, or behind all others when it has a cuda_runtime.h that is not
/// ours, so that its other headers are found. Ours says TESLASIM_CUDA_HEADERS.
[[nodiscard]] std::vector<std::string> folder_words(const std::string& folder);

/// The same for each -IDIR, -I DIR and -isystem DIR among words.
[[nodiscard]] std::vector<std::string> with_own_headers_first(const std::vector<std::string>& words);

}  // namespace teslasim::cuda

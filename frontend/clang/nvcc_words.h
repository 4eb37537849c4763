// SPDX-License-Identifier: Apache-2.0
// Options as nvcc's users write them.
#pragma once

#include <string>
#include <vector>

#include "frontend/clang/cuda_options.h"

namespace teslasim::cuda {

/// Long options of nvcc have one dash (`-arch sm_13`, `-use_fast_math`), those of this program two; other words stay.
[[nodiscard]] std::vector<std::string> with_two_dashes(std::vector<std::string> words);

/// The choices in words such as `-DTILE=16 -maxrregcount 16 -use_fast_math -I headers -O1 -fmad=false`, separated by
/// blanks, put over `start`. `option` is what the words were given to, for messages. Throws InputError (usage,
/// CLI-VALUE).
[[nodiscard]] CudaOptions options_of_words(const std::string& words, const std::string& option, CudaOptions start = {});

}  // namespace teslasim::cuda

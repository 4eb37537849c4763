// SPDX-License-Identifier: Apache-2.0
// What the user may choose of the way from CUDA C to code.
#pragma once

#include <string>
#include <vector>

#include "frontend/compiler/compile_options.h"

namespace teslasim::cuda {

struct CudaOptions {
  compiler::CompileOptions code{};             ///< level, optimisation, registers, contraction
  std::vector<std::string> include_folders{};  ///< -I, in order
  std::vector<std::string> definitions{};      ///< -D: "NAME" or "NAME=VALUE"
  std::vector<std::string> removed{};          ///< -U
  std::vector<std::string> first_headers{};    ///< -include, in order
  std::string standard{};                      ///< -std: "c++17"; empty: gnu++14
};

}  // namespace teslasim::cuda

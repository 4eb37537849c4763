// SPDX-License-Identifier: Apache-2.0
// A file of CUDA C to machine code: clang and LLVM make PTX of its device side, the compiler makes code of that.
#pragma once

#include <string>

#include "frontend/clang/cuda_options.h"
#include "isa/program.h"

namespace teslasim::cuda {

struct CudaCompilation {
  Module module{};        ///< names, lines and texts of the source; warnings of clang and of the compiler
  std::string ptx{};      ///< what LLVM wrote
  std::string printed{};  ///< what `code.print_after` asked for
};

/// Whether a file is CUDA C: by its name (.cu), as nothing in it tells.
[[nodiscard]] bool is_cuda_file(const std::string& path);

/// Throws InputError with all mistakes: (input) CUDA-SOURCE of clang, the compiler's own at their lines of CUDA,
/// CUDA-TOOL, CUDA-KERNEL; (environment) CUDA-CLANG.
[[nodiscard]] CudaCompilation compile_cuda(const std::string& path, const CudaOptions& options);

/// CUDA C, or a file of PTX by any other name, for which `ptx` is its text. Also throws what the reader of PTX does.
[[nodiscard]] CudaCompilation compile_file(const std::string& path, const CudaOptions& options);

}  // namespace teslasim::cuda

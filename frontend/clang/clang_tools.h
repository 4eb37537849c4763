// SPDX-License-Identifier: Apache-2.0
// The three programs of clang 14 and LLVM 14 that turn CUDA C into PTX text (Debian: clang-14, llvm-14). They are run,
// not linked; no file of NVIDIA is looked for.
//
//   clang   CUDA C of the device side to LLVM's intermediate language, nothing optimised
//   opt     address spaces first, everything inline, then LLVM's own passes
//   llc     PTX 3.2 for sm_20, the lowest level that LLVM knows; what older chips have not is lowered by our compiler
#pragma once

#include <string>
#include <vector>

#include "frontend/clang/cuda_options.h"

namespace teslasim::cuda {

/// Paths of the programs; they tell which ones made a cached result.
struct ClangTools {
  std::string clang, opt, llc;
};

/// Throws InputError (environment, CUDA-CLANG) when one is not installed.
[[nodiscard]] ClangTools find_clang_tools();

/// In words: their paths, or what is missing.
[[nodiscard]] std::string installed_tools();

/// What clang makes of a file.
struct DeviceCode {
  bool ok = false;
  std::string text;                     ///< LLVM's intermediate language, with the names of parameters
  std::string messages;                 ///< what clang said, as clang writes it
  std::vector<std::string> file_names;  ///< every file that was read
};

/// `headers`: the folder of `cuda_runtime.h`.
[[nodiscard]] DeviceCode compile_device_code(const ClangTools& tools, const std::string& source,
                                             const std::string& headers, const CudaOptions& options);

/// The names by which nvcc tells both halves of a program what a level has not.
[[nodiscard]] std::vector<std::string> words_of_missing(unsigned sm);

/// The start of clang's command line for the host side of a file, which clang makes launches and registration for.
[[nodiscard]] std::vector<std::string> host_command(const ClangTools& tools, const std::string& headers);

/// The arguments that decide what clang makes, as one text for fingerprints.
[[nodiscard]] std::string clang_arguments_text(const std::string& source, const CudaOptions& options);

struct OptimisedCode {
  std::string ptx;
  std::string messages;  ///< loops that could not be unrolled though the source asks for it, in clang's form
};

/// Throws InputError (input, CUDA-TOOL) when LLVM refuses; `source` is for the message.
[[nodiscard]] OptimisedCode optimised_code(const ClangTools& tools, const DeviceCode& code, const std::string& source,
                                           const CudaOptions& options);

}  // namespace teslasim::cuda

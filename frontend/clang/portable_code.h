// SPDX-License-Identifier: Apache-2.0
// The device side of a file of CUDA C before it is made for a chip: what a host program carries, as PTX. The chip is
// known only when the program runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang/compile_cuda.h"
#include "frontend/clang/cuda_options.h"

namespace teslasim::cuda {

struct PortableCode {
  std::string path;               ///< of the source, as the user named it
  std::string full_path;          ///< as the PTX names it
  std::string source;             ///< its text, for excerpts
  compiler::CompileOptions code;  ///< `code.sm` is the level that the source was read for: __CUDA_ARCH__
  std::string ptx;
  std::string definitions;  ///< lines of LLVM's intermediate language that name functions and parameters
};

/// Reads a file by clang and LLVM; `warnings` are clang's. Throws what compile_cuda does.
struct PortableCompilation {
  PortableCode code;
  std::vector<Diagnostic> warnings;
  std::vector<std::string> included_files;  ///< the user's own
};
[[nodiscard]] PortableCompilation compile_portable(const std::string& path, const CudaOptions& options);

/// Machine code of level `sm` (10..13), with names, lines and texts of the source. Throws InputError (input).
[[nodiscard]] CudaCompilation machine_code(const PortableCode& portable, std::uint8_t sm);

/// Several codes as text, one for each level that a file was compiled for.
[[nodiscard]] std::string packed(std::span<const PortableCode> codes);
/// Whether `start` begins such a text; its length stands in the first `packed_head_bytes`.
inline constexpr std::size_t packed_head_bytes = 48;
[[nodiscard]] std::optional<std::size_t> packed_bytes(std::string_view start);
/// Nothing when the text is damaged.
[[nodiscard]] std::optional<std::vector<PortableCode>> unpacked(std::string_view text);

}  // namespace teslasim::cuda

// SPDX-License-Identifier: Apache-2.0
// Code that a machine can run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace teslasim::embed {

/// A parameter as the code declares it. Binaries tell sizes alone: names are then p0, p1..., types b32 or b64.
struct ParameterInfo {
  std::string name;
  std::string type;  ///< "u32", "f32", "b64"...; pointers are u32 in assembly; "none": a struct
  std::uint32_t offset = 0, bytes = 0;
};

/// How code is read.
struct CodeOptions {
  std::string compile{};         ///< options for CUDA C and PTX, as nvcc has them: "-DTILE=16 -maxrregcount 16"
  bool allow_unaligned = false;  ///< long instructions at any address, which chips cannot run
};

/// One kernel of assembly text, a cubin, PTX or CUDA C. A copy refers to the same code.
///
/// PTX and CUDA C are compiled for the level of the machine that runs them; `parameters` and the like are those for the
/// machine gtx280 (sm_13), unless another was named. CUDA C needs Debian's clang-14.
class Kernel {
 public:
  /// The kernel `name` of a file; of its only kernel when `name` is empty. Throws Error.
  [[nodiscard]] static Kernel from_file(const std::string& path, const std::string& name = "",
                                        const CodeOptions& options = {});
  /// The same for a text; `file_name` stands in messages, and its ending says what the text is (.asm, .ptx, .cu).
  [[nodiscard]] static Kernel from_text(const std::string& text, const std::string& file_name,
                                        const std::string& name = "", const CodeOptions& options = {});
  /// The kernels of a file.
  [[nodiscard]] static std::vector<std::string> names(const std::string& path, const CodeOptions& options = {});

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& file() const;
  [[nodiscard]] const std::vector<ParameterInfo>& parameters() const;
  [[nodiscard]] std::uint32_t registers() const;     ///< per thread
  [[nodiscard]] std::uint32_t shared_bytes() const;  ///< static, of a block
  [[nodiscard]] std::uint32_t local_bytes() const;   ///< per thread
  [[nodiscard]] std::size_t instructions() const;
  [[nodiscard]] std::string listing() const;  ///< address and text of each instruction, one per line

  struct State;
  [[nodiscard]] State& state() const { return *state_; }

 private:
  explicit Kernel(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace teslasim::embed

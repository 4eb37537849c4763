// SPDX-License-Identifier: Apache-2.0
// PTX that clang made before, found by what it was made of: the arguments, the programs, and the contents of every file
// that was read. A file that changed, a damaged entry, a full disk: then it is made again.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teslasim::cuda {

/// What the three programs made.
struct CompiledText {
  std::string ptx;
  std::string code;                ///< the lines of LLVM's intermediate language that name functions and parameters
  std::string messages;            ///< warnings of clang
  std::vector<std::string> files;  ///< every file that was read
  std::string headers;             ///< folder of those that are this program's own
};

class PtxCache {
 public:
  /// `arguments`: everything but the files' contents.
  explicit PtxCache(const std::string& arguments);

  [[nodiscard]] std::optional<CompiledText> find() const;
  void keep(const CompiledText& text) const;

 private:
  std::string file_;  ///< empty: no cache
};

}  // namespace teslasim::cuda

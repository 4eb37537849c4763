// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/runtime_library.h"

#include <string>

#include <span>
#include "frontend/ptx/ptx_reader.h"

#include "sim/base/embedded_file.h"

namespace teslasim {
extern const std::span<const EmbeddedFile> runtime_files;
}

namespace teslasim::compiler {

const std::vector<ptx::PtxModule>& runtime_library() {
  static const std::vector<ptx::PtxModule> library = [] {
    std::vector<ptx::PtxModule> modules;
    for (const EmbeddedFile& file : runtime_files)
      modules.push_back(ptx::read_checked_ptx(file.text, std::string(file.name)));
    return modules;
  }();
  return library;
}

}  // namespace teslasim::compiler

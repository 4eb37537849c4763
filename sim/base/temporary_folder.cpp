// SPDX-License-Identifier: Apache-2.0
#include "sim/base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sim/base/output_file.h"

namespace teslasim {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(std::string_view purpose) {
  std::error_code error;
  fs::path place = fs::temp_directory_path(error);
  if (error) place = "/tmp";
  path_ = (place / ("teslasim-" + std::string(purpose) + "-XXXXXX")).string();
  if (mkdtemp(path_.data()) == nullptr) write_error(path_, std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace teslasim

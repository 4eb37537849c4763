// SPDX-License-Identifier: Apache-2.0
#include "sim/app/atomic_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/diagnostic.h"

namespace teslasim {

void write_error(const std::string& path, const std::string& reason) {
  Diagnostic diagnostic;
  diagnostic.code = "FILE-WRITE";
  diagnostic.message = "cannot write '" + path + "': " + reason;
  diagnostic.help = "check the folder's permissions and the free space, or write elsewhere with --out DIR";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".part" + std::to_string(getpid());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(temporary.c_str(), "wb"), &std::fclose);
  if (!file) write_error(path, std::strerror(errno));
  const bool written =
      std::fwrite(content.data(), 1, content.size(), file.get()) == content.size() && std::fflush(file.get()) == 0;
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  std::remove(temporary.c_str());
  write_error(path, reason);
}

}  // namespace teslasim

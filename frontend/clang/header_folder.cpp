// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/header_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>

#include "sim/base/cache_folder.h"
#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"
#include "sim/base/hash.h"
#include "sim/base/output_file.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> cuda_headers;

namespace cuda {
namespace {

namespace fs = std::filesystem;

/// A new, empty folder beside `place`.
std::string new_folder(const std::string& place) {
  std::string name = place + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr) write_error(name, std::strerror(errno));
  return name;
}

void write_headers(const std::string& folder) {
  for (const EmbeddedFile& file : cuda_headers) {
    const fs::path path = fs::path(folder) / file.name;
    fs::create_directories(path.parent_path());
    write_file(path.string(), file.text);
  }
}

/// True when the folder stands there afterwards, by this process or another.
bool keep_in_cache(const std::string& place) {
  std::error_code error;
  if (fs::is_directory(place, error)) return true;
  fs::create_directories(fs::path(place).parent_path(), error);
  try {
    const std::string fresh = new_folder(place);
    write_headers(fresh);
    fs::rename(fresh, place, error);
    if (error) fs::remove_all(fresh, error);
  } catch (const InputError&) {  // no room, no rights: a temporary folder will do
  } catch (const fs::filesystem_error&) {
  }
  return fs::is_directory(place, error);
}

}  // namespace

std::string headers_fingerprint() {
  std::string all;
  for (const EmbeddedFile& file : cuda_headers) all.append(file.name).append("\n").append(file.text);
  return fmt::format("{:016x}", hash_bytes(std::as_bytes(std::span(all))));
}

HeaderFolder::HeaderFolder() {
  const std::string cache = cache_folder();
  if (!cache.empty()) {
    folder_ = cache + "/cuda-headers-" + headers_fingerprint();
    if (keep_in_cache(folder_)) return;
  }
  std::error_code error;
  fs::path scratch = fs::temp_directory_path(error);
  if (error) scratch = "/tmp";
  folder_ = new_folder((scratch / "teslasim-headers").string());
  temporary_ = true;
  write_headers(folder_);
}

HeaderFolder::~HeaderFolder() {
  std::error_code error;
  if (temporary_) fs::remove_all(folder_, error);
}

}  // namespace cuda
}  // namespace teslasim

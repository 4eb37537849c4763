// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/fresh_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/run/host_name.h"

namespace teslasim {
namespace {

constexpr double nanoseconds = 1e-9;
constexpr std::string_view look = ".look-";

double seconds_of(const timespec& time) {
  return static_cast<double>(time.tv_sec) + nanoseconds * static_cast<double>(time.tv_nsec);
}

std::string own_name(const std::string& folder) {
  return folder + "/" + std::string(look) + host_name() + "-" + std::to_string(getpid());
}

/// Makes and removes a file; its time, by the clock of the file system.
std::optional<double> touch(const std::string& folder) {
  constexpr mode_t private_file = 0600;
  const std::string name = own_name(folder);
  const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, private_file);
  if (descriptor < 0) return std::nullopt;
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  close(descriptor);
  unlink(name.c_str());
  return known ? std::optional(seconds_of(status.st_mtim)) : std::nullopt;
}

}  // namespace

std::vector<std::string> fresh_names_in(const std::string& folder) {
  (void)touch(folder);
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with(look)) names.push_back(std::move(name));
  }
  return names;
}

double seconds_since_change(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) return 0.0;
  const double changed = seconds_of(status.st_mtim);
  // The folder above has the same clock, and this one keeps its time.
  const std::optional<double> now = touch(std::filesystem::path(folder).parent_path().string());
  return now ? std::max(0.0, *now - changed) : 0.0;
}

}  // namespace teslasim

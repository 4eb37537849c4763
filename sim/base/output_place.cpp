// SPDX-License-Identifier: Apache-2.0
#include "sim/base/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace teslasim {
namespace {

constexpr int longest_chain = 40;  // of links, as the kernel has it

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// N of "/dev/fd/N" and its other names: opening these again would begin at the start of the file behind them.
std::optional<int> descriptor_of(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
  for (const std::string_view folder :
       {std::string_view("/dev/fd/"), std::string_view("/proc/self/fd/"), std::string_view(own)}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc{} && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// What a link says, relative to where it stands; nothing when the path is no link.
std::optional<std::string> behind_link(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  if (length < 0) return std::nullopt;
  const std::string text(target.data(), static_cast<std::size_t>(length));
  return text.starts_with('/') ? text : folder_of(path) + "/" + text;
}

void refuse(OutputPlace& place, std::string trouble) {
  place.trouble = std::move(trouble);
}

/// An absent file is known by its folder and its name.
void look_at_absent(OutputPlace& place) {
  struct stat folder {};
  if (place.name().empty() || place.name() == "." || place.name() == "..") return refuse(place, "it names no file");
  if (stat(place.folder().c_str(), &folder) != 0) {
    return refuse(place, "the folder '" + place.folder() + "': " + std::strerror(errno));
  }
  place.device = folder.st_dev;
  place.inode = folder.st_ino;
}

void look_at_rights(OutputPlace& place) {
  const bool replaced = place.kind == OutputPlace::Kind::absent || place.kind == OutputPlace::Kind::regular;
  if (!place.trouble.empty()) return;
  if (place.kind != OutputPlace::Kind::absent && access(place.file.c_str(), W_OK) != 0) {
    return refuse(place, std::strerror(errno));
  }
  // A file is replaced by another one that is written beside it.
  if (replaced && access(place.folder().c_str(), W_OK | X_OK) != 0) {
    refuse(place, "the folder '" + place.folder() + "': " + std::strerror(errno));
  }
}

}  // namespace

std::string OutputPlace::name() const {
  return file.substr(file.find_last_of('/') + 1);
}

std::string OutputPlace::folder() const {
  return folder_of(file);
}

bool OutputPlace::same_file(const OutputPlace& other) const {
  if (kind != other.kind || device != other.device || inode != other.inode) return false;
  if (kind == Kind::regular) return true;
  return kind == Kind::absent && name() == other.name();
}

OutputPlace look_up_output(const std::string& path) {
  OutputPlace place;
  place.file = path;
  for (int links = 0; links <= longest_chain; ++links) {
    if (const std::optional<int> descriptor = descriptor_of(place.file)) {
      place.kind = OutputPlace::Kind::descriptor;
      place.descriptor = *descriptor;
      return place;
    }
    const std::optional<std::string> next = behind_link(place.file);
    if (!next) break;
    place.file = *next;
  }
  struct stat found {};
  if (stat(place.file.c_str(), &found) != 0) {
    place.kind = errno == ENOENT ? OutputPlace::Kind::absent : OutputPlace::Kind::unusable;
    errno == ENOENT ? look_at_absent(place) : refuse(place, std::strerror(errno));
    look_at_rights(place);
    return place;
  }
  place.device = found.st_dev;
  place.inode = found.st_ino;
  place.mode = found.st_mode;
  place.owner = found.st_uid;
  place.group = found.st_gid;
  place.kind = S_ISREG(found.st_mode) ? OutputPlace::Kind::regular : OutputPlace::Kind::stream;
  if (S_ISDIR(found.st_mode) || S_ISSOCK(found.st_mode)) {
    place.kind = OutputPlace::Kind::unusable;
    refuse(place, S_ISDIR(found.st_mode) ? "it is a folder" : "it is a socket");
  }
  look_at_rights(place);
  return place;
}

bool is_below(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) return false;
  const fs::path way =
      fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return !way.empty() && *way.begin() != "..";
}

}  // namespace teslasim

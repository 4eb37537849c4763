// SPDX-License-Identifier: Apache-2.0
#include "sim/run/slurm/point_files.h"

#include <charconv>
#include <filesystem>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/run/slurm/fresh_folder.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view exit_suffix = ".exit", part_infix = ".part-";

}  // namespace

bool is_of_host(const StudyPoint& point, int exit) {
  constexpr int no_program = 127;  // and from there on signals
  std::error_code error;
  if (exit == 0) return !fs::exists(point.place, error);
  return exit == static_cast<int>(ExitCode::environment) || exit >= no_program;
}

std::vector<std::string> ended_points(const std::string& study) {
  std::vector<std::string> ended;
  for (std::string& name : fresh_names_in(points_folder(study))) {
    if (!name.ends_with(exit_suffix) || name.find(part_infix) != std::string::npos) continue;
    name.resize(name.size() - exit_suffix.size());
    ended.push_back(std::move(name));
  }
  return ended;
}

std::optional<int> exit_of(const StudyPoint& point) {
  const std::string text =
      read_text_file(point.place + std::string(exit_suffix), largest_text, FileOwner::program).text;
  int exit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exit);
  return error == std::errc() && end != text.data() ? std::optional(exit) : std::nullopt;
}

void put_in_place(const StudyPoint& point, const std::string& part, int exit) {
  std::error_code error;
  if (fs::exists(part, error)) fs::rename(part, point.place, error);
  if (error) fs::remove_all(part, error);  // another task was faster
  if (exit == 0) {
    fs::remove(part + ".stderr", error);
  } else {
    fs::rename(part + ".stderr", point.place + ".stderr", error);
  }
  write_file(point.place + std::string(exit_suffix), std::to_string(exit) + "\n");
}

void forget_exit(const StudyPoint& point) {
  std::error_code error;
  fs::remove(point.place + std::string(exit_suffix), error);
}

void forget_result(const StudyPoint& point) {
  std::error_code error;
  fs::remove_all(point.place, error);
  forget_exit(point);
}

void remove_parts(const std::string& study) {
  std::error_code error;
  for (const std::string& name : fresh_names_in(points_folder(study))) {
    if (name.find(part_infix) != std::string::npos) fs::remove_all(points_folder(study) + "/" + name, error);
  }
}

}  // namespace teslasim

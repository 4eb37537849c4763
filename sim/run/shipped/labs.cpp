// SPDX-License-Identifier: Apache-2.0
#include "sim/run/shipped/labs.h"

#include <filesystem>
#include <span>
#include <string_view>

#include "sim/base/embedded_file.h"
#include "sim/base/output_file.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> embedded_labs;  // embedded by the root CMakeLists.txt

std::vector<Lab> labs() {
  constexpr std::string_view page = "README.md", begin = "# Lab ", between = ": ", teacher = "/teacher/";
  std::vector<Lab> found;
  for (const EmbeddedFile& file : embedded_labs) {
    if (!file.name.ends_with(page) || file.name.find(teacher) != std::string_view::npos) continue;
    // The first line is "# Lab 4: bank conflicts".
    const std::string_view line = file.text.substr(begin.size(), file.text.find('\n') - begin.size());
    const std::size_t colon = line.find(between);
    found.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + between.size())),
                     std::string(file.name.substr(0, file.name.size() - page.size()))});
  }
  return found;
}

void copy_lab(const Lab& lab, const std::string& folder, LabReader reader) {
  for (const EmbeddedFile& file : embedded_labs) {
    if (!file.name.starts_with(lab.folder)) continue;
    const std::filesystem::path name = file.name.substr(lab.folder.size());
    if (name.has_parent_path() && reader == LabReader::student) continue;
    const std::filesystem::path place = folder / name;
    std::filesystem::create_directories(place.parent_path());
    write_file(place.string(), file.text);
  }
}

}  // namespace teslasim

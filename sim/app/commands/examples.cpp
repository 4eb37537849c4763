// SPDX-License-Identifier: Apache-2.0
#include "sim/app/commands/examples.h"

#include <set>
#include <span>
#include <string_view>

#include "sim/base/embedded_file.h"
#include "sim/base/output_file.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> embedded_examples;  // embedded by the root CMakeLists.txt

namespace {

constexpr std::string_view root = "traces/";

std::string_view folder_of(std::string_view name) {
  name.remove_prefix(root.size());
  return name.substr(0, name.find('/'));
}

std::string_view base_name(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

}  // namespace

std::vector<std::string> example_names() {
  std::set<std::string> names;
  for (const EmbeddedFile& file : embedded_examples) {
    if (file.name.ends_with(".launch.toml")) names.emplace(folder_of(file.name));
  }
  return {names.begin(), names.end()};
}

std::string example_readme(const std::string& name) {
  for (const EmbeddedFile& file : embedded_examples) {
    if (folder_of(file.name) == name && base_name(file.name) == "README.md") return std::string(file.text);
  }
  return "";
}

void copy_example(const std::string& name, const std::string& folder) {
  for (const EmbeddedFile& file : embedded_examples) {
    if (folder_of(file.name) != name || base_name(file.name) == "README.md") continue;
    write_file(folder + "/" + std::string(base_name(file.name)), file.text);
  }
}

}  // namespace teslasim

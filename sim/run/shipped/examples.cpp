// SPDX-License-Identifier: Apache-2.0
#include "sim/run/shipped/examples.h"

#include <set>
#include <span>
#include <string_view>

#include "sim/base/embedded_file.h"
#include "sim/base/output_file.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> embedded_examples;  // embedded by the root CMakeLists.txt

namespace {

constexpr std::string_view examples_root = "traces/";

std::string_view example_of(std::string_view name) {
  name.remove_prefix(examples_root.size());
  return name.substr(0, name.find('/'));
}

std::string_view file_name_of(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

}  // namespace

std::vector<std::string> example_names() {
  std::set<std::string> names;
  for (const EmbeddedFile& file : embedded_examples) {
    if (file.name.ends_with(".launch.toml")) names.emplace(example_of(file.name));
  }
  return {names.begin(), names.end()};
}

std::string example_readme(const std::string& name) {
  for (const EmbeddedFile& file : embedded_examples) {
    if (example_of(file.name) == name && file_name_of(file.name) == "README.md") return std::string(file.text);
  }
  return "";
}

void copy_example(const std::string& name, const std::string& folder) {
  for (const EmbeddedFile& file : embedded_examples) {
    if (example_of(file.name) != name || file_name_of(file.name) == "README.md") continue;
    write_file(folder + "/" + std::string(file_name_of(file.name)), file.text);
  }
}

}  // namespace teslasim

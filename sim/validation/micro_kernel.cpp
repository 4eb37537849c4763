// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/micro_kernel.h"

#include <span>
#include <sstream>

#include "frontend/frontend.h"
#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> micro_files;  // embedded by the root CMakeLists.txt

namespace {

/// The words of a line without its comment.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line.substr(0, line.find("//")));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string_view micro_file(std::string_view name) {
  for (const EmbeddedFile& file : micro_files) {
    const std::string_view path = file.name;
    if (path.substr(path.rfind('/') + 1) == name) return file.text;
  }
  return {};
}

std::string micro_kernel_text(const MicroKernel& kernel) {
  const std::string_view source = micro_file(kernel.file + ".asm");
  SIM_CHECK(!source.empty(), "there is no traces/micro/" + kernel.file + ".asm");
  MicroParameters left = kernel.parameters;
  std::string text;
  bool found = false;
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() == 3 && words[0] == ".equ" && words[1].ends_with(',')) {
      const auto value = left.find(std::string_view(words[1]).substr(0, words[1].size() - 1));
      if (value != left.end()) {
        line = ".equ " + value->first + ", " + std::to_string(value->second);
        left.erase(value);
      }
    } else if (words.size() == 2 && words[0] == kernel.wrapper && line.front() != ' ') {
      if (words[1] == kernel.step) {
        found = true;
      } else {
        line.clear();
      }
    } else if (words.size() == 2 && line.front() != ' ' && line.front() != '.') {
      line.clear();
    }
    text += line + "\n";
  }
  SIM_CHECK(found, kernel.file + ".asm makes no kernel '" + kernel.wrapper + " " + kernel.step + "'");
  SIM_CHECK(left.empty(), kernel.file + ".asm has no parameter " + (left.empty() ? "" : left.begin()->first));
  return text;
}

std::shared_ptr<const Module> assemble(const MicroKernel& kernel) {
  return std::make_shared<const Module>(
      read_module_bytes("traces/micro/" + kernel.file + ".asm", micro_kernel_text(kernel)));
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Helpers of the workload tests: a module without code, launches from text, errors as short strings.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/workload.h"
#include "frontend/workload/read/load.h"
#include "sim/base/diagnostic.h"

namespace teslasim::workload_test {

/// A module whose only kernel `scale` has the parameters ptr in, ptr out, u32 n, f32 factor.
inline std::shared_ptr<const Module> scale_module() {
  Kernel kernel;
  kernel.name = "scale";
  kernel.parameters = {
      {"in", ValueType::b32, 0}, {"out", ValueType::b32, 4}, {"n", ValueType::u32, 8}, {"factor", ValueType::f32, 12}};
  auto module = std::make_shared<Module>();
  module->path = "scale.asm";
  module->kernels = {kernel};
  return module;
}

/// A module of kernels that declare no parameters, as cubins have them.
inline std::shared_ptr<const Module> module_with(const std::vector<std::string>& kernels) {
  auto module = std::make_shared<Module>();
  module->path = "test.cubin";
  for (const std::string& name : kernels) module->kernels.emplace_back().name = name;
  return module;
}

inline std::shared_ptr<const Module> any_module() {
  return module_with({"test"});
}

inline Workload read(std::string_view text, std::shared_ptr<const Module> module = any_module()) {
  return workload_from_text("test.launch.toml", text, std::move(module));
}

/// "CODE line:column+length message" for each error, in the order in which they are reported.
inline std::vector<std::string> summaries(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> all;
  for (const Diagnostic& d : diagnostics) {
    all.push_back(d.code + " " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + "+" +
                  std::to_string(d.where.length) + " " + d.message);
  }
  return all;
}

inline std::vector<Diagnostic> diagnostics_of(std::string_view text,
                                              std::shared_ptr<const Module> module = any_module()) {
  try {
    (void)read(text, std::move(module));
  } catch (const InputError& error) {
    return error.diagnostics();
  }
  return {};
}

inline std::vector<std::string> errors_of(std::string_view text, std::shared_ptr<const Module> module = any_module()) {
  return summaries(diagnostics_of(text, std::move(module)));
}

/// A launch file around one line, which becomes line 4.
inline std::string around(const std::string& line) {
  return "schema = \"teslasim.launch/1\"\ngrid = [1]\nblock = [32]\n" + line + "\n";
}
/// A launch file with one parameter on line 4, column 11.
inline std::string with_parameter(const std::string& entry) {
  return around("param = [ " + entry + " ]");
}

template <class Value>
std::vector<Value> values_of(const std::vector<std::byte>& bytes) {
  std::vector<Value> values(bytes.size() / sizeof(Value));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
template <class Value>
std::vector<std::byte> bytes_from(const std::vector<Value>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(Value));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A folder that is removed at the end of a test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "teslasim-workload-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string write(const std::string& name, const std::vector<std::byte>& bytes) const {
    return write(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace teslasim::workload_test

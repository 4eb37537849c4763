// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <teslasim/kernel.h>

#include <filesystem>
#include <utility>

#include "frontend/clang/compile_cuda.h"
#include "frontend/clang/kernel_names.h"
#include "frontend/clang/nvcc_words.h"
#include "frontend/frontend.h"
#include "frontend/workload/read/source_text.h"
#include "isa/names.h"
#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"
#include "sim/embed/errors.h"
#include "sim/embed/kernel_state.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/run/result_parts.h"

namespace teslasim::embed {
namespace {

constexpr std::uint8_t level_of_default_machine = 13;

/// Clang reads files: a text of CUDA C lies in one while it is compiled.
Module read_text(const std::string& file, const std::string& text, const ReadOptions& options) {
  if (!cuda::is_cuda_file(file)) return read_module_bytes(file, text, options);
  const TemporaryFolder folder("source");
  const std::string path = folder.file(std::filesystem::path(file).filename().string());
  write_file(path, text);
  return read_module(path, options);
}

Module read(const Kernel::State& kernel, std::uint8_t level, const std::string& machine) {
  ReadOptions options;
  options.machine_sm = level;
  options.machine = machine;
  options.allow_unaligned = kernel.options.allow_unaligned;
  options.cuda = cuda::options_of_words(kernel.options.compile, "compile");
  return kernel.text ? read_text(kernel.file, *kernel.text, options) : read_module(kernel.file, options);
}

std::shared_ptr<Kernel::State> state_of(std::string file, std::optional<std::string> text, const std::string& name,
                                        const CodeOptions& options) {
  auto state = std::make_shared<Kernel::State>();
  state->file = std::move(file);
  state->text = std::move(text);
  state->options = options;
  state->module = state->module_for(level_of_default_machine, default_machine);
  const teslasim::Kernel& code = kernel_of(*state->module, name);
  state->name = code.name;
  for (const Parameter& parameter : code.parameters) {
    const std::uint32_t bytes = parameter.bytes != 0 ? parameter.bytes : bytes_of(parameter.type);
    const std::string type = parameter.type == ValueType::none ? "none" : std::string(type_name(parameter.type));
    state->parameters.push_back({parameter.name, type, parameter.offset, bytes});
  }
  return state;
}

}  // namespace

const teslasim::Kernel& kernel_of(const Module& module, const std::string& name) {
  if (const teslasim::Kernel* kernel = cuda::find_kernel(module, name)) return *kernel;
  if (name.empty() && module.kernels.size() == 1) return module.kernels.front();
  std::vector<std::string> names;
  for (const teslasim::Kernel& kernel : module.kernels) names.push_back(kernel.name);
  const std::string file = std::filesystem::path(module.path).filename().string();
  Diagnostic problem;
  problem.code = "LAUNCH-KERNEL";
  problem.where.file = module.path;
  problem.message = name.empty() ? fmt::format("'{}' has {} kernels: say which to run", file, names.size())
                                 : fmt::format("there is no kernel '{}' in '{}'", name, file);
  problem.help = name.empty() ? "the kernels are: " + listed(names) : did_you_mean(name, names, "the kernels are");
  throw InputError(ExitCode::input, std::move(problem));
}

std::shared_ptr<const Module> Kernel::State::module_for(std::uint8_t level, const std::string& machine) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Module>& place = modules_[level];
  if (!place) place = std::make_shared<const Module>(read(*this, level, machine));
  return place;
}

const teslasim::Kernel& Kernel::State::code() const {
  return kernel_of(*module, name);
}

Kernel::Kernel(std::shared_ptr<State> state) : state_(std::move(state)) {}

Kernel Kernel::from_file(const std::string& path, const std::string& name, const CodeOptions& options) {
  return translated([&] { return Kernel(state_of(path, std::nullopt, name, options)); });
}

Kernel Kernel::from_text(const std::string& text, const std::string& file_name, const std::string& name,
                         const CodeOptions& options) {
  return translated([&] { return Kernel(state_of(file_name, text, name, options)); });
}

std::vector<std::string> Kernel::names(const std::string& path, const CodeOptions& options) {
  return translated([&] {
    State state;
    state.file = path;
    state.options = options;
    std::vector<std::string> names;
    for (const teslasim::Kernel& kernel : read(state, level_of_default_machine, default_machine).kernels)
      names.push_back(kernel.name);
    return names;
  });
}

const std::string& Kernel::name() const {
  return state_->name;
}
const std::string& Kernel::file() const {
  return state_->file;
}
const std::vector<ParameterInfo>& Kernel::parameters() const {
  return state_->parameters;
}
std::uint32_t Kernel::registers() const {
  return state_->code().registers;
}
std::uint32_t Kernel::shared_bytes() const {
  return state_->code().shared_bytes;
}
std::uint32_t Kernel::local_bytes() const {
  return state_->code().local_bytes;
}
std::size_t Kernel::instructions() const {
  return state_->code().code.size();
}

std::string Kernel::listing() const {
  std::string text;
  for (const ListingLine& line : listing_of(state_->code())) text += fmt::format("{:#06x}  {}\n", line.pc, line.text);
  return text;
}

}  // namespace teslasim::embed

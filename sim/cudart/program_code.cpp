// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/program_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "sim/base/diagnostic.h"
#include "sim/cudart/host_memory.h"
#include "sim/run/console.h"

namespace teslasim::cudart {
namespace {

[[noreturn]] void refuse_image(std::string message, std::string help) {
  Diagnostic problem;
  problem.code = "CUDA-IMAGE";
  problem.message = std::move(message);
  problem.help = std::move(help);
  throw InputError(ExitCode::input, std::move(problem));
}

/// What is wrong with the code is said once: a program goes on calling.
cuda::CudaCompilation code_for(ProgramCode::Image& image, const cuda::PortableCode& chosen, std::uint8_t machine_sm) {
  try {
    return cuda::machine_code(chosen, machine_sm);
  } catch (const InputError&) {
    image.refused_for = machine_sm;
    throw;
  }
}

/// The code for the highest level up to that of the machine, else the lowest.
const cuda::PortableCode& choose(const std::vector<cuda::PortableCode>& codes, std::uint8_t machine_sm) {
  const cuda::PortableCode* best = nullptr;
  for (const cuda::PortableCode& code : codes) {
    if (code.code.sm <= machine_sm && (best == nullptr || code.code.sm > best->code.sm)) best = &code;
  }
  if (best != nullptr) return *best;
  return *std::min_element(codes.begin(), codes.end(), [](const cuda::PortableCode& a, const cuda::PortableCode& b) {
    return a.code.sm < b.code.sm;
  });
}

/// teslasim-nvcc has compiled for a level with doubles, the machine has none.
void tell_of_lost_doubles(std::vector<Diagnostic> warnings) {
  std::erase_if(warnings, [](const Diagnostic& warning) { return warning.code != "CUDA-DOUBLE"; });
  if (!warnings.empty()) print_diagnostics(warnings, Paint::plain);
}

}  // namespace

ProgramCode::Image* ProgramCode::add_image(const char* data) {
  images_.push_back(std::make_unique<Image>(Image{data}));
  return images_.back().get();
}

void ProgramCode::add_function(Image* image, const void* stub, std::string name) {
  functions_[stub] = {image, std::move(name), nullptr};
}

void ProgramCode::add_variable(Image* image, const void* host, std::string name) {
  variables_[host] = {image, std::move(name)};
}

void ProgramCode::add_texture(Image* image, const void* host, std::string name, bool normalised_values) {
  auto state = std::make_unique<TextureState>();
  state->name = std::move(name);
  state->normalised_values = normalised_values;
  image->textures[state->name] = state.get();
  textures_[host] = std::move(state);
}

void ProgramCode::remove_image(const Image* image) {
  const auto of_image = [image](const auto& entry) { return entry.second.image == image; };
  std::erase_if(functions_, of_image);
  std::erase_if(variables_, of_image);
  std::erase_if(images_, [image](const std::unique_ptr<Image>& one) { return one.get() == image; });
}

LoadedCode& ProgramCode::load(Image& image, DeviceHeap& heap, std::uint8_t machine_sm) const {
  if (image.loaded) return *image.loaded;
  if (image.refused_for == machine_sm)
    refuse_image("no code could be made of this file's kernels for this machine, as was said before",
                 "choose a machine that has what they need, or leave that out");
  std::string head(cuda::packed_head_bytes, '\0');
  const bool readable = image.data != nullptr && read_host(head.data(), image.data, head.size());
  const std::optional<std::size_t> bytes = readable ? cuda::packed_bytes(head) : std::nullopt;
  if (!bytes) refuse_image("the program carries device code of another compiler", "compile it with teslasim-nvcc");
  std::string text(*bytes, '\0');
  const bool whole = read_host(text.data(), image.data, text.size());
  const std::optional<std::vector<cuda::PortableCode>> codes = whole ? cuda::unpacked(text) : std::nullopt;
  if (!codes) refuse_image("the device code in the program is damaged", "compile it again with teslasim-nvcc");
  const cuda::PortableCode& chosen = choose(*codes, machine_sm);
  cuda::CudaCompilation code = code_for(image, chosen, machine_sm);
  if (machine_sm < chosen.code.sm) tell_of_lost_doubles(code.module.warnings);
  image.loaded = std::make_unique<LoadedCode>(std::make_shared<const Module>(std::move(code.module)), heap, machine_sm);
  return *image.loaded;
}

ProgramCode::Function* ProgramCode::function(const void* stub, DeviceHeap& heap, std::uint8_t machine_sm) {
  const auto by_address = functions_.find(stub);
  Function* function = by_address == functions_.end() ? function_named(stub) : &by_address->second;
  if (function != nullptr && function->kernel == nullptr)
    function->kernel = load(*function->image, heap, machine_sm).kernel(function->name);
  return function;
}

ProgramCode::Function* ProgramCode::function_named(const void* text) {
  const std::optional<std::string> name = host_text(text);
  for (auto& [stub, function] : functions_) {
    if (name && (function.name == *name || cuda::plain_kernel_name(function.name) == *name)) return &function;
  }
  return nullptr;
}

const ProgramCode::Variable* ProgramCode::variable_named(const Image& image, const std::string& name) const {
  const Variable* by_plain_name = nullptr;
  for (const auto& [host, variable] : variables_) {
    if (variable.image != &image) continue;
    if (variable.name == name) return &variable;
    if (cuda::plain_kernel_name(variable.name) == name) by_plain_name = &variable;
  }
  return by_plain_name;
}

std::vector<SymbolPlace> ProgramCode::symbols(const void* symbol, DeviceHeap& heap, std::uint8_t machine_sm) {
  std::vector<SymbolPlace> places;
  const auto add = [&](Image& image, const std::string& name) {
    const SymbolPlace* place = load(image, heap, machine_sm).symbol(name);
    if (place != nullptr) places.push_back(*place);
  };
  if (const auto by_address = variables_.find(symbol); by_address != variables_.end()) {
    add(*by_address->second.image, by_address->second.name);
    return places;
  }
  const std::optional<std::string> name = host_text(symbol);
  if (!name) return places;
  // Nothing registers a static variable whose address no host code takes.
  const std::string static_name = fmt::format("_ZL{}{}", name->size(), *name);
  for (const std::unique_ptr<Image>& image : images_) {
    const Variable* variable = variable_named(*image, *name);
    add(*image, variable != nullptr ? variable->name : static_name);
  }
  return places;
}

TextureState* ProgramCode::texture(const void* host) {
  const auto found = textures_.find(host);
  return found == textures_.end() ? nullptr : found->second.get();
}

const void* ProgramCode::texture_by(const void* symbol) const {
  if (textures_.contains(symbol)) return symbol;
  const std::optional<std::string> name = host_text(symbol);
  for (const auto& [host, state] : textures_) {
    if (name && (state->name == *name || cuda::plain_kernel_name(state->name) == *name)) return host;
  }
  return nullptr;
}

void ProgramCode::unload() {
  for (const std::unique_ptr<Image>& image : images_) image->loaded.reset();
  for (auto& [stub, function] : functions_) function.kernel = nullptr;
  for (auto& [host, state] : textures_) state->bound = {};
}

}  // namespace teslasim::cudart

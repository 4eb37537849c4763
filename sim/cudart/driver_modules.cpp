// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/driver_modules.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

constexpr std::size_t largest_image = std::size_t{64} << 20U;

/// Where the tables of headers end: behind everything in files of nvcc and of ours.
template <typename Header>
std::optional<std::size_t> elf_bytes(const void* image) {
  Header header;
  if (!read_host(&header, image, sizeof(header))) return std::nullopt;
  const std::uint64_t sections = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  const std::uint64_t segments = header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize;
  const std::uint64_t bytes = std::max(sections, segments);
  return bytes <= largest_image ? std::optional<std::size_t>(bytes) : std::nullopt;
}

std::optional<std::string> text_bytes(const char* image) {
  std::string text;
  for (char next = 0; text.size() < largest_image; text += next) {
    if (!read_host(&next, image + text.size(), 1)) return std::nullopt;
    if (next == '\0') return text;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> image_bytes(const void* image) {
  unsigned char head[EI_NIDENT];
  if (!read_host(head, image, sizeof(head))) return std::nullopt;
  if (std::memcmp(head, ELFMAG, SELFMAG) != 0) return text_bytes(static_cast<const char*>(image));
  const std::optional<std::size_t> bytes =
      head[EI_CLASS] == ELFCLASS64 ? elf_bytes<Elf64_Ehdr>(image) : elf_bytes<Elf32_Ehdr>(image);
  if (!bytes) return std::nullopt;
  std::string contents(*bytes, '\0');
  if (!read_host(contents.data(), image, contents.size())) return std::nullopt;
  return contents;
}

std::size_t DriverModules::add(std::unique_ptr<LoadedCode> code) {
  modules_.push_back(std::move(code));
  return modules_.size() - 1;
}

LoadedCode* DriverModules::module(std::size_t number) const {
  return number < modules_.size() ? modules_[number].get() : nullptr;
}

bool DriverModules::remove(std::size_t number) {
  if (module(number) == nullptr) return false;
  modules_[number].reset();
  textures.remove(number);
  return true;
}

std::size_t DriverModules::add_function(std::size_t number, const std::string& name) {
  LoadedCode* code = module(number);
  LoadedKernel* kernel = code != nullptr ? code->kernel(name) : nullptr;
  if (kernel == nullptr) return 0;
  DriverFunction function;
  function.module = number;
  function.kernel = kernel;
  functions_.push_back(std::move(function));
  return functions_.size() - 1;
}

DriverFunction* DriverModules::function(std::size_t number) {
  if (number == 0 || number >= functions_.size()) return nullptr;
  DriverFunction& function = functions_[number];
  return module(function.module) != nullptr ? &function : nullptr;
}

void DriverModules::clear() {
  for (std::unique_ptr<LoadedCode>& one : modules_) one.reset();
  textures.clear();
}

}  // namespace teslasim::cudart

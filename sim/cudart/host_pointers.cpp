// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/host_pointers.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>

#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

/// Addresses of the chip have 32 bits: what has more is of the host, if something lies there.
bool is_of_host(std::uint64_t value) {
  std::byte first{};
  return value >> 32U != 0 && read_host(&first, std::bit_cast<const void*>(value), 1);
}

std::vector<std::string> host_arguments(const Kernel& kernel, const std::vector<std::uint8_t>& parameters) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    std::uint64_t value = 0;
    const bool is_wide = parameter.bytes == sizeof(value) || bytes_of(parameter.type) == sizeof(value);
    if (!is_wide || parameters.size() < parameter.offset + sizeof(value)) continue;
    std::memcpy(&value, parameters.data() + parameter.offset, sizeof(value));
    if (is_of_host(value))
      found.push_back(fmt::format("argument {} of the kernel is {:#x}, an address of the host", i + 1, value));
  }
  return found;
}

}  // namespace

void note_host_pointers(const Kernel& kernel, const std::vector<std::uint8_t>& parameters,
                        std::vector<Diagnostic>& errors) {
  for (Diagnostic& error : errors) {
    if (error.code != "MEM-OOB" || !error.message.starts_with("global")) continue;
    const std::vector<std::string> found = host_arguments(kernel, parameters);
    if (found.empty()) continue;
    error.notes.insert(error.notes.end(), found.begin(), found.end());
    error.help = "give kernels addresses of cudaMalloc, and copy with cudaMemcpy";
  }
}

}  // namespace teslasim::cudart

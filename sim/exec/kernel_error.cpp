// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/kernel_error.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "isa/disassembler.h"
#include "memory/image/device_memory.h"
#include "sim/exec/address_origin.h"

namespace teslasim {

namespace {

unsigned element_bytes(const std::string& element_type) {
  const std::size_t digits = element_type.find_first_of("0123456789");
  if (digits == std::string::npos) return 1;
  const unsigned bits = static_cast<unsigned>(std::stoul(element_type.substr(digits)));
  return bits < 8 ? 1 : bits / 8;
}

std::string describe_buffer(const Buffer& buffer) {
  const std::string& type = buffer.element_type.empty() ? std::string("u8") : buffer.element_type;
  return fmt::format("'{}' ({}[{}])", buffer.name, type, buffer.bytes / element_bytes(type));
}

/// What a thread reaches through a null pointer itself, with a small index or member. Buffers begin at 4096.
constexpr Address end_of_null_pointers = 512;

std::string null_pointer_text(Address address) {
  return address == 0 ? "a null pointer" : fmt::format("{} B after a null pointer", address);
}

/// The user wrote CUDA C or PTX, not assembly.
bool is_compiled(const FaultPlace& place) {
  return place.launch->module != nullptr && place.launch->module->compiled;
}

}  // namespace

std::string describe_lanes(LaneMask lanes) {
  std::string text;
  unsigned listed = 0;
  for (LaneMask rest = lanes; rest != 0;) {
    const auto first = static_cast<unsigned>(std::countr_zero(rest));
    const auto length = static_cast<unsigned>(std::countr_one(rest >> first));
    text += listed == 0 ? "" : ",";
    text += length == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + length - 1);
    rest = first + length >= warp_size ? 0 : rest >> (first + length) << (first + length);
    ++listed;
  }
  return fmt::format("lane{} {} (mask {:#010x})", std::popcount(lanes) == 1 ? "" : "s", text, lanes);
}

std::string describe_block(const Launch& launch, BlockIndex block) {
  const std::uint64_t x = block % launch.grid[0];
  const std::uint64_t y = block / launch.grid[0] % launch.grid[1];
  return fmt::format("block ({},{})", x, y);
}

std::string describe_address(const Buffer* buffer, Address address) {
  if (buffer == nullptr) return "there is no buffer";
  if (address < buffer->address) {
    return fmt::format("{} B before the start of {}", buffer->address - address, describe_buffer(*buffer));
  }
  const std::uint64_t end = buffer->address + buffer->bytes;
  if (address < end) return fmt::format("{} B before the end of {}", end - address, describe_buffer(*buffer));
  return fmt::format("{} B after the end of {}", address - end, describe_buffer(*buffer));
}

std::string describe_address(const DeviceMemory& memory, Address address) {
  return describe_address(memory.likely(address), address);
}

Diagnostic kernel_diagnostic(const FaultPlace& place, std::string code, std::string message,
                             const std::string& detail) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  const Launch& launch = *place.launch;
  if (launch.module != nullptr) diagnostic.where.file = launch.module->path;
  std::string text;
  if (place.instruction != nullptr) {
    const std::uint32_t line = place.instruction->source_line;
    diagnostic.where.line = line;
    if (launch.module != nullptr && line >= 1 && line <= launch.module->source_lines.size()) {
      diagnostic.excerpt = launch.module->source_lines[line - 1];
    }
    diagnostic.details.push_back(fmt::format("pc {:#06x}  {}", place.instruction->pc, to_text(*place.instruction)));
  }
  text = fmt::format("SM {}, {}, warp {}", place.sm, describe_block(launch, place.block), place.warp);
  if (place.lanes != 0) text += ", " + describe_lanes(place.lanes);
  if (!detail.empty()) text += ", " + detail;
  diagnostic.details.push_back(std::move(text));
  return diagnostic;
}

void throw_kernel_error(Diagnostic diagnostic) {
  throw InputError(ExitCode::kernel, std::move(diagnostic));
}

void throw_global_error(const GlobalFault& fault) {
  if (fault.misaligned) {
    Diagnostic error =
        kernel_diagnostic(fault.place, "MEM-ALIGN", fmt::format("misaligned global {}", fault.verb),
                          fmt::format("address {:#010x} is not a multiple of {}", fault.address, fault.bytes));
    error.help = "an access of 2, 4, 8 or 16 bytes must start at a multiple of its size";
    throw_kernel_error(std::move(error));
  }
  const Launch& launch = *fault.place.launch;
  const Buffer* meant = fault.place.instruction != nullptr ? address_origin(launch, *fault.place.instruction) : nullptr;
  const bool is_null = meant == nullptr && fault.address < end_of_null_pointers;
  if (meant == nullptr) meant = launch.memory->likely(fault.address);
  Diagnostic error = kernel_diagnostic(
      fault.place, "MEM-OOB", fmt::format("global {} outside any buffer", fault.verb),
      fmt::format("address {:#010x} = {}", fault.address,
                  is_null ? null_pointer_text(fault.address) : describe_address(meant, fault.address)));
  if (is_null) error.help = "is the pointer set, and is what it points to allocated?";
  if (meant != nullptr && fault.address >= meant->address + meant->bytes) {
    error.help = fmt::format("the grid has {} threads; a guard such as {} may be missing",
                             launch.blocks() * launch.threads_per_block(),
                             is_compiled(fault.place) ? "'if (i < n)'" : "'set.ge.u32 ...' with a predicated 'return'");
  }
  throw_kernel_error(std::move(error));
}

void throw_on_chip_error(const OnChipFault& fault) {
  if (!fault.aligned) {
    Diagnostic error =
        kernel_diagnostic(fault.place, "MEM-ALIGN", fmt::format("misaligned {} access", fault.space),
                          fmt::format("address {:#06x} is not a multiple of {}", fault.address, fault.bytes));
    error.help = "an access of 2, 4, 8 or 16 bytes must start at a multiple of its size";
    throw_kernel_error(std::move(error));
  }
  Diagnostic error =
      kernel_diagnostic(fault.place, "MEM-OOB", fmt::format("{} access outside the allocation", fault.space),
                        fmt::format("address {:#06x}, the allocation has {} bytes", fault.address, fault.limit));
  error.help = is_compiled(fault.place)
                   ? "check the index; the size of an extern __shared__ array is the third value in <<<...>>>"
                   : "raise .smem, .lmem or the constants of the launch, or check the index";
  throw_kernel_error(std::move(error));
}

}  // namespace teslasim

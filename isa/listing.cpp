// SPDX-License-Identifier: Apache-2.0
// Kernels and modules as text: listings with addresses, and files that the assembler reads back.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "isa/disassembler.h"
#include "isa/names.h"

namespace teslasim {
namespace {

std::string label_prefix(const Kernel& kernel, std::uint32_t address) {
  const auto found = kernel.labels.find(address);
  return found == kernel.labels.end() ? "" : fmt::format("{}: ", found->second);
}

bool is_word(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && (name[0] < '0' || name[0] > '9') && std::all_of(name.begin(), name.end(), plain);
}

/// A name as the assembler takes it: in quotes when it is more than letters, digits and '_'.
std::string entry_name(const std::string& name) {
  return is_word(name) ? name : fmt::format("\"{}\"", name);
}

std::uint32_t size_of(const Parameter& parameter) {
  return parameter.bytes != 0 ? parameter.bytes : bytes_of(parameter.type);
}

/// Binaries tell places and sizes alone. Damaged ones may tell what no assembler takes: that is a remark.
std::string placed_parameters(const Kernel& kernel) {
  std::string text;
  std::set<std::string> taken;
  for (const auto& [address, label] : kernel.labels) taken.insert(label);
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    const std::string name = is_word(parameter.name) ? parameter.name : fmt::format("p{}", i);
    const std::uint32_t bytes = size_of(parameter);
    const bool taken_in = bytes != 0 && parameter.offset >= end && taken.insert(name).second;
    text += fmt::format("{}.param bytes {}, {}, {:#06x}\n", taken_in ? "" : "// ", name, bytes,
                        launch_header_bytes + parameter.offset);
    if (taken_in) end = parameter.offset + bytes;
  }
  return text;
}

std::string parameter_lines(const Kernel& kernel) {
  if (!kernel.parameters_named) return placed_parameters(kernel);
  std::string text;
  for (const Parameter& parameter : kernel.parameters)
    text += fmt::format(".param {} {}\n", type_name(parameter.type), parameter.name);
  return text;
}

bool has_odd_long(const Kernel& kernel) {
  constexpr std::uint32_t long_bytes = 8;
  return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instruction& instruction) {
    return instruction.bytes == long_bytes && instruction.pc % long_bytes != 0;
  });
}

std::string constant_lines(const std::vector<ConstantSegment>& segments) {
  constexpr std::size_t bytes_per_line = 16;
  std::string text;
  for (const ConstantSegment& segment : segments) {
    for (std::size_t start = 0; start < segment.bytes.size(); start += bytes_per_line) {
      text += fmt::format(".const c{}[{:#06x}] : u8", segment.bank, segment.offset + start);
      for (std::size_t i = start; i < std::min(start + bytes_per_line, segment.bytes.size()); ++i)
        text += fmt::format("{}{:#04x}", i == start ? " " : ", ", segment.bytes[i]);
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::string listing(const Kernel& kernel) {
  std::string text;
  for (const Instruction& instruction : kernel.code) {
    text += fmt::format("{:06x}: {}{}\n", instruction.pc, label_prefix(kernel, instruction.pc),
                        to_text(instruction, &kernel));
  }
  return text;
}

void name_targets(Kernel& kernel) {
  std::set<std::string> taken;
  for (const auto& [address, name] : kernel.labels) taken.insert(name);
  std::set<std::uint32_t> targets;
  for (const Instruction& instruction : kernel.code) {
    if (has_target(instruction.opcode) && !kernel.labels.contains(instruction.branch().target))
      targets.insert(instruction.branch().target);
  }
  unsigned number = 0;
  for (const std::uint32_t target : targets) {
    std::string name;
    do name = fmt::format("label{}", number++);
    while (taken.contains(name));
    kernel.labels.emplace(target, name);
  }
}

std::string to_assembly(const Kernel& original, const InstructionPrinter& print) {
  Kernel kernel = original;
  name_targets(kernel);
  std::string text = fmt::format(".entry {}\n{{\n", entry_name(kernel.name));
  if (has_odd_long(kernel)) text += ".unaligned\n";
  text += fmt::format(".lmem {}\n.smem {}\n.reg {}\n.bar {}\n", kernel.local_bytes, kernel.shared_bytes,
                      kernel.registers, kernel.barriers);
  text += parameter_lines(kernel);
  text += constant_lines(kernel.constants);
  for (const Instruction& instruction : kernel.code)
    text += fmt::format("{}{}\n", label_prefix(kernel, instruction.pc),
                        print ? print(instruction, kernel) : to_text(instruction, &kernel));
  return text + "}\n";
}

std::string listing(const Module& module, const InstructionPrinter& print) {
  std::string text = fmt::format(".arch sm_{}\n", module.sm);
  text += constant_lines(module.constants);
  for (const Kernel& kernel : module.kernels) text += to_assembly(kernel, print);
  return text;
}

}  // namespace teslasim

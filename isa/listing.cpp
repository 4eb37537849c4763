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

/// A name as the assembler takes it: in quotes when it is more than letters, digits and '_'.
std::string entry_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool word = !name.empty() && (name[0] < '0' || name[0] > '9') && std::all_of(name.begin(), name.end(), plain);
  return word ? name : fmt::format("\"{}\"", name);
}

/// Binaries tell sizes alone: those are remarks, since `.param` declares names that launches must use.
std::string parameter_line(const Kernel& kernel, const Parameter& parameter) {
  if (kernel.parameters_named) return fmt::format(".param {} {}\n", type_name(parameter.type), parameter.name);
  return fmt::format("// parameter {}: {} bytes at s[{:#06x}]\n", parameter.name, parameter.bytes,
                     launch_header_bytes + parameter.offset);
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
  for (const Parameter& parameter : kernel.parameters) text += parameter_line(kernel, parameter);
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

// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/text/cursor.h"
#include "frontend/text/instruction_parser.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"
#include "isa/names.h"
#include "sim/base/excerpt.h"

namespace teslasim {
namespace {

/// The level at which the words of an instruction exist: that of the module, or higher for words that only the machine
/// knew.
std::uint8_t level_of(const Instruction& instruction, std::uint8_t sm) {
  return std::max(sm, required_sm(instruction));
}

std::string words_text(const Instruction& instruction, std::uint8_t sm, std::string_view between,
                       std::string_view prefix) {
  const Encoding encoding = encode(instruction, level_of(instruction, sm));
  if (!encoding.words) return "-";
  if (encoding.words->bytes == 4) return fmt::format("{}{:08x}", prefix, encoding.words->first);
  return fmt::format("{2}{0:08x}{3}{2}{1:08x}", encoding.words->first, encoding.words->second, prefix, between);
}

std::string resources(const Kernel& kernel) {
  return fmt::format("{} registers, {} B shared, {} B local, {} barriers", kernel.registers, kernel.shared_bytes,
                     kernel.local_bytes, kernel.barriers);
}

/// decuda's rows: offset and words.
std::string segment_rows(const ConstantSegment& segment) {
  constexpr std::size_t row_bytes = 16, word_bytes = 4;
  std::string text = fmt::format("// segment: const ({}:{:04x})\n", segment.bank, segment.offset);
  for (std::size_t row = 0; row < segment.bytes.size(); row += row_bytes) {
    text += fmt::format("{:04x}:", row);
    for (std::size_t at = row; at < std::min(row + row_bytes, segment.bytes.size()); at += word_bytes) {
      std::uint32_t word = 0;
      for (std::size_t i = 0; i < word_bytes && at + i < segment.bytes.size(); ++i)
        word |= static_cast<std::uint32_t>(segment.bytes[at + i]) << (8 * i);
      text += fmt::format(" {:08x}", word);
    }
    text += '\n';
  }
  return text;
}

std::uint32_t constant_word(const Module& module, const Kernel& kernel, const Operand& operand, bool& found) {
  std::uint32_t word = 0;
  const auto look = [&](const std::vector<ConstantSegment>& segments) {
    for (const ConstantSegment& segment : segments) {
      const auto start = static_cast<std::uint32_t>(operand.offset);
      if (segment.bank != operand.bank || start < segment.offset) continue;
      if (start - segment.offset + 4 > segment.bytes.size()) continue;
      word = 0;
      for (std::uint32_t i = 0; i < 4; ++i)
        word |= static_cast<std::uint32_t>(segment.bytes[start - segment.offset + i]) << (8 * i);
      found = true;
    }
  };
  look(module.constants);
  look(kernel.constants);
  return word;
}

std::string operand_remark(const Module& module, const Kernel& kernel, const Operand& operand) {
  if (operand.address_register != 0 || operand.post_increment) return "";
  if (operand.kind == Operand::Kind::constant) {
    bool found = false;
    const std::uint32_t word = constant_word(module, kernel, operand, found);
    return found ? fmt::format("; c{}[{:#x}] holds {:#x}", operand.bank, operand.offset, word) : "";
  }
  if (operand.kind != Operand::Kind::shared) return "";
  for (const Parameter& parameter : kernel.parameters) {
    const std::uint32_t bytes = parameter.bytes != 0 ? parameter.bytes : bytes_of(parameter.type);
    const auto place = static_cast<std::uint32_t>(operand.offset);
    const std::uint32_t start = launch_header_bytes + parameter.offset;
    if (place >= start && place < start + bytes) return fmt::format("; {:#x} is parameter {}", place, parameter.name);
  }
  return "";
}

std::string remark(const Module& module, const Kernel& kernel, const Instruction& instruction) {
  std::string text(instruction.row().description);
  for (const Operand& source : instruction.source) text += operand_remark(module, kernel, source);
  text += operand_remark(module, kernel, instruction.store_target);
  return text;
}

/// The line of CUDA C or PTX that the next instructions were made of, where another one begins.
std::string source_remark(const Module& module, const Instruction& instruction, std::uint32_t& shown) {
  const std::uint32_t line = instruction.source_line;
  if (!module.compiled || line == shown || line == 0 || line > module.source_lines.size()) return "";
  shown = line;
  const std::string& source = module.source_lines[line - 1];
  const std::size_t start = std::min(source.find_first_not_of(" \t"), source.size());
  return fmt::format("// {}:{}: {}\n", std::filesystem::path(module.path).filename().string(), line,
                     printable(std::string_view(source).substr(start)));
}

std::string kernel_listing(const Module& module, const Kernel& kernel, DisassemblyFormat format) {
  constexpr std::size_t text_columns = 50;
  std::string text = fmt::format("// {}: {}, sm_{}, kernel {}: {}\n", module.path, module.container, module.sm,
                                 kernel.name, resources(kernel));
  for (const Parameter& parameter : kernel.parameters) {
    text += fmt::format("// parameter {}: {} bytes at s[{:#06x}]\n", parameter.name,
                        parameter.bytes != 0 ? parameter.bytes : bytes_of(parameter.type),
                        launch_header_bytes + parameter.offset);
  }
  std::uint32_t source_line = 0;
  for (const Instruction& instruction : kernel.code) {
    const auto label = kernel.labels.find(instruction.pc);
    if (label != kernel.labels.end()) text += label->second + ":\n";
    if (format == DisassemblyFormat::annotated) text += source_remark(module, instruction, source_line);
    const std::string line = to_text(instruction, &kernel);
    text += fmt::format("{:06x}: {:<17} {}", instruction.pc, words_text(instruction, module.sm, " ", ""), line);
    if (format == DisassemblyFormat::annotated) {
      text.append(line.size() < text_columns ? text_columns - line.size() : 1, ' ');
      text += "// " + remark(module, kernel, instruction);
    }
    text += '\n';
  }
  for (const ConstantSegment& segment : kernel.constants) text += segment_rows(segment);
  return text;
}

std::string kernel_rows(const Module& module, const Kernel& kernel) {
  std::string text;
  for (const Instruction& instruction : kernel.code) {
    std::string words = words_text(instruction, module.sm, "\t", "");
    if (instruction.bytes == 4) words += '\t';
    text += fmt::format("{}\t{:06x}\t{}\t{}\n", kernel.name, instruction.pc, words, to_text(instruction, &kernel));
  }
  return text;
}

Module with_one_kernel(const Module& module, const std::string& name) {
  Module one = module;
  std::erase_if(one.kernels, [&](const Kernel& kernel) { return kernel.name != name; });
  return one;
}

std::uint8_t level_of(const Module& module) {
  std::uint8_t level = module.sm;
  for (const Kernel& kernel : module.kernels) {
    for (const Instruction& instruction : kernel.code) level = level_of(instruction, level);
  }
  return level;
}

std::string assembly_file(Module module) {
  module.sm = level_of(module);
  return listing(module, [&](const Instruction& instruction, const Kernel& kernel) {
    return exact_text(instruction, module.sm, &kernel);
  });
}

}  // namespace

bool says_the_same(std::string_view text, const Instruction& instruction, std::uint8_t sm) {
  const std::uint8_t level = level_of(instruction, sm);
  try {
    text::Cursor cursor(text);
    const text::Symbols symbols;
    text::ParsedInstruction parsed = text::parse_instruction(cursor, symbols, level);
    if (!parsed.target.empty() && has_target(instruction.opcode))
      parsed.instruction.branch().target = instruction.branch().target;
    const Encoding read = encode(parsed.instruction, level);
    return read.words && read.words == encode(instruction, level).words;
  } catch (const text::TextError&) {
    return false;
  }
}

std::string exact_text(const Instruction& instruction, std::uint8_t sm, const Kernel* labels) {
  const std::string text = to_text(instruction, labels);
  if (says_the_same(text, instruction, sm)) return text;
  return fmt::format("d.u32 {}  // {}", words_text(instruction, sm, ", ", "0x"), text);
}

std::string resource_usage(const Module& module) {
  std::string text;
  for (const Kernel& kernel : module.kernels) {
    std::size_t constants = 0;
    for (const ConstantSegment& segment : kernel.constants) constants += segment.bytes.size();
    text += fmt::format("{}: {}, {} B constant\n", kernel.name, resources(kernel), constants);
  }
  return text;
}

std::string disassembly(const Module& module, DisassemblyFormat format, const std::string& only) {
  if (!only.empty()) return disassembly(with_one_kernel(module, only), format);
  if (format == DisassemblyFormat::assembly) return assembly_file(module);
  std::string text;
  if (format == DisassemblyFormat::tsv) {
    text = "kernel\taddr\tw0\tw1\ttext\n";
    for (const Kernel& kernel : module.kernels) text += kernel_rows(module, kernel);
    return text;
  }
  for (const std::string& image : module.images) text += fmt::format("// {}: {}\n", module.path, image);
  for (const Kernel& kernel : module.kernels) text += kernel_listing(module, kernel, format);
  if (!module.constants.empty()) text += "// constants of all kernels\n";
  for (const ConstantSegment& segment : module.constants) text += segment_rows(segment);
  return text;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <span>

#include "frontend/cubin/kernel_code.h"
#include "frontend/cubin/text_cubin.h"

namespace teslasim {
namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::uint8_t relocation_bank = 14;

/// Lines of four words, as the compiler wrote them.
std::string word_block(std::string_view name, std::span<const std::uint32_t> words, std::string_view indent) {
  constexpr std::size_t words_per_line = 4;
  std::string text = fmt::format("{}{}  {{\n", indent, name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % words_per_line == 0) text += fmt::format("{}\t", indent);
    text += fmt::format("0x{:08x} ", words[i]);
    if (i % words_per_line == words_per_line - 1 || i + 1 == words.size()) text += "\n";
  }
  return text + fmt::format("{}}}\n", indent);
}

std::vector<std::uint32_t> words_of(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> words((bytes.size() + word_bytes - 1) / word_bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    words[i / word_bytes] |= static_cast<std::uint32_t>(bytes[i]) << (8 * (i % word_bytes));
  return words;
}

std::string segment_block(std::string_view block_name, const ConstantSegment& segment, const std::string& indent) {
  std::string text = fmt::format("{}{}  {{\n", indent, block_name);
  if (!segment.name.empty()) text += fmt::format("{}\tname = {}\n", indent, segment.name);
  text += fmt::format("{0}\tsegname = {1}\n{0}\tsegnum = {2}\n{0}\toffset = {3}\n{0}\tbytes = {4}\n", indent,
                      block_name == "reloc" ? "reloc" : "const", segment.bank, segment.offset, segment.bytes.size());
  text += word_block("mem", words_of(segment.bytes), indent + "\t");
  return text + fmt::format("{}}}\n", indent);
}

std::string code_block(const Kernel& kernel, std::span<const std::uint32_t> words) {
  std::string text = "code  {\n";
  text += fmt::format("\tname = {}\n\tlmem = {}\n\tsmem = {}\n\treg = {}\n\tbar = {}\n", kernel.name,
                      kernel.local_bytes, kernel.shared_bytes, kernel.registers, kernel.barriers);
  text += word_block("bincode", words, "\t");
  for (const ConstantSegment& segment : kernel.constants) text += segment_block("const", segment, "\t");
  return text + "}\n";
}

}  // namespace

std::string write_text_cubin(const Module& module) {
  std::vector<Diagnostic> problems;
  std::string text = fmt::format("architecture {{sm_{}}}\nabiversion {{1}}\nmodname {{cubin}}\n", module.sm);
  for (const ConstantSegment& segment : module.constants)
    text += segment_block(segment.bank == relocation_bank ? "reloc" : "consts", segment, "");
  for (const TextureReference& texture : module.textures)
    text += fmt::format("sampler  {{\n\tname = {}\n\ttexunit = {}\n}}\n", texture.name, texture.slot);
  for (const Kernel& kernel : module.kernels) text += code_block(kernel, encode_code(kernel, module.sm, problems));
  for (Diagnostic& problem : problems) {
    problem.where.file = module.path;
    const std::size_t line = problem.where.line;
    if (line != 0 && line <= module.source_lines.size()) problem.excerpt = module.source_lines[line - 1];
  }
  if (!problems.empty()) throw InputError(ExitCode::input, std::move(problems));
  return text;
}

}  // namespace teslasim

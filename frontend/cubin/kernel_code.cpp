// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/kernel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

constexpr std::size_t word_bytes = 4;

std::string words_text(const UnknownInstruction& unknown) {
  if (unknown.bytes == word_bytes) return fmt::format("{:08x}", unknown.first);
  return fmt::format("{:08x} {:08x}", unknown.first, unknown.second);
}

/// A shipped machine that has the level.
std::string_view machine_of_level(std::uint8_t level) {
  return level >= 13 ? "gtx280" : level == 12 ? "gt240" : level == 11 ? "8800gt" : "8800gtx";
}

std::string unknown_help(const DecodedCode& decoded, std::uint8_t sm, const ReadOptions& options) {
  std::uint8_t level = 0;
  for (const UnknownInstruction& unknown : decoded.unknown) {
    if (unknown.first_sm == 0) return "the words are no instruction of compute programs: the file may be damaged";
    level = std::max(level, unknown.first_sm);
  }
  const std::string appears =
      fmt::format("{} first appear{} in sm_{}", decoded.unknown.size() == 1 ? "this opcode" : "these opcodes",
                  decoded.unknown.size() == 1 ? "s" : "", level);
  if (options.machine_sm == 0) return fmt::format("{}; the file says sm_{}. Use --retarget sm_{}", appears, sm, level);
  const std::string machine = options.machine.empty() ? "" : fmt::format(" ({})", options.machine);
  return fmt::format("{}; the configuration is sm_{}{}. Use -c {} or --retarget sm_{}", appears, options.machine_sm,
                     machine, machine_of_level(level), level);
}

Diagnostic diagnostic(std::string code, std::string message, const CodePlace& place) {
  Diagnostic result;
  result.code = std::move(code);
  result.message = std::move(message);
  result.where = place.where;
  result.excerpt = place.excerpt;
  return result;
}

Diagnostic unknown_instructions(const DecodedCode& decoded, const CodePlace& place, std::uint8_t sm,
                                const ReadOptions& options) {
  const std::size_t count = decoded.unknown.size();
  Diagnostic result = diagnostic(
      "ISA-UNKNOWN-OP", fmt::format("{} instruction{} cannot be decoded", count, count == 1 ? "" : "s"), place);
  for (const UnknownInstruction& unknown : decoded.unknown)
    result.details.push_back(fmt::format("kernel {}, pc 0x{:04x}: {}", place.kernel, unknown.pc, words_text(unknown)));
  if (!decoded.code.empty())
    result.notes.push_back(fmt::format("the other {} instruction{} known", decoded.code.size(),
                                       decoded.code.size() == 1 ? " is" : "s are"));
  result.help = unknown_help(decoded, sm, options);
  return result;
}

Diagnostic bad_targets(const DecodedCode& decoded, const CodePlace& place) {
  Diagnostic result = diagnostic("CUBIN-TARGET", "the code branches to an address where no instruction starts", place);
  for (const Instruction& instruction : decoded.code) {
    if (!std::binary_search(decoded.bad_targets.begin(), decoded.bad_targets.end(), instruction.pc)) continue;
    result.details.push_back(fmt::format("kernel {}, pc 0x{:04x}: {} to 0x{:04x}", place.kernel, instruction.pc,
                                         instruction.row().mnemonic, instruction.branch().target));
  }
  result.help = "the file is damaged, or its code starts elsewhere";
  return result;
}

Diagnostic unaligned_instructions(const DecodedCode& decoded, const CodePlace& place) {
  constexpr std::size_t most_listed = 4;
  const std::size_t count = decoded.unaligned.size();
  Diagnostic result = diagnostic(
      "CUBIN-ALIGN",
      fmt::format("{} long instruction{} not start at a multiple of 8", count, count == 1 ? " does" : "s do"), place);
  for (std::size_t i = 0; i < std::min(count, most_listed); ++i)
    result.details.push_back(fmt::format("kernel {}, pc 0x{:04x}", place.kernel, decoded.unaligned[i]));
  if (count > most_listed) result.details.push_back(fmt::format("and {} more", count - most_listed));
  result.help = "the chip cannot run this; --allow-unaligned reads code made for soft GPGPUs without this rule";
  return result;
}

}  // namespace

DecodedCode decode_code(std::span<const std::uint32_t> words, std::uint8_t sm, std::uint8_t machine_sm) {
  DecodedCode result;
  std::set<std::uint32_t> starts;
  for (std::size_t i = 0; i < words.size();) {
    const std::uint32_t first = words[i];
    const std::uint8_t bytes = encoded_bytes(first);
    if (bytes > word_bytes && i + 1 == words.size()) {
      result.cut_short = true;
      break;
    }
    const std::uint32_t second = bytes > word_bytes ? words[i + 1] : 0;
    const auto pc = static_cast<std::uint32_t>(i * word_bytes);
    starts.insert(starts.end(), pc);
    auto instruction = decode(first, second, sm);
    if (!instruction && machine_sm > sm) instruction = decode(first, second, machine_sm);
    const std::uint8_t first_sm = instruction ? required_sm(*instruction) : first_sm_that_decodes(first, second);
    if (instruction && (machine_sm == 0 || first_sm <= machine_sm)) {
      instruction->pc = pc;
      result.code.push_back(*instruction);
    } else {
      result.unknown.push_back({pc, first, second, bytes, first_sm});
    }
    if (bytes > word_bytes && pc % bytes != 0) result.unaligned.push_back(pc);
    i += bytes / word_bytes;
  }
  for (const Instruction& instruction : result.code) {
    if (has_target(instruction.opcode) && !starts.contains(instruction.branch().target))
      result.bad_targets.push_back(instruction.pc);
  }
  return result;
}

void adopt_code(Kernel& kernel, DecodedCode decoded) {
  kernel.code = std::move(decoded.code);
  std::set<std::uint32_t> targets;
  for (const Instruction& instruction : kernel.code) {
    if (has_target(instruction.opcode)) targets.insert(instruction.branch().target);
  }
  kernel.labels.clear();
  for (const std::uint32_t target : targets)
    kernel.labels.emplace(target, fmt::format("label{}", kernel.labels.size()));
  finish_kernel(kernel);
}

std::vector<Diagnostic> problems_of(const DecodedCode& decoded, const CodePlace& place, std::uint8_t sm,
                                    const ReadOptions& options) {
  std::vector<Diagnostic> problems;
  if (!decoded.unknown.empty()) problems.push_back(unknown_instructions(decoded, place, sm, options));
  if (!decoded.unaligned.empty() && !options.allow_unaligned)
    problems.push_back(unaligned_instructions(decoded, place));
  if (!decoded.bad_targets.empty()) problems.push_back(bad_targets(decoded, place));
  if (decoded.cut_short) {
    problems.push_back(diagnostic(
        "CUBIN-CODE", fmt::format("the last instruction of kernel {} lacks its second word", place.kernel), place));
    problems.back().help = "the file is cut short or damaged";
  }
  return problems;
}

std::vector<std::uint32_t> encode_code(const Kernel& kernel, std::uint8_t sm, std::vector<Diagnostic>& problems) {
  std::vector<std::uint32_t> words;
  for (const Instruction& instruction : kernel.code) {
    const Encoding encoding = encode(instruction, sm);
    if (!encoding.words) {
      Diagnostic problem;
      problem.code = "ASM-FORM";
      problem.message = encoding.problem;
      problem.where.line = instruction.source_line;
      problem.details.push_back(fmt::format("kernel {}, pc 0x{:04x}", kernel.name, instruction.pc));
      problems.push_back(std::move(problem));
      continue;
    }
    words.push_back(encoding.words->first);
    if (encoding.words->bytes > word_bytes) words.push_back(encoding.words->second);
  }
  return words;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// `teslasim asm` and `teslasim disasm`: assembly text to words and back.
#include <fmt/format.h>

#include <array>

#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "isa/disassembler.h"
#include "isa/encoding/encoding.h"
#include "sim/app/atomic_file.h"
#include "sim/app/command_functions.h"
#include "sim/app/console.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 2> asm_options{{
    {"output", 'o', Arity::value, "FILE.cubin", "write a text cubin instead of the listing"},
    {"format", 0, Arity::value, "listing|asm", "listing: address, words, text; asm: text alone"},
}};
constexpr std::array<Option, 2> disasm_options{{
    {"format", 0, Arity::value, "listing|asm", "listing: address, words, text; asm: text that assembles again"},
    {"kernel", 0, Arity::value, "NAME", "only this kernel"},
}};
constexpr std::array<std::string_view, 2> formats{"listing", "asm"};

std::string resources(const Kernel& kernel) {
  return fmt::format("{} registers, {} B shared, {} B local, {} barriers", kernel.registers, kernel.shared_bytes,
                     kernel.local_bytes, kernel.barriers);
}

std::string words_of(const Instruction& instruction, std::uint8_t sm) {
  const Encoding encoding = encode(instruction, sm);
  if (!encoding.words) return "-";
  if (encoding.words->bytes == 4) return fmt::format("{:08x}", encoding.words->first);
  return fmt::format("{:08x} {:08x}", encoding.words->first, encoding.words->second);
}

std::string kernel_listing(const Kernel& kernel, std::uint8_t sm) {
  std::string text;
  for (const Instruction& instruction : kernel.code) {
    const auto label = kernel.labels.find(instruction.pc);
    if (label != kernel.labels.end()) text += label->second + ":\n";
    text +=
        fmt::format("{:06x}: {:<17} {}\n", instruction.pc, words_of(instruction, sm), to_text(instruction, &kernel));
  }
  return text;
}

std::string module_listing(const Module& module, std::string_view kind, const std::string& only) {
  std::string text;
  for (const std::string& image : module.images) text += fmt::format("// {}: {}\n", module.path, image);
  for (const Kernel& kernel : module.kernels) {
    if (!only.empty() && kernel.name != only) continue;
    text +=
        fmt::format("// {}: {}, sm_{}, kernel {}: {}\n", module.path, kind, module.sm, kernel.name, resources(kernel));
    text += kernel_listing(kernel, module.sm);
  }
  return text;
}

void check_kernel_name(const Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const Kernel& kernel : module.kernels) {
    if (kernel.name == name) return;
    names.push_back(kernel.name);
  }
  if (!name.empty())
    usage_error("CLI-VALUE", fmt::format("there is no kernel '{}'", name),
                fmt::format("the kernels are: {}", fmt::join(names, ", ")));
}

int print_code(const ParsedOptions& options, const char* command) {
  if (options.inputs().size() != 1)
    usage_error("CLI-INPUT", fmt::format("{} takes one file", command), fmt::format("teslasim {} --help", command));
  const std::string format = options.choice("format", formats);
  const std::string& path = options.inputs().front();
  const Module module = read_module(path);
  if (options.has("output")) {
    write_file(options.text("output"), write_text_cubin(module));
    return 0;
  }
  check_kernel_name(module, options.text("kernel"));
  print_result(format == "asm" ? listing(module) : module_listing(module, module.container, options.text("kernel")));
  return 0;
}

}  // namespace

int asm_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(asm_options), "asm");
  if (answered_help(options, "asm", asm_options)) return 0;
  return print_code(options, "asm");
}

int disasm_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(disasm_options), "disasm");
  if (answered_help(options, "disasm", disasm_options)) return 0;
  return print_code(options, "disasm");
}

}  // namespace teslasim

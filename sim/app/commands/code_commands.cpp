// SPDX-License-Identifier: Apache-2.0
// `teslasim asm` and `teslasim disasm`: text to words and back, from any file with code to text or a cubin.
#include <fmt/format.h>

#include <array>

#include "frontend/clang/kernel_names.h"
#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "frontend/text/disassembly.h"
#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/run_options.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> asm_options{{
    {"output", 'o', Arity::value, "FILE.cubin", "write a cubin instead of printing", Listing::common, FileUse::writes},
    {"format", 0, Arity::value, "FORMAT", "decuda, annotated, tsv, asm; with -o: text, elf, elf64"},
    {"allow-unaligned", 0, Arity::flag, "", "accept long instructions at odd addresses", Listing::rare},
    {"retarget", 0, Arity::value, "sm_1X", "read the code as this level does", Listing::rare},
}};
constexpr std::array<Option, 5> disasm_options{{
    {"format", 0, Arity::value, "FORMAT", "decuda: address, words, text; annotated; tsv; asm: text alone"},
    {"kernel", 0, Arity::value, "NAME", "only this kernel"},
    {"output", 'o', Arity::value, "FILE.cubin", "write a cubin instead of printing", Listing::rare, FileUse::writes},
    {"allow-unaligned", 0, Arity::flag, "", "accept long instructions at odd addresses", Listing::rare},
    {"retarget", 0, Arity::value, "sm_1X", "read the code as this level does", Listing::rare},
}};

constexpr std::array<std::string_view, 5> text_formats{"decuda", "annotated", "tsv", "asm", "listing"};
constexpr std::array<std::string_view, 3> cubin_formats{"text", "elf", "elf64"};

DisassemblyFormat text_format(const ParsedOptions& options) {
  const std::string name = options.choice("format", text_formats);
  if (name == "annotated") return DisassemblyFormat::annotated;
  if (name == "tsv") return DisassemblyFormat::tsv;
  return name == "asm" ? DisassemblyFormat::assembly : DisassemblyFormat::decuda;
}

std::string cubin(const Module& module, const ParsedOptions& options) {
  constexpr unsigned narrow = 32, wide = 64;
  const std::string name = options.choice("format", cubin_formats);
  return name == "text" ? write_text_cubin(module) : write_elf_cubin(module, name == "elf" ? narrow : wide);
}

/// The kernel's name in the module; "" for all of them.
std::string known_kernel_name(const Module& module, const std::string& name) {
  if (name.empty()) return name;
  if (const Kernel* kernel = cuda::find_kernel(module, name)) return kernel->name;
  std::vector<std::string> names;
  for (const Kernel& kernel : module.kernels) names.push_back(kernel.name);
  usage_error("CLI-VALUE", fmt::format("there is no kernel '{}'", name),
              fmt::format("the kernels are: {}", fmt::join(names, ", ")));
}

int print_code(const ParsedOptions& options, const char* command) {
  if (options.inputs().size() != 1)
    usage_error("CLI-INPUT", fmt::format("{} takes one file", command), fmt::format("teslasim {} --help", command));
  ReadOptions reading;
  reading.machine_sm = retarget_level(options);
  reading.allow_unaligned = options.has("allow-unaligned");
  const bool to_file = options.has("output");
  const DisassemblyFormat format = to_file ? DisassemblyFormat::decuda : text_format(options);
  const Module module = read_module(options.inputs().front(), reading);
  const ConsoleOptions console = console_options(options);
  report_warnings(module.warnings, console);
  if (to_file) {
    write_file(options.text("output"), cubin(module, options));
    return 0;
  }
  print_result(disassembly(module, format, known_kernel_name(module, options.text("kernel"))));
  return 0;
}

}  // namespace

std::vector<Option> options_of_asm() {
  return {asm_options.begin(), asm_options.end()};
}

int asm_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(asm_options), "asm");
  if (answered_help(options, "asm", asm_options)) return 0;
  return print_code(options, "asm");
}

std::vector<Option> options_of_disasm() {
  return {disasm_options.begin(), disasm_options.end()};
}

int disasm_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(disasm_options), "disasm");
  if (answered_help(options, "disasm", disasm_options)) return 0;
  return print_code(options, "disasm");
}

}  // namespace teslasim

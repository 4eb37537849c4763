// SPDX-License-Identifier: Apache-2.0
// `teslasim cc`: CUDA C or PTX to a cubin, with the options of nvcc.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "frontend/clang/compile_cuda.h"
#include "frontend/clang/kernel_names.h"
#include "frontend/clang/nvcc_words.h"
#include "frontend/compiler/compile.h"
#include "frontend/cubin/elf_cubin.h"
#include "frontend/text/disassembly.h"
#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 14> cc_own_options{{
    {"output", 'o', Arity::value, "FILE", "default: the input's name with .cubin (--ptx: .ptx), here; - is stdout",
     Listing::common, FileUse::writes},
    {"arch", 0, Arity::value, "sm_1X", "sm_10 to sm_13 (default)"},
    {"optimize", 'O', Arity::value, "N", "0: nothing that need not be; 1, 2, 3 (default)"},
    {"maxrregcount", 0, Arity::value, "N", "registers per thread at most; the rest goes to local memory"},
    {"use_fast_math", 0, Arity::flag, "", "the chip's own functions and approximate quotients"},
    {"include", 'I', Arity::values, "DIR", "look for headers here"},
    {"define", 'D', Arity::values, "NAME[=VALUE]", "a macro"},
    {"undefine", 'U', Arity::values, "NAME", "no such macro", Listing::rare},
    {"ptx", 0, Arity::flag, "", "write the PTX of LLVM instead"},
    {"listing", 0, Arity::flag, "", "print the code with the lines that it was made of; no file without -o"},
    {"resource-usage", 0, Arity::flag, "", "print registers and memory of each kernel"},
    {"fmad", 0, Arity::value, "true|false", "contract products and sums to mad (default: true)"},
    {"no-demote", 0, Arity::flag, "", "below sm_13, double is an error instead of float", Listing::rare},
    {"print-after", 0, Arity::value, "PASS", "print the compiler's own form after a pass, or all", Listing::rare},
}};
constexpr std::array<std::string_view, 4> levels{"sm_13", "sm_12", "sm_11", "sm_10"};
constexpr std::array<std::string_view, 2> switches{"true", "false"};

cuda::CudaOptions cuda_options(const ParsedOptions& options) {
  constexpr unsigned most_registers = 124, highest = 3;
  cuda::CudaOptions chosen;
  chosen.code.sm = static_cast<std::uint8_t>(10 + (options.choice("arch", levels).back() - '0'));
  chosen.code.optimization = static_cast<unsigned>(options.number("optimize", highest, highest));
  chosen.code.maximum_registers = static_cast<unsigned>(options.number("maxrregcount", 0, most_registers));
  chosen.code.fast_math = options.has("use_fast_math");
  chosen.code.contract = options.choice("fmad", switches) == "true";
  chosen.code.demote_doubles = !options.has("no-demote");
  chosen.code.print_after = options.text("print-after");
  if (!chosen.code.print_after.empty() && !compiler::is_pass_name(chosen.code.print_after))
    usage_error("CLI-VALUE", fmt::format("there is no pass '{}'", chosen.code.print_after),
                "the passes are: " + compiler::pass_names());
  chosen.include_folders = options.all("include");
  chosen.definitions = options.all("define");
  chosen.removed = options.all("undefine");
  return chosen;
}

}  // namespace

std::vector<Option> options_of_cc() {
  return {cc_own_options.begin(), cc_own_options.end()};
}

int cc_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(cuda::with_two_dashes(arguments), with_common(cc_own_options), "cc");
  if (answered_help(options, "cc", cc_own_options)) return 0;
  if (options.inputs().size() != 1)
    usage_error("CLI-INPUT", "cc takes one file", "teslasim cc kernel.cu -o kernel.cubin");
  const std::string& input = options.inputs().front();
  const bool ptx = options.has("ptx");
  const bool to_file = options.has("output") || !options.has("listing");
  const std::string beside = std::filesystem::path(input).stem().string() + (ptx ? ".ptx" : ".cubin");
  const std::string named = options.text("output", beside);
  const std::string file = named == "-" ? "/dev/stdout" : named;
  const cuda::CudaCompilation code = cuda::compile_file(input, cuda_options(options));
  report_warnings(code.module.warnings, console_options(options));
  if (to_file) write_file(file, ptx ? code.ptx : write_elf_cubin(code.module, 64));
  print_result(code.printed);
  if (options.has("listing"))
    print_result(disassembly(cuda::with_shown_names(code.module), DisassemblyFormat::annotated));
  if (options.has("resource-usage")) print_result(resource_usage(cuda::with_shown_names(code.module)));
  return 0;
}

}  // namespace teslasim

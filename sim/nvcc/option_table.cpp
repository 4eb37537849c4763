// SPDX-License-Identifier: Apache-2.0
#include "sim/nvcc/option_table.h"

#include <fmt/format.h>

#include <utility>

namespace teslasim::nvcc {
namespace {

constexpr bool with_value = true, attached = true;

constexpr NvccOption options[] = {
    {"-o", "--output-file", with_value, false, Meaning::output, "FILE: what is written"},
    {"-c", "--compile", false, false, Meaning::action_object, "objects, not linked"},
    {"-ptx", "--ptx", false, false, Meaning::action_ptx, "PTX, as LLVM writes it"},
    {"-cubin", "--cubin", false, false, Meaning::action_cubin, "a cubin"},
    {"-lib", "--lib", false, false, Meaning::action_library, "an archive of the objects; a.a without -o"},
    {"-cuda", "--cuda", false, false, Meaning::action_host_source, "the host side preprocessed, in FILE.cu.cpp.ii"},
    {"-E", "--preprocess", false, false, Meaning::action_preprocess, "the host side preprocessed, on stdout"},
    {"-M", "--generate-dependencies", false, false, Meaning::action_dependencies,
     "files that are read, as a rule of make"},
    {"-shared", "--shared", false, false, Meaning::shared_library, "a shared library"},
    {"-I", "--include-path", with_value, attached, Meaning::include_folder, "DIR: headers"},
    {"-D", "--define-macro", with_value, attached, Meaning::define, "NAME=VALUE: a macro"},
    {"-U", "--undefine-macro", with_value, attached, Meaning::undefine, "NAME: no such macro"},
    {"-isystem", "--system-include", with_value, false, Meaning::system_folder, "DIR: headers of others"},
    {"-include", "--pre-include", with_value, false, Meaning::first_header, "FILE: read first"},
    {"-std", "--std", with_value, false, Meaning::standard, "c++11, c++14...: the language; gnu++14 when absent"},
    {"-L", "--library-path", with_value, attached, Meaning::library_folder, "DIR: libraries"},
    {"-l", "--library", with_value, attached, Meaning::library, "NAME: a library; cudart and cuda are there anyway"},
    {"-Xlinker", "--linker-options", with_value, false, Meaning::linker, "WORDS: for the linker"},
    {"-Xcompiler", "--compiler-options", with_value, false, Meaning::host, "WORDS: for the compiler of the host"},
    {"-Xptxas", "--ptxas-options", with_value, false, Meaning::assembler, "-v: registers and memory of each kernel"},
    {"-arch", "--gpu-architecture", with_value, false, Meaning::level, "sm_10 to sm_13; others become the nearest"},
    {"-code", "--gpu-code", with_value, false, Meaning::level, "the same"},
    {"-gencode", "--generate-code", with_value, false, Meaning::level, "the same; several make code for several"},
    {"-gpu-name", "--gpu-name", with_value, false, Meaning::level, ""},
    {"-maxrregcount", "--maxrregcount", with_value, false, Meaning::registers, "N: registers per thread"},
    {"-O", "--optimize", with_value, attached, Meaning::optimisation, "0 to 3: of the host side; 2 when absent"},
    {"-g", "--debug", false, false, Meaning::host_debug, "for debuggers of the host side"},
    {"-pg", "--profile", false, false, Meaning::profile, "for gprof of the host side"},
    {"-G", "--device-debug", false, false, Meaning::device_debug, ""},
    {"-G0", "", false, false, Meaning::device_debug, ""},
    {"-G1", "", false, false, Meaning::device_debug, ""},
    {"-G2", "", false, false, Meaning::device_debug, ""},
    {"-G3", "", false, false, Meaning::device_debug, ""},
    {"-use_fast_math", "--use_fast_math", false, false, Meaning::fast_math, "fast functions for the exact ones"},
    {"-fmad", "--fmad", with_value, false, Meaning::contraction, "false: products and sums stay apart"},
    {"-x", "--x", with_value, false, Meaning::language, "cu, c++: what the inputs are, whatever their names"},
    {"-ccbin", "--compiler-bindir", with_value, false, Meaning::host_compiler, "FILE: g++ for C++ files and linking"},
    {"-m64", "", false, false, Meaning::accepted, ""},
    {"-m", "--machine", with_value, attached, Meaning::machine_bits, "64"},
    {"-v", "--verbose", false, false, Meaning::verbose, "commands on stderr"},
    {"-dryrun", "--dryrun", false, false, Meaning::dry_run, "commands on stderr, and nothing else"},
    {"-w", "--disable-warnings", false, false, Meaning::no_warnings, "no warnings"},
    {"-run", "--run", false, false, Meaning::run, "the program, once it is linked"},
    {"-run-args", "--run-args", with_value, false, Meaning::run_words, "WORDS: of its command line"},
    {"-keep", "--keep", false, false, Meaning::keep, "NAME.ptx and NAME.cubin stay"},
    {"-save-temps", "--save-temps", false, false, Meaning::keep, ""},
    {"-keep-dir", "--keep-dir", with_value, false, Meaning::keep_folder,
     "DIR: where they stay; this folder when absent"},
    {"-odir", "--output-directory", with_value, false, Meaning::object_folder, "DIR: where what has no -o is written"},
    {"-optf", "--options-file", with_value, false, Meaning::accepted, "FILE: words of the command line"},
    {"-clean", "--clean-targets", false, false, Meaning::clean, "removes what would be written"},
    {"-V", "--version", false, false, Meaning::action_version, ""},
    {"-h", "--help", false, false, Meaning::action_help, ""},
    {"-rdc", "--relocatable-device-code", with_value, false, Meaning::relocatable, ""},
    {"-dc", "--device-c", false, false, Meaning::relocatable, ""},
    {"-dlink", "--device-link", false, false, Meaning::relocatable, ""},
    {"-deviceemu", "--device-emulation", false, false, Meaning::unsupported, ""},
    {"-fatbin", "--fatbin", false, false, Meaning::action_fat_binary, ""},
    {"-multicore", "--multicore", false, false, Meaning::several_cores, ""},
    {"-host-compilation", "--host-compilation", with_value, false, Meaning::host_language, ""},
    {"-Xopencc", "--opencc-options", with_value, false, Meaning::accepted, ""},
    {"-Xcudafe", "--cudafe-options", with_value, false, Meaning::accepted, ""},
    {"-Xfatbin", "--fatbin-options", with_value, false, Meaning::accepted, ""},
    {"-Werror", "--Werror", with_value, false, Meaning::accepted, ""},
    {"-time", "--time", with_value, false, Meaning::accepted, ""},
    {"-noprof", "--dont-use-profile", false, false, Meaning::accepted, ""},
    {"-po", "--profile-option", with_value, false, Meaning::accepted, ""},
    {"-src-in-ptx", "--source-in-ptx", false, false, Meaning::accepted, ""},
    {"-ftz", "--ftz", with_value, false, Meaning::accepted, ""},
    {"-prec-div", "--prec-div", with_value, false, Meaning::accepted, ""},
    {"-prec-sqrt", "--prec-sqrt", with_value, false, Meaning::accepted, ""},
    {"-cudart", "--cudart", with_value, false, Meaning::accepted, ""},
    {"-lineinfo", "--generate-line-info", false, false, Meaning::accepted, ""},
    {"-link", "--link", false, false, Meaning::accepted, ""},
    {"-restrict", "--restrict", false, false, Meaning::accepted, ""},
    {"-expt-relaxed-constexpr", "--expt-relaxed-constexpr", false, false, Meaning::accepted, ""},
    {"-resource-usage", "--resource-usage", false, false, Meaning::accepted, ""},
};

bool is_long(std::string_view word, std::string_view name) {
  return !name.empty() && (word == name || (word.starts_with(name) && word[name.size()] == '='));
}

}  // namespace

std::optional<OptionUse> find_option(const std::string& word) {
  for (const NvccOption& option : options) {
    for (const std::string_view name : {option.short_name, option.long_name}) {
      if (!is_long(word, name)) continue;
      if (word.size() == name.size()) return OptionUse{&option};
      if (option.value) return OptionUse{&option, true, word.substr(name.size() + 1)};
    }
  }
  for (const NvccOption& option : options) {
    if (!option.attached || !word.starts_with(option.short_name)) continue;
    std::string value = word.substr(option.short_name.size());
    // -m64 is the machine; -msse2, -malign-double and their kin are words for the compiler of the host.
    const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
    if (option.meaning == Meaning::machine_bits && !is_number) continue;
    return OptionUse{&option, true, std::move(value)};
  }
  return std::nullopt;
}

std::string option_help() {
  std::string text;
  for (const NvccOption& option : options) {
    if (!option.help.empty())
      text += fmt::format("  {:14} {:28} {}\n", option.short_name, option.long_name, option.help);
  }
  return text;
}

}  // namespace teslasim::nvcc

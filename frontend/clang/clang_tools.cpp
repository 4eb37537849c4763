// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/clang_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "frontend/clang/address_tables.h"
#include "frontend/clang/foreign_headers.h"
#include "frontend/clang/padded_loads.h"
#include "frontend/clang/signed_flags.h"
#include "frontend/clang/unrolling.h"
#include "frontend/clang/vector_copies.h"
#include "frontend/clang/warp_order.h"
#include "frontend/clang/whole_structures.h"
#include "frontend/clang/wrapping_arithmetic.h"
#include "frontend/clang/written_loads.h"
#include "sim/base/child_program.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

constexpr const char *clang_name = "clang++-14", *opt_name = "opt-14", *llc_name = "llc-14";
constexpr const char* installation = "install Debian's packages: apt-get install clang-14 llvm-14";

std::string tool(const char* name) {
  if (const std::optional<std::string> path = find_program(name)) return *path;
  Diagnostic problem;
  problem.code = "CUDA-CLANG";
  problem.message = fmt::format("CUDA C needs clang 14 and LLVM 14, and '{}' is not installed", name);
  problem.notes = {"assembly, cubins and PTX need nothing"};
  problem.help = installation;
  throw InputError(ExitCode::environment, std::move(problem));
}

/// Where CUDA C of 2007 to 2012 and clang differ. A toolkit that is installed must not be found. Lines of the source
/// only, no tables for debuggers. Words are read and written through pointers of any type: NVIDIA's compiler took types
/// as no sign that accesses are apart (nvopencc, 2010: its alias=typed is off). An access through a null pointer stays,
/// and what follows it: on the chip it happens.
constexpr std::array fixed_arguments{
    "-x",
    "cuda",
    "--cuda-device-only",
    "--cuda-path=/nonexistent",
    "--cuda-gpu-arch=sm_20",
    "-nocudainc",
    "-nocudalib",
    "-std=gnu++14",
    "-ffp-contract=off",
    "-fno-finite-loops",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-ferror-limit=100",
    "-Wno-unknown-cuda-version",
    "-Wno-c++11-narrowing",
    "-Wno-reserved-user-defined-literal",
    "-Wno-null-dereference",
    "-Wno-writable-strings",
    "-Xclang",
    "-target-sdk-version=9.2",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-discard-value-names",
    "-gline-directives-only",
    "-emit-llvm",
    "-S",
    "-U__CUDA_ARCH__",
};

std::vector<std::string> chosen_arguments(const CudaOptions& options) {
  // Without optimisation clang would mark functions as not to be optimised, nor inlined, at all.
  std::vector<std::string> words{"-O2", fmt::format("-D__CUDA_ARCH__={}0", options.code.sm)};
  for (const std::string& word : words_of_missing(options.code.sm)) words.push_back(word);
  if (options.code.fast_math) words.emplace_back("-D__USE_FAST_MATH__=1");
  for (const std::string& folder : options.include_folders) {
    const std::vector<std::string> added = folder_words(folder);
    words.insert(words.end(), added.begin(), added.end());
  }
  for (const std::string& name : options.removed) words.push_back("-U" + name);
  for (const std::string& definition : options.definitions) words.push_back("-D" + definition);
  for (const std::string& header : options.first_headers) words.insert(words.end(), {"-include", header});
  if (!options.standard.empty()) words.push_back("-std=" + options.standard);
  return words;
}

/// The files of a rule for make: "-: a.cu \<newline> b.h"; a blank within a name follows a backslash.
std::vector<std::string> files_of_rule(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(word);
    word.clear();
  };
  const std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string_view::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    const bool marked = (rule[i] == '\\' && (next == ' ' || next == '#')) || (rule[i] == '$' && next == '$');
    const bool ends_line = rule[i] == '\\' && next == '\n';
    if (marked) {
      word += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n' || ends_line) {
      end_word();
    } else {
      word += rule[i];
    }
  }
  end_word();
  return files;
}

/// Address spaces must be known before LLVM merges accesses to two of them into one generic access, which these chips
/// have not; and are known only once everything is inline.
constexpr const char* first_passes =
    "function(sroa,early-cse,infer-address-spaces),cgscc(inline),globaldce,function(sroa,early-cse,infer-address-"
    "spaces)";

std::string later_passes(const CudaOptions& options) {
  switch (options.code.optimization) {
    case 0:
      return "function(infer-address-spaces)";
    case 1:
      return "default<O1>,function(infer-address-spaces)";
    default:
      return "default<O2>,function(infer-address-spaces)";
  }
}
std::string passes_of(const CudaOptions& options) {
  return options.code.optimization == 0 ? first_passes : first_passes + ("," + later_passes(options));
}

/// What may alias what; __restrict__ counts, types do not. LLVM's analysis of globals is left out: as long as no
/// address of a __shared__ variable is kept, it holds that only stores of this thread change it, and lets values stay
/// in registers across __syncthreads().
constexpr const char* alias_analyses = "-aa-pipeline=basic-aa,scoped-noalias-aa";

/// LLVM's strength reduction makes a pointer or counter of 64 bits for every access of a loop; these chips add an
/// offset to s[] addresses for nothing and are short of registers.
constexpr const char* no_strength_reduction = "-disable-lsr";

/// What lanes of a warp do on different ways to one word of shared memory, they do one after the other: programs let
/// them take turns so (`if ((i & 3) == 0) ++s[k]; if ((i & 3) == 1) ++s[k]; ...`). LLVM would make one access of it.
constexpr const char* no_common_code = "-simplifycfg-sink-common=false";

/// LLVM 14 makes tables of constant addresses relative to themselves, and wrong ones out of those that lie in an
/// address space. It does not for a program that may be larger than 32 bits reach.
constexpr const char* no_relative_tables = "-code-model=large";

ChildProgramEnd run_stage(const std::vector<std::string>& command, const std::string& input,
                          const std::string& source) {
  ChildProgramEnd end = run_child_program(command, input);
  if (end.status == 0) return end;
  constexpr std::size_t longest = 400;
  Diagnostic problem;
  problem.code = "CUDA-TOOL";
  problem.message = fmt::format("{} gives up (status {})", command.front(), end.status);
  problem.where.file = source;
  problem.notes = {end.errors.substr(0, std::min(end.errors.find('\n'), longest))};
  problem.help = "leave out what is unusual in the kernel (inline PTX, attributes), or use another optimisation: -O1";
  throw InputError(ExitCode::input, std::move(problem));
}

/// A static variable of device code is the host's as well, which may know it by its name only: clang keeps it to itself
/// when no host code has its address, and its first value would be taken for the only one.
std::string with_visible_variables(const std::string& code) {
  constexpr std::string_view own = " = internal ";
  std::string result;
  for (const std::string& line : lines_of(code)) {
    const std::size_t at = line.starts_with("@") ? line.find(own) : std::string::npos;
    const std::string rest = at == std::string::npos ? "" : line.substr(0, line.find(" global "));
    const bool is_variable = rest.size() < line.size() && (rest.find(" addrspace(1)") != std::string::npos ||
                                                           rest.find(" addrspace(4)") != std::string::npos);
    const bool has_plain_name = line.substr(0, at).find_first_of(".\"") == std::string::npos;
    result += is_variable && has_plain_name ? line.substr(0, at) + " = " + line.substr(at + own.size()) : line;
    result += '\n';
  }
  return result;
}

/// Nothing outside of a file calls its device functions. Those that no kernel needs are dropped when they are its own,
/// whatever they do that no chip could.
std::string with_own_functions(const std::string& code) {
  constexpr std::string_view visible = "define dso_local ", own = "define internal ", kernel = ", !\"kernel\", i32 1}";
  const std::vector<std::string> lines = lines_of(code);
  std::set<std::string, std::less<>> kernels;
  for (const std::string& line : lines) {
    const std::size_t end = line.find(kernel), start = line.rfind('@', end);
    if (end != std::string::npos && start < end) kernels.insert(line.substr(start + 1, end - start - 1));
  }
  std::string result;
  for (const std::string& line : lines) {
    const std::size_t start = line.find('@'), end = line.find('(', start);
    const bool is_own = line.starts_with(visible) && end != std::string::npos &&
                        !kernels.contains(std::string_view(line).substr(start + 1, end - start - 1));
    result.append(is_own ? own : "").append(line, is_own ? visible.size() : 0).append("\n");
  }
  return result;
}

/// LLVM 14 writes a rotation of 32 bits as two shifts by a count that it took for one of a rotation, which wraps
/// around. Shifts do not: the count loses its upper bits here, as LLVM itself does for 64 bits.
std::string with_wrapping_rotations(const std::string& ptx) {
  constexpr std::string_view rest = "sub.s32 \t%amt2, 32, ";
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = ptx.find(rest); at != std::string::npos; at = ptx.find(rest, at + rest.size())) {
    const std::size_t end = ptx.find(';', at);
    const std::size_t shift = ptx.rfind("\tsh", at);  // shl or shr of the line before
    if (end == std::string::npos || shift == std::string::npos || shift < done) break;
    const std::string count = ptx.substr(at + rest.size(), end - at - rest.size());
    const std::string before = ptx.substr(shift, at - shift);
    const std::size_t use = before.rfind(count + ";");
    if (use == std::string::npos) continue;
    result += ptx.substr(done, shift - done) + "\tand.b32 \t%amt2, " + count + ", 31;\n" + before.substr(0, use) +
              "%amt2" + before.substr(use + count.size()) + std::string(rest) + "%amt2";
    done = end;
  }
  return result + ptx.substr(done);
}

/// LLVM 14 writes a shift of a widened int by 31 as a product with 2^31, which is negative in 32 bits. A product with
/// -2^31 itself is a shift and a negation before it comes here.
std::string with_right_wide_shifts(const std::string& ptx) {
  constexpr std::string_view product = "mul.wide.s32 \t", factor = ", -2147483648;";
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = ptx.find(factor); at != std::string::npos; at = ptx.find(factor, at + 1)) {
    const std::size_t line = ptx.rfind('\n', at) + 1;
    const std::size_t start = ptx.find(product, line);
    if (start == std::string::npos || start > at) continue;
    const std::string operands = ptx.substr(start + product.size(), at - start - product.size());
    const std::string target = operands.substr(0, operands.find(','));
    result += ptx.substr(done, start - done) + "cvt.s64.s32 \t" + operands + ";\n\tshl.b64 \t" + target + ", " +
              target + ", 31;";
    done = at + factor.size();
  }
  return result + ptx.substr(done);
}

}  // namespace

ClangTools find_clang_tools() {
  return {tool(clang_name), tool(opt_name), tool(llc_name)};
}

std::string installed_tools() {
  std::string found, missing;
  for (const char* name : {clang_name, opt_name, llc_name}) {
    const std::optional<std::string> path = find_program(name);
    std::string& list = path ? found : missing;
    list += (list.empty() ? "" : ", ") + path.value_or(name);
  }
  return missing.empty() ? found : fmt::format("{} missing ({})", missing, installation);
}

/// What is changed between the programs and behind them: with a new step, text that was kept before is made anew.
constexpr const char* own_steps =
    "wrapping arithmetic, whole unrolling with reasons in folders, visible variables, own functions, stored tables, "
    "whole structures, vector copies, padded loads, written loads, declared tables, wrapping rotations, right wide "
    "shifts, warp order, counted loops with barriers, signed flags";

std::string clang_arguments_text(const std::string& source, const CudaOptions& options) {
  std::string text = source;
  for (const char* word : fixed_arguments) text += std::string("\n") + word;
  for (const std::string& word : chosen_arguments(options)) text += "\n" + word;
  return text + "\n" + passes_of(options) + "\n" + alias_analyses + "\n" + no_relative_tables + "\n" + no_common_code +
         "\n" + no_strength_reduction + "\n" + own_steps + "\n" + fmt::format("{}", fmt::join(unrolling, " "));
}

DeviceCode compile_device_code(const ClangTools& tools, const std::string& source, const std::string& headers,
                               const CudaOptions& options) {
  const NamelessFile rule;
  std::vector<std::string> command{tools.clang};
  command.insert(command.end(), fixed_arguments.begin(), fixed_arguments.end());
  command.insert(command.end(), {"-isystem", headers, "-include", "cuda_runtime.h"});
  const std::vector<std::string> chosen = chosen_arguments(options);
  command.insert(command.end(), chosen.begin(), chosen.end());
  command.insert(command.end(), {"-MD", "-MF", rule.path(), "-o", "-", source});
  ChildProgramEnd end = run_child_program(command);
  return {end.status == 0, std::move(end.output), std::move(end.errors), files_of_rule(rule.contents())};
}

namespace {

using Words = std::array<const char*, 4>;

ChildProgramEnd run_passes(const ClangTools& tools, const std::string& passes, const std::string& code,
                           const std::string& source, const Words& loop_words = unrolling) {
  std::vector<std::string> command{tools.opt,          "-mtriple=nvptx64-nvidia-cuda",
                                   "-mcpu=sm_20",      "-inline-threshold=1000000",
                                   alias_analyses,     no_relative_tables,
                                   "-passes=" + passes};
  if (code.find("addrspace(3)") != std::string::npos) command.emplace_back(no_common_code);
  command.insert(command.end(), loop_words.begin(), loop_words.end());
  command.insert(command.end(), unrolling_reasons.begin(), unrolling_reasons.end());
  command.insert(command.end(), {"-", "-S", "-o", "-"});
  return run_stage(command, code, source);
}

/// In parts only where lanes hand each other values, or meet in a loop that #pragma unroll has a number for.
ChildProgramEnd all_passes(const ClangTools& tools, const std::string& code, const std::string& source,
                           const CudaOptions& options) {
  const bool has_shared = code.find("addrspace(3)") != std::string::npos;
  const bool has_loops = options.code.optimization != 0 && may_have_counted_barrier_loops(code);
  if (!has_shared && !has_loops) return run_passes(tools, passes_of(options), code, source);
  const std::string first = run_passes(tools, first_passes, code, source).output;
  std::string prepared = has_shared ? with_warp_order(first) : first;
  if (has_loops)
    prepared = with_true_barriers(
        run_passes(tools, counted_loops, with_plain_barriers(prepared), source, counted_unrolling).output);
  return prepared == first ? run_passes(tools, passes_of(options), code, source)
                           : run_passes(tools, later_passes(options), prepared, source);
}

}  // namespace

OptimisedCode optimised_code(const ClangTools& tools, const DeviceCode& code, const std::string& source,
                             const CudaOptions& options) {
  const std::string prepared = with_own_functions(with_visible_variables(
      with_whole_unrolling(with_whole_structures(with_stored_tables(with_wrapping_arithmetic(code.text))))));
  const ChildProgramEnd optimised = all_passes(tools, prepared, source, options);
  const DeclaredTables declared = with_declared_tables(
      with_signed_flags(with_written_loads(with_padded_loads(with_vector_copies(optimised.output)))));
  const ChildProgramEnd ptx =
      run_stage({tools.llc, "-march=nvptx64", "-mcpu=sm_20", "-mattr=+ptx32", no_strength_reduction, "-", "-o", "-"},
                declared.code, source);
  const std::string tables = with_address_tables(ptx.output, declared.tables);
  return {with_right_wide_shifts(with_wrapping_rotations(tables)), unrolling_advisories(optimised.errors, code.text)};
}

}  // namespace teslasim::cuda

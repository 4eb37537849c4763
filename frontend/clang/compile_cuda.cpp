// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/compile_cuda.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "frontend/clang/clang_messages.h"
#include "frontend/clang/clang_tools.h"
#include "frontend/clang/header_folder.h"
#include "frontend/clang/kernel_names.h"
#include "frontend/clang/portable_code.h"
#include "frontend/clang/ptx_cache.h"
#include "frontend/clang/source_places.h"
#include "frontend/compiler/compile.h"
#include "frontend/ptx/ptx_reader.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return error ? path : full.lexically_normal().string();
}

/// Lines that name functions: all that is read of LLVM's code.
std::string definitions_of(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with("define ")) lines.append(line).append("\n");
  }
  return lines;
}

[[noreturn]] void refuse(const std::string& path, const char* code, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = code;
  problem.message = std::move(message);
  problem.where.file = path;
  problem.help = std::move(help);
  throw InputError(ExitCode::input, std::move(problem));
}

std::string read_source(const std::string& path) {
  TextFile file = read_text_file(path);
  if (!file.error.empty())
    refuse(path, "INPUT-FILE", "the file '" + path + "' cannot be read: " + file.error, "check the name");
  return std::move(file.text);
}

CompiledText compile_text(const std::string& path, const CudaOptions& options) {
  const ClangTools tools = find_clang_tools();
  const std::string full = absolute(path);
  const PtxCache cache(tools.clang + "\n" + tools.opt + "\n" + tools.llc + "\n" + headers_fingerprint() + "\n" +
                       clang_arguments_text(full, options));
  if (std::optional<CompiledText> kept = cache.find()) return std::move(*kept);
  const HeaderFolder headers;
  const DeviceCode code = compile_device_code(tools, full, headers.include_folder(), options);
  if (!code.ok) throw InputError(ExitCode::input, clang_errors(code.messages, {path, full, headers.folder()}));
  OptimisedCode optimised = optimised_code(tools, code, path, options);
  CompiledText text{std::move(optimised.ptx), definitions_of(code.text), code.messages + optimised.messages,
                    code.file_names, headers.folder()};
  cache.keep(text);
  return text;
}

/// The user's own files, of all that clang read.
std::vector<std::string> included_files(const CompiledText& text, const std::string& source) {
  std::vector<std::string> own;
  for (const std::string& file : text.files) {
    const bool known = file.starts_with(text.headers) || file.starts_with("/usr/");
    if (!known && file != source) own.push_back(file);
  }
  return own;
}

/// Messages about PTX, which the user never saw, as messages about the source.
template <typename Function>
auto at_source_places(const SourcePlaces& places, Function function) {
  try {
    return function();
  } catch (const InputError& error) {
    std::vector<Diagnostic> all = error.diagnostics();
    for (Diagnostic& one : all) places.translate(one);
    throw InputError(error.exit_code(), std::move(all));
  }
}

}  // namespace

bool is_cuda_file(const std::string& path) {
  return path.ends_with(".cu");
}

PortableCompilation compile_portable(const std::string& path, const CudaOptions& options) {
  std::string source = read_source(path);
  CompiledText text = compile_text(path, options);
  const std::string full = absolute(path);
  PortableCompilation result;
  result.warnings = clang_diagnostics(text.messages, {path, full, text.headers});
  result.included_files = included_files(text, full);
  result.code = {path, full, std::move(source), options.code, std::move(text.ptx), std::move(text.code)};
  result.code.code.source_file = full;
  return result;
}

CudaCompilation machine_code(const PortableCode& portable, std::uint8_t sm) {
  const std::string& path = portable.path;
  const SourcePlaces places(portable.ptx, path, portable.full_path, portable.source);
  compiler::CompileOptions choices = portable.code;
  choices.sm = sm;
  CudaCompilation result;
  compiler::Compilation code = at_source_places(places, [&] {
    return compiler::compile_ptx(ptx::read_checked_ptx(portable.ptx, path), path, choices, portable.ptx);
  });
  result.module = std::move(code.module);
  result.printed = std::move(code.printed);
  result.ptx = portable.ptx;
  for (Diagnostic& warning : result.module.warnings) places.translate(warning);
  result.module.container = "CUDA C";
  result.module.source_lines = places.lines();
  name_as_in_source(result.module, parameter_names(portable.definitions));
  return result;
}

CudaCompilation compile_cuda(const std::string& path, const CudaOptions& options) {
  PortableCompilation portable = compile_portable(path, options);
  CudaCompilation result = machine_code(portable.code, options.code.sm);
  if (result.module.kernels.empty())
    refuse(path, "CUDA-KERNEL", "this file has no kernel",
           "a kernel is a function with __global__; a template needs an instance");
  result.module.warnings.insert(result.module.warnings.begin(), portable.warnings.begin(), portable.warnings.end());
  result.module.included_files = std::move(portable.included_files);
  return result;
}

CudaCompilation compile_file(const std::string& path, const CudaOptions& options) {
  if (is_cuda_file(path)) return compile_cuda(path, options);
  const std::string text = read_source(path);
  compiler::CompileOptions choices = options.code;
  choices.ptx_lines = true;
  compiler::Compilation code = compiler::compile_ptx(ptx::read_checked_ptx(text, path), path, choices, text);
  code.module.source_lines = lines_of(text);
  return {std::move(code.module), text, std::move(code.printed)};
}

}  // namespace teslasim::cuda

// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/read/load.h"

#include <array>
#include <filesystem>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "frontend/clang/nvcc_words.h"
#include "frontend/frontend.h"
#include "frontend/workload/read/launch_file.h"
#include "frontend/workload/read/override.h"
#include "frontend/workload/resolve/resolve.h"
#include "sim/base/text_file.h"

namespace teslasim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view launch_extension = ".launch.toml";
constexpr std::array<std::string_view, 5> code_extensions = {".asm", ".cubin", ".cu", ".ptx", ".trace"};
constexpr std::string_view no_launch_file = "none";
constexpr std::size_t largest_launch_file = 64U << 20U;

[[noreturn]] void refuse(ExitCode exit_code, const std::string& code, const std::string& message,
                         const std::string& file, const std::string& help) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = message;
  diagnostic.where.file = file;
  diagnostic.help = help;
  throw InputError(exit_code, diagnostic);
}

SourceText read_launch_file(const std::string& path) {
  const TextFile file = read_text_file(path, largest_launch_file);
  if (!file.error.empty()) {
    refuse(ExitCode::configuration, "LAUNCH-FILE", "the launch file cannot be read: " + file.error, path,
           "check the name; docs/launch-files.md describes launch files");
  }
  return SourceText::from(path, file.text);
}

std::string stem_of(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  if (name.ends_with(launch_extension)) return name.substr(0, name.size() - launch_extension.size());
  return fs::path(name).stem().string();
}

/// The code that a launch file means.
std::string code_of_launch_file(const std::string& launch_file, const WorkloadDraft& draft, MistakeList& mistakes) {
  const std::string folder = fs::path(launch_file).parent_path().string();
  std::error_code error;
  if (draft.code) {
    std::string path = path_in(folder, draft.code->value);
    if (fs::is_regular_file(path, error)) return path;
    mistakes.error({"LAUNCH-FILE",
                    "there is no code file '" + path + "'",
                    draft.code->where,
                    "'code' is relative to the folder of the launch file",
                    {}});
    return "";
  }
  std::string tried;
  for (const std::string_view extension : code_extensions) {
    std::string path = path_in(folder, stem_of(launch_file) + std::string(extension));
    if (fs::is_regular_file(path, error)) return path;
    tried += (tried.empty() ? "" : ", ") + path;
  }
  mistakes.error({"LAUNCH-FILE",
                  "the code of this launch file was not found",
                  {launch_file, 1, 1, 1},
                  "add at the top: code = \"FILE.asm\"",
                  {"looked for " + tried}});
  return "";
}

/// The module, or nullptr and its error: mistakes in the launch file are reported before those in the code.
struct CodeFile {
  std::shared_ptr<const Module> module;
  std::exception_ptr error;
};
CodeFile read_code(const std::string& path, const ReadOptions& options) {
  CodeFile code;
  if (path.empty()) return code;
  try {
    code.module = std::make_shared<const Module>(cuda::with_shown_names(read_module(path, options)));
  } catch (const InputError&) {
    code.error = std::current_exception();
  }
  return code;
}

/// Options of the compiler that a launch file has. Its folders are relative to it.
cuda::CudaOptions compile_options_of(const WorkloadDraft& draft, const std::string& folder, MistakeList& mistakes) {
  cuda::CudaOptions options;
  if (!draft.compile) return options;
  try {
    options = cuda::options_of_words(draft.compile->value, "compile");
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    mistakes.error({"LAUNCH-COMPILE", first.message, draft.compile->where, first.help, {}});
  }
  for (std::string& include : options.include_folders) include = path_in(folder, include);
  return options;
}

/// With those of --compile over them.
ReadOptions with_compile_words(ReadOptions options, cuda::CudaOptions of_file, const std::string& given) {
  options.cuda = cuda::options_of_words(given, "--compile", std::move(of_file));
  return options;
}

Workload finish(const WorkloadDraft& draft, const ResolveContext& context, const CodeFile& code, MistakeList& mistakes,
                ExitCode exit_code) {
  Workload workload = resolve(draft, context, mistakes);
  mistakes.throw_errors(exit_code);
  if (code.error) std::rethrow_exception(code.error);
  SIM_CHECK(code.module != nullptr, "a code file or an error");
  workload.files.insert(workload.files.begin(), code.module->path);
  workload.files.insert(workload.files.end(), code.module->included_files.begin(), code.module->included_files.end());
  workload.warnings.insert(workload.warnings.end(), code.module->warnings.begin(), code.module->warnings.end());
  return workload;
}

WorkloadDraft read_options(const InlineLaunch& options) {
  MistakeList mistakes(inline_text(options));
  WorkloadDraft given = read_inline_options(options, mistakes);
  mistakes.throw_errors(ExitCode::usage);
  return given;
}

/// "--grid 8 --param n=512"
std::string in_one_line(const InlineLaunch& options) {
  std::string all;
  for (const std::string& line : inline_text(options).lines) all += (all.empty() ? "" : " ") + line;
  return all;
}

Workload load_from_file(const std::string& launch_file, const std::string& code_file, const WorkloadRequest& request,
                        const ReadOptions& code_options) {
  const InlineLaunch& options = request.options;
  const WorkloadDraft given = read_options(options);
  MistakeList mistakes(read_launch_file(launch_file));
  WorkloadDraft draft = read_launch_text(mistakes);
  const bool is_toml = !mistakes.has_errors() || draft.defaults.where.line != 0;
  if (!is_toml) mistakes.throw_errors(ExitCode::configuration);
  if (options.any() || !options.kernel.empty()) {
    mistakes.add_text(inline_text(options));
    mistakes.set_note("'" + launch_file + "' with " + in_one_line(options) +
                      " (--launch none: without the launch file)");
    draft = overridden(std::move(draft), given, mistakes);
  }
  std::string path = code_file;
  if (path.empty()) path = code_of_launch_file(launch_file, draft, mistakes);
  const std::string folder = fs::path(launch_file).parent_path().string();
  const CodeFile code =
      read_code(path, with_compile_words(code_options, compile_options_of(draft, folder, mistakes), request.compile));
  ResolveContext context;
  context.module = code.module;
  context.folder = folder;
  context.kernel = options.kernel;
  Workload workload = finish(draft, context, code, mistakes, ExitCode::configuration);
  workload.files.insert(workload.files.begin() + 1, launch_file);
  return workload;
}

Workload load_inline(const std::string& code_file, const WorkloadRequest& request, const ReadOptions& code_options) {
  const InlineLaunch& options = request.options;
  MistakeList mistakes(inline_text(options));
  const WorkloadDraft draft = read_inline_options(options, mistakes);
  const CodeFile code = read_code(code_file, with_compile_words(code_options, {}, request.compile));
  ResolveContext context;
  context.module = code.module;
  return finish(draft, context, code, mistakes, ExitCode::usage);
}

/// The launch file of a request; empty: the options are the whole launch.
std::string launch_file_for(const WorkloadRequest& request) {
  const std::string& input = request.input;
  if (is_launch_file(input)) {
    if (request.launch_file.empty()) return input;
    refuse(ExitCode::usage, "LAUNCH-INLINE", "the input is a launch file already", input,
           "give the code file as input with --launch, or drop --launch");
  }
  std::error_code error;
  if (fs::is_directory(input, error)) {
    refuse(ExitCode::input, "INPUT-FILE", "the file '" + input + "' cannot be read: it is a directory", input,
           "name a file with code or a launch file; report, compare and rerun take the folder of a run");
  }
  const bool none = request.launch_file == no_launch_file;
  if (!request.launch_file.empty() && !none) return request.launch_file;
  std::string beside = launch_file_of(input);
  if (!none && (fs::exists(beside, error) || !fs::exists(input, error))) return beside;
  if (request.options.any()) return "";
  refuse(ExitCode::configuration, "LAUNCH-FILE",
         none ? "there is no launch file, and no launch by options" : "there is no launch file '" + beside + "'", input,
         "write it (docs/launch-files.md), name another with --launch FILE, or give --grid, --block and --param");
}

}  // namespace

bool is_launch_file(const std::string& path) {
  return path.ends_with(launch_extension);
}

std::string launch_file_of(const std::string& code_file) {
  return fs::path(code_file).replace_extension().string() + std::string(launch_extension);
}

Workload load_workload(const WorkloadRequest& request, const ReadOptions& code_options) {
  Workload workload;
  const std::string& input = request.input;
  const std::string launch_file = launch_file_for(request);
  if (launch_file.empty()) {
    workload = load_inline(input, request, code_options);
  } else if (is_launch_file(input)) {
    workload = load_from_file(input, "", request, code_options);
  } else {
    std::error_code error;
    if (!fs::exists(input, error)) (void)read_module(input);  // says what is wrong with the name, with its exit code
    workload = load_from_file(launch_file, input, request, code_options);
  }
  workload.name = stem_of(input);
  return workload;
}

Workload workload_from_text(const std::string& path, std::string_view text, std::shared_ptr<const Module> module) {
  MistakeList mistakes(SourceText::from(path, text));
  const WorkloadDraft draft = read_launch_text(mistakes);
  ResolveContext context;
  context.module = std::move(module);
  context.folder = fs::path(path).parent_path().string();
  Workload workload;
  // A text that is not TOML has no values: complaining that they are missing would not help.
  if (draft.defaults.where.line != 0) workload = resolve(draft, context, mistakes);
  mistakes.throw_errors(ExitCode::configuration);
  workload.name = stem_of(path);
  return workload;
}

}  // namespace teslasim

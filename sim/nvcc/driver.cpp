// SPDX-License-Identifier: Apache-2.0
#include "sim/nvcc/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "frontend/clang/clang_messages.h"
#include "frontend/clang/clang_tools.h"
#include "frontend/clang/foreign_headers.h"
#include "frontend/clang/header_folder.h"
#include "frontend/clang/kernel_names.h"
#include "frontend/clang/portable_code.h"
#include "frontend/cubin/elf_cubin.h"
#include "sim/base/child_program.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"
#include "sim/run/console.h"
#include "sim/run/version.h"

namespace teslasim::nvcc {
namespace {

namespace fs = std::filesystem;

/// Where libteslasim_cudart.so lies: beside this program, or in the lib beside its folder.
std::string library_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path here = program.parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib"}) {
    if (fs::exists(folder / "libteslasim_cudart.so", error)) return folder.string();
  }
  Diagnostic problem;
  problem.code = "CUDA-LIBRARY";
  problem.message = fmt::format("libteslasim_cudart.so is neither in '{}' nor in the lib beside it", here.string());
  problem.help = "build all of teslasim, or keep both in the same folder";
  throw InputError(ExitCode::environment, std::move(problem));
}

std::string needed_program(const std::string& name) {
  if (const std::optional<std::string> path = find_program(name)) return *path;
  Diagnostic problem;
  problem.code = "CUDA-TOOL";
  problem.message = fmt::format("'{}' is not installed", name);
  problem.help = "apt-get install g++ clang-14 llvm-14, or name another one by -ccbin";
  throw InputError(ExitCode::environment, std::move(problem));
}

/// Of C rather than C++: gcc would warn and clang refuse when it compiles the other.
bool is_standard_of_c(const std::string& word) {
  return word.starts_with("-std=") && word.find("++") == std::string::npos;
}

class Driver {
 public:
  explicit Driver(const Request& request) : request_(request) {}

  int run() {
    for (const std::string& notice : request_.notices) print_notice("teslasim-nvcc: " + notice + "\n");
    if (request_.cleans) return clean();
    if (request_.action == Action::ptx || request_.action == Action::cubin) return write_device_code();
    std::vector<std::string> objects;
    for (const Input& input : request_.inputs) {
      if (input.kind == Input::Kind::object) continue;
      const std::string object = object_of(input, objects.size());
      if (const int status = compile(input, object); status != 0) return status;
      objects.push_back(object);
    }
    if (request_.action == Action::archive) return archive(objects);
    return request_.action == Action::link ? link(objects) : 0;
  }

  /// What the program that was linked is called.
  [[nodiscard]] std::string program() const { return request_.output.empty() ? in_folder("a.out") : request_.output; }

 private:
  [[nodiscard]] std::string object_of(const Input& input, std::size_t number) const {
    const std::string stem = fs::path(input.path).stem().string();
    if (request_.action == Action::link || request_.action == Action::archive)
      return scratch_.file(fmt::format("{}-{}.o", number, stem));
    return request_.output.empty() ? in_folder(stem + ".o") : request_.output;
  }

  [[nodiscard]] std::string in_folder(const std::string& name) const {
    return request_.folder.empty() ? name : (fs::path(request_.folder) / name).string();
  }
  [[nodiscard]] std::string archive_name() const {
    return request_.output.empty() ? in_folder("a.a") : request_.output;
  }
  [[nodiscard]] std::string device_file(const Input& input) const {
    const char* extension = request_.action == Action::ptx ? ".ptx" : ".cubin";
    return request_.output.empty() ? in_folder(fs::path(input.path).stem().string() + extension) : request_.output;
  }

  /// Removes what this command would write, never a file that it would read.
  [[nodiscard]] int clean() const {
    std::vector<std::string> files;
    if (request_.action == Action::link) files.push_back(program());
    if (request_.action == Action::archive) files.push_back(archive_name());
    for (const Input& input : request_.inputs) {
      if (input.kind == Input::Kind::object) continue;
      if (request_.action == Action::object) files.push_back(object_of(input, 0));
      if (request_.action == Action::ptx || request_.action == Action::cubin) files.push_back(device_file(input));
    }
    for (const std::string& file : files) {
      std::error_code error;
      const bool is_input = std::any_of(request_.inputs.begin(), request_.inputs.end(),
                                        [&file](const Input& input) { return input.path == file; });
      if (is_input || !fs::is_regular_file(file, error)) continue;
      if (request_.verbose || request_.dry_run) print_notice("rm " + file + "\n");
      if (!request_.dry_run) fs::remove(file, error);
    }
    return 0;
  }

  ChildProgramEnd run_command(const std::vector<std::string>& command) const {
    if (request_.verbose || request_.dry_run) print_notice(fmt::format("{}\n", fmt::join(command, " ")));
    if (request_.dry_run) return {};
    ChildProgramEnd end = run_child_program(command);
    if (!end.output.empty()) print_result(end.output);
    return end;
  }

  /// Runs a command and shows what it wrote.
  int execute(const std::vector<std::string>& command) const {
    const ChildProgramEnd end = run_command(command);
    if (!end.errors.empty()) print_notice(end.errors);
    return end.status;
  }

  /// The host's half, by clang, of a file whose device half has been read: what was said of that is not said again.
  int execute_host_half(const std::vector<std::string>& command, const std::string& path) const {
    const ChildProgramEnd end = run_command(command);
    std::vector<Diagnostic> warnings = cuda::clang_diagnostics(end.errors, {path, path, headers_.folder()});
    if (end.status != 0 || warnings.empty()) {
      if (!end.errors.empty()) print_notice(end.errors);
      return end.status;
    }
    std::erase_if(warnings, [this](const Diagnostic& one) {
      return std::any_of(said_.begin(), said_.end(), [&one](const Diagnostic& other) {
        return one.message == other.message && one.where.file == other.where.file &&
               one.where.line == other.where.line && one.where.column == other.where.column;
      });
    });
    print_warnings(warnings);
    return 0;
  }

  int compile(const Input& input, const std::string& object) {
    return input.kind == Input::Kind::cuda ? compile_cuda(input, object) : compile_host(input, object);
  }

  /// The device code of a file, for each level; what is wrong with it is said now, not when the program runs.
  std::vector<cuda::PortableCode> device_code(const std::string& path) {
    std::vector<cuda::PortableCode> codes;
    said_.clear();
    for (const std::uint8_t level : request_.levels) {
      cuda::CudaOptions options = request_.device;
      options.code.sm = level;
      cuda::PortableCompilation compiled = cuda::compile_portable(path, options);
      const cuda::CudaCompilation machine = cuda::machine_code(compiled.code, level);
      if (codes.empty()) {
        print_warnings(compiled.warnings);
        said_ = std::move(compiled.warnings);
      }
      print_warnings(machine.module.warnings);
      if (request_.resource_usage) print_usage(machine.module);
      if (request_.keeps && level == request_.levels.back()) keep(path, compiled.code.ptx, machine.module);
      codes.push_back(std::move(compiled.code));
    }
    return codes;
  }

  void keep(const std::string& path, const std::string& ptx, const Module& module) const {
    const std::string start = (fs::path(request_.keep_folder) / fs::path(path).stem()).string();
    if (request_.dry_run) return;
    write_file(start + ".ptx", ptx);
    write_file(start + ".cubin", write_elf_cubin(module));
  }

  void print_warnings(const std::vector<Diagnostic>& warnings) const {
    if (request_.warns && !warnings.empty()) print_diagnostics(warnings, Paint::plain);
  }

  static void print_usage(const Module& module) {
    for (const Kernel& kernel : module.kernels)
      print_notice(fmt::format("{}: {} registers, {} bytes shared, {} bytes local, for sm_{}\n",
                               cuda::shown_kernel_name(module, kernel), kernel.registers, kernel.shared_bytes,
                               kernel.local_bytes, module.sm));
  }

  [[nodiscard]] bool only_reads() const {
    return request_.action == Action::preprocess || request_.action == Action::dependencies;
  }

  void preprocess(std::vector<std::string>& command, const Input& input) const {
    command.insert(command.end(), {request_.action == Action::preprocess ? "-E" : "-M", input.path});
    const std::string usual = request_.to_file ? fs::path(input.path).filename().string() + ".cpp.ii" : "";
    const std::string file = request_.output.empty() && !usual.empty() ? in_folder(usual) : request_.output;
    if (request_.action == Action::dependencies && !request_.folder.empty())
      command.insert(command.end(), {"-MT", in_folder(fs::path(input.path).stem().string() + ".o")});
    if (!file.empty()) command.insert(command.end(), {"-o", file});
  }

  int compile_cuda(const Input& input, const std::string& object) {
    const std::string image = scratch_.file(fs::path(input.path).stem().string() + ".teslasim");
    if (!only_reads()) write_file(image, cuda::packed(device_code(input.path)));
    std::vector<std::string> command = cuda::host_command(cuda::find_clang_tools(), headers_.include_folder());
    for (const std::string& word : cuda::words_of_missing(request_.levels.back())) command.push_back(word);
    for (const std::string& word : cuda::with_own_headers_first(request_.host_words)) {
      // clang's OpenMP is a library of its own; parallel loops of .cu files run on one thread.
      if (word != "-fopenmp" && !is_standard_of_c(word)) command.push_back(word);
    }
    if (only_reads())
      preprocess(command, input);
    else
      command.insert(command.end(),
                     {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image, "-c", "-o", object, input.path});
    return only_reads() ? execute(command) : execute_host_half(command, input.path);
  }

  int compile_host(const Input& input, const std::string& object) {
    const bool c = input.kind == Input::Kind::c;
    std::vector<std::string> command{c ? needed_program("gcc") : host_compiler()};
    command.insert(command.end(), {"-fPIC", "-isystem", headers_.include_folder()});
    for (const std::string& word : cuda::with_own_headers_first(request_.host_words)) {
      if (!word.starts_with("-std=") || is_standard_of_c(word) == c) command.push_back(word);
    }
    if (only_reads())
      preprocess(command, input);
    else
      command.insert(command.end(), {"-c", "-o", object, input.path});
    return execute(command);
  }

  [[nodiscard]] std::string host_compiler() const {
    std::string name = request_.host_compiler.empty() ? "g++" : request_.host_compiler;
    std::error_code error;
    if (fs::is_directory(name, error)) name += "/g++";
    return needed_program(name);
  }

  int link(const std::vector<std::string>& objects) {
    const std::string folder = library_folder();
    std::vector<std::string> command{host_compiler()};
    if (request_.shared) command.emplace_back("-shared");
    command.insert(command.end(), {"-o", program()});
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), request_.link_words.begin(), request_.link_words.end());
    if (!request_.shared) add_runtime(command, folder);
    command.emplace_back("-lm");
    return execute(command);
  }

  int archive(const std::vector<std::string>& objects) const {
    std::vector<std::string> command{needed_program("ar"), "rcs", archive_name()};
    command.insert(command.end(), objects.begin(), objects.end());
    for (const Input& input : request_.inputs) {
      if (input.kind == Input::Kind::object) command.push_back(input.path);
    }
    return execute(command);
  }

  /// Programs have the runtime in them, once, for themselves and for the shared libraries that they link or open. The
  /// libraries have none: it is no code for libraries, and two would be two devices.
  static void add_runtime(std::vector<std::string>& command, const std::string& folder) {
    command.insert(command.end(), {"-L" + folder, "-lteslasim_cudart", "-Wl,-rpath," + folder, "-Wl,-u,cudaMalloc"});
    for (const char* names : {"cuda*", "__cuda*", "cu[A-Z]*", "teslasim_cu*"})
      command.push_back(std::string("-Wl,--export-dynamic-symbol=") + names);
  }

  int write_device_code() {
    const bool ptx = request_.action == Action::ptx;
    for (const Input& input : request_.inputs) {
      const std::vector<cuda::PortableCode> codes = device_code(input.path);
      const cuda::PortableCode& last = codes.back();
      write_file(device_file(input), ptx ? last.ptx : write_elf_cubin(cuda::machine_code(last, last.code.sm).module));
    }
    return 0;
  }

  const Request& request_;
  TemporaryFolder scratch_{"nvcc"};  ///< objects between compilers and linker
  cuda::HeaderFolder headers_;
  std::vector<Diagnostic> said_;  ///< by the device half of the file that is being compiled
};

/// In the place of this process, with its streams. Returns only when that fails.
int start_program(const std::string& program, const Request& request) {
  std::vector<std::string> words{fs::absolute(program).string()};
  words.insert(words.end(), request.run_words.begin(), request.run_words.end());
  if (request.verbose || request.dry_run) print_notice(fmt::format("{}\n", fmt::join(words, " ")));
  if (request.dry_run) return 0;
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  (void)std::fflush(nullptr);
  execv(pointers.front(), pointers.data());
  Diagnostic problem;
  problem.code = "CUDA-TOOL";
  problem.message = fmt::format("'{}' cannot be run: {}", program, std::strerror(errno));
  throw InputError(ExitCode::environment, std::move(problem));
}

}  // namespace

int run(const Request& request) {
  if (request.action == Action::help) {
    print_result(help_text());
    return 0;
  }
  if (request.action == Action::version) {
    // Makefiles and CMake look for "release".
    print_result("nvcc: the CUDA compiler driver of teslasim\n" + version_line() +
                 "\nCuda compilation tools, release 4.2, V0.2.1221\n");
    return 0;
  }
  std::string program;
  try {
    Driver driver(request);
    if (const int status = driver.run(); status != 0) return status;
    program = driver.program();
  } catch (const InputError& error) {
    if (request.warns) throw;
    std::vector<Diagnostic> all = error.diagnostics();
    std::erase_if(all, [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::warning; });
    throw InputError(error.exit_code(), std::move(all));
  }
  return request.runs && request.action == Action::link && !request.cleans ? start_program(program, request) : 0;
}

}  // namespace teslasim::nvcc

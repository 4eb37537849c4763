// SPDX-License-Identifier: Apache-2.0
#include "sim/nvcc/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/nvcc/option_table.h"
#include "sim/nvcc/word_lists.h"

namespace teslasim::nvcc {
namespace {

constexpr unsigned lowest_level = 10, highest_level = 13;

/// What the runtime and the headers have: CUDA's own, and those of the samples, which end in D when made for debuggers.
bool is_own_library(std::string name) {
  static constexpr std::string_view runtime[] = {"cudart", "cudart_static", "cuda", "cudadevrt"};
  static constexpr std::string_view samples[] = {"", "_x86_64", "_i386", "64", "32"};
  if (std::find(std::begin(runtime), std::end(runtime), name) != std::end(runtime)) return true;
  if (name.ends_with('D')) name.pop_back();
  for (const std::string_view start : {"cutil", "shrutil"}) {
    if (!name.starts_with(start)) continue;
    return std::find(std::begin(samples), std::end(samples), name.substr(start.size())) != std::end(samples);
  }
  return false;
}

class Reader {
 public:
  explicit Reader(std::vector<std::string> words) : words_(std::move(words)) {}

  Request read() {
    for (next_ = 0; next_ < words_.size(); ++next_) take(words_[next_]);
    settle_levels();
    if (!optimised_ && !debug_) request_.host_words.emplace_back("-O2");
    const bool compiles = request_.action != Action::version && request_.action != Action::help;
    if (compiles && request_.inputs.empty()) complain("CLI-VALUE", "there is no input file", "teslasim-nvcc a.cu -o a");
    if (!makes_one_file() && request_.inputs.size() > 1 && !request_.output.empty())
      complain("CLI-VALUE", "-o with several inputs needs all of them linked",
               "leave -o out, or compile one at a time");
    if (!found_.empty()) throw InputError(ExitCode::usage, std::move(found_));
    return std::move(request_);
  }

 private:
  [[nodiscard]] bool makes_one_file() const {
    return request_.action == Action::link || request_.action == Action::archive;
  }

  void complain(const char* code, std::string message, std::string help) {
    Diagnostic problem;
    problem.code = code;
    problem.message = std::move(message);
    problem.help = std::move(help);
    found_.push_back(std::move(problem));
  }

  void take(const std::string& word) {
    if (word.size() < 2 || word.front() != '-') return take_input(word);
    const std::optional<OptionUse> use = find_option(word);
    if (!use && word.starts_with("-m")) return request_.host_words.push_back(word);
    if (!use)
      return complain("CLI-OPTION", fmt::format("'{}' is no option here", word),
                      "options of the host's compiler go through -Xcompiler; see teslasim-nvcc --help");
    if (!use->option->value) return apply(use->option->meaning, "", word);
    std::string value = use->value;
    if (!use->has_value) {
      if (next_ + 1 == words_.size()) return complain("CLI-VALUE", fmt::format("'{}' needs a value", word), "");
      value = words_[++next_];
    }
    apply(use->option->meaning, value, word);
  }

  void take_input(const std::string& path) {
    using Kind = Input::Kind;
    const std::string extension = std::filesystem::path(path).extension().string();
    Kind kind = Kind::object;
    if (extension == ".cu") kind = Kind::cuda;
    if (extension == ".c") kind = Kind::c;
    if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C") kind = Kind::cpp;
    if (language_ == "cu" && kind != Kind::object) kind = Kind::cuda;
    if (language_ == "c++" && kind != Kind::object) kind = Kind::cpp;
    if (kind == Kind::object) request_.link_words.push_back(path);
    request_.inputs.push_back({path, kind});
  }

  void both_sides(const char* name, const std::string& value) { request_.host_words.push_back(name + value); }

  void apply(Meaning meaning, const std::string& value, const std::string& word) {
    cuda::CudaOptions& device = request_.device;
    switch (meaning) {
      case Meaning::output:
        request_.output = value;
        return;
      case Meaning::include_folder:
        device.include_folders.push_back(value);
        return both_sides("-I", value);
      case Meaning::define:
        device.definitions.push_back(value);
        return both_sides("-D", value);
      case Meaning::undefine:
        device.removed.push_back(value);
        return both_sides("-U", value);
      case Meaning::system_folder:
        device.include_folders.push_back(value);
        return host_words({"-isystem", value});
      case Meaning::first_header:
        device.first_headers.push_back(value);
        return host_words({"-include", value});
      case Meaning::standard:
        return take_standard(value);
      case Meaning::library_folder:
        return request_.link_words.push_back("-L" + value);
      case Meaning::library:
        return take_library(value);
      case Meaning::linker:
        for (const std::string& one : list_of(value)) request_.link_words.push_back("-Wl," + one);
        return;
      case Meaning::host:
        return take_host_words(value);
      case Meaning::assembler:
        return take_assembler_words(value);
      default:
        return apply_device(meaning, value, word);
    }
  }

  void apply_device(Meaning meaning, const std::string& value, const std::string& word) {
    compiler::CompileOptions& code = request_.device.code;
    switch (meaning) {
      case Meaning::level:
        return add_levels(value);
      case Meaning::registers:
        code.maximum_registers = number(value, most_registers, word);
        return;
      case Meaning::optimisation:
        optimised_ = true;
        return both_sides("-O", value.empty() ? "1" : value);
      case Meaning::host_debug:
        debug_ = true;
        request_.host_words.emplace_back("-g");
        return;
      case Meaning::device_debug:
        debug_ = true;
        request_.notices.push_back(word + ": lines of kernels are known anyway; the code stays optimised");
        return;
      case Meaning::profile:
        return take_host_words("-pg");
      case Meaning::fast_math:
        code.fast_math = true;
        return;
      case Meaning::contraction:
        code.contract = value != "false";
        return;
      default:
        return apply_action(meaning, value, word);
    }
  }

  void apply_action(Meaning meaning, const std::string& value, const std::string& word) {
    switch (meaning) {
      case Meaning::action_object:
        request_.action = Action::object;
        return;
      case Meaning::action_ptx:
        request_.action = Action::ptx;
        return;
      case Meaning::action_cubin:
        request_.action = Action::cubin;
        return;
      case Meaning::action_library:
        request_.action = Action::archive;
        return;
      case Meaning::action_host_source:
        request_.action = Action::preprocess;
        request_.to_file = true;
        return;
      case Meaning::action_preprocess:
        request_.action = Action::preprocess;
        return;
      case Meaning::action_dependencies:
        request_.action = Action::dependencies;
        return;
      case Meaning::action_version:
        request_.action = Action::version;
        return;
      case Meaning::action_help:
        request_.action = Action::help;
        return;
      default:
        return apply_choice(meaning, value, word);
    }
  }

  void apply_choice(Meaning meaning, const std::string& value, const std::string& word) {
    switch (meaning) {
      case Meaning::language:
        language_ = value;
        return;
      case Meaning::host_compiler:
        request_.host_compiler = value;
        return;
      case Meaning::shared_library:
        request_.shared = true;
        return;
      case Meaning::verbose:
        request_.verbose = true;
        return;
      case Meaning::dry_run:
        request_.dry_run = true;
        return;
      case Meaning::no_warnings:
        request_.warns = false;
        request_.host_words.emplace_back("-w");
        return;
      case Meaning::run:
        request_.runs = true;
        return;
      case Meaning::run_words:
        for (const std::string& one : list_of(value)) request_.run_words.push_back(one);
        return;
      case Meaning::clean:
        request_.cleans = true;
        return;
      case Meaning::keep:
        request_.keeps = true;
        return;
      case Meaning::keep_folder:
        request_.keep_folder = value;
        return;
      case Meaning::object_folder:
        request_.folder = value;
        return;
      default:
        return apply_refusal(meaning, value, word);
    }
  }

  /// What is not here, or is taken differently.
  void apply_refusal(Meaning meaning, const std::string& value, const std::string& word) {
    switch (meaning) {
      case Meaning::host_language:
        if (value == "C" || value == "c") request_.notices.push_back(word + ": .cu files are C++ here");
        return;
      case Meaning::several_cores:
        request_.notices.push_back(word + ": kernels run on the simulated machine");
        return;
      case Meaning::machine_bits:
        if (value != "64") complain("CUDA-UNSUPPORTED", "only 64-bit host programs are made here", "leave -m32 out");
        return;
      case Meaning::relocatable:
        if (value != "false") refuse_relocatable(word);
        return;
      case Meaning::action_fat_binary:
        return complain("CUDA-UNSUPPORTED", fmt::format("'{}': fat binaries are not made", word),
                        "-cubin or -ptx makes a file that cuModuleLoad takes");
      case Meaning::unsupported:
        return complain("CUDA-UNSUPPORTED", fmt::format("'{}': there is no such thing here", word), "leave it out");
      default:
        return;  // accepted, without a meaning here
    }
  }

  void refuse_relocatable(const std::string& word) {
    complain("CUDA-UNSUPPORTED", fmt::format("'{}': device code of several files is not linked", word),
             "put device functions into headers: compute capability 1.x has no calls across files");
  }

  unsigned number(const std::string& text, unsigned most, const std::string& word) {
    unsigned value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || value > most)
      complain("CLI-VALUE", fmt::format("'{}': {} is no number from 0 to {}", word, text, most), "");
    return value;
  }

  /// "sm_13", "compute_13", "arch=compute_13,code=\"sm_13,compute_13\"", "10".
  void add_levels(const std::string& text) {
    const std::size_t before = asked_.size();
    for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
      unsigned level = 0;
      const auto [stop, error] = std::from_chars(text.data() + at + 1, text.data() + text.size(), level);
      if (error == std::errc() && stop != text.data() + at + 1) asked_.push_back(level);
    }
    if (asked_.size() == before && text != "native" && text != "all")
      complain("CLI-VALUE", fmt::format("'{}' names no level", text), "-arch sm_10, sm_11, sm_12 or sm_13");
  }

  void settle_levels() {
    for (const unsigned asked : asked_) {
      const unsigned level = std::clamp(asked, lowest_level, highest_level);
      if (level != asked)
        request_.notices.push_back(fmt::format("sm_{} does not exist here: compiled for sm_{}", asked, level));
      request_.levels.push_back(static_cast<std::uint8_t>(level));
    }
    if (request_.levels.empty()) request_.levels.push_back(highest_level);
    std::sort(request_.levels.begin(), request_.levels.end());
    request_.levels.erase(std::unique(request_.levels.begin(), request_.levels.end()), request_.levels.end());
    std::sort(request_.notices.begin(), request_.notices.end());
    request_.notices.erase(std::unique(request_.notices.begin(), request_.notices.end()), request_.notices.end());
  }

  void host_words(const std::vector<std::string>& words) {
    request_.host_words.insert(request_.host_words.end(), words.begin(), words.end());
  }

  /// Our headers need C++11, which old programs are too, but for a word or two that compilers still take.
  void take_standard(const std::string& value) {
    static constexpr std::string_view old[] = {"c++98", "c++03", "gnu++98", "gnu++03"};
    if (std::find(std::begin(old), std::end(old), value) != std::end(old))
      return request_.notices.push_back(fmt::format("-std={}: compiled as gnu++14", value));
    if (value.find("++") != std::string::npos) request_.device.standard = value;
    request_.host_words.push_back("-std=" + value);
  }

  /// nvcc's device side reads the source by way of the host's compiler, with its macros and folders.
  void take_for_device(const std::string& word) {
    constexpr std::size_t letters = 2;
    cuda::CudaOptions& device = request_.device;
    if (word.size() <= letters) return;
    if (word.starts_with("-I")) device.include_folders.push_back(word.substr(letters));
    if (word.starts_with("-D")) device.definitions.push_back(word.substr(letters));
    if (word.starts_with("-U")) device.removed.push_back(word.substr(letters));
  }

  void take_host_words(const std::string& value) {
    for (const std::string& word : list_of(value)) {
      take_for_device(word);
      if (word.starts_with("-std=")) {
        take_standard(word.substr(std::string_view("-std=").size()));
        continue;
      }
      if (word.starts_with("-O")) optimised_ = true;
      request_.host_words.push_back(word);
      if (word == "-fopenmp" || word == "-pthread" || word == "-pg") request_.link_words.push_back(word);
    }
  }

  void take_assembler_words(const std::string& value) {
    const std::vector<std::string> words = list_of(value);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "-v" || word == "--verbose") request_.resource_usage = true;
      if (word == "-O0") request_.device.code.optimization = 0;
      const std::optional<OptionUse> use = find_option(word);
      if (!use || use->option->meaning != Meaning::registers) continue;
      const bool is_next = !use->has_value && i + 1 < words.size();
      apply(Meaning::registers, is_next ? words[++i] : use->value, word);
    }
  }

  void take_library(const std::string& name) {
    static constexpr std::string_view absent[] = {"cublas", "cufft", "curand", "cusparse", "cudpp", "npp", "thrust"};
    if (is_own_library(name)) return;
    if (std::find(std::begin(absent), std::end(absent), name) != std::end(absent))
      return complain("CUDA-UNSUPPORTED", fmt::format("-l{}: this library of CUDA is not here", name),
                      "write the kernels that the program needs of it");
    request_.link_words.push_back("-l" + name);
  }

  static constexpr unsigned most_registers = 124;

  std::vector<std::string> words_;
  std::size_t next_ = 0;
  Request request_;
  std::vector<unsigned> asked_;
  std::string language_;
  bool optimised_ = false, debug_ = false;
  std::vector<Diagnostic> found_;
};

}  // namespace

Request read_command_line(const std::vector<std::string>& words) {
  return Reader(with_options_files(words)).read();
}

std::string help_text() {
  std::string text =
      "teslasim-nvcc [OPTION]... FILE...\n\nCompiles CUDA C for the device by clang 14 and the compiler of teslasim, "
      "the host side by clang 14 and\n"
      "g++, and links programs that run on the simulator. Takes the options of nvcc:\n\n";
  text += option_help();
  return text + "\nEnvironment of the programs: see docs/cuda.md.\n";
}

}  // namespace teslasim::nvcc

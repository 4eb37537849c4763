// SPDX-License-Identifier: Apache-2.0
// `teslasim new`: copies shipped kernels or a lab, which are part of the program, into a fresh folder.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/commands/new_readme.h"
#include "sim/base/output_file.h"
#include "sim/run/folder_lock.h"
#include "sim/run/shipped/examples.h"
#include "sim/run/shipped/labs.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<Option, 3> new_own_options{{
    {"list", 0, Arity::flag, "", "list the examples"},
    {"lab", 0, Arity::value, "N", "instead of examples a lab for courses: kernels and questions"},
    {"teacher", 0, Arity::flag, "", "with --lab: in a folder of their own answers, a solution, what grades"},
}};
constexpr std::array<const char*, 2> default_examples{"reduce1", "reduce2"};

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& why) {
  Diagnostic diagnostic;
  diagnostic.code = "NEW-EXISTS";
  diagnostic.message = "'" + folder + "' " + why;
  diagnostic.help = "name a folder that does not exist yet";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

std::vector<std::string> chosen_examples(const ParsedOptions& options) {
  std::vector<std::string> names(options.inputs().begin() + 1, options.inputs().end());
  if (names.empty()) names.assign(default_examples.begin(), default_examples.end());
  const std::vector<std::string> known = example_names();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_word(name, known);
    usage_error(
        "CLI-VALUE", "there is no example '" + name + "'",
        near.empty() ? fmt::format("the examples are: {}", fmt::join(known, ", ")) : "did you mean '" + near + "'?");
  }
  return names;
}

std::string list_of_labs() {
  std::string text = "\nlabs:\n";
  for (const Lab& lab : labs()) text += fmt::format("  {}  {}\n", lab.number, lab.title);
  return text;
}

Lab chosen_lab(const ParsedOptions& options) {
  if (options.inputs().size() > 1) usage_error("CLI-INPUT", "--lab takes a folder and no examples", "drop one of them");
  const std::string number = options.text("lab");
  std::vector<std::string> known;
  for (const Lab& lab : labs()) {
    if (lab.number == number) return lab;
    known.push_back(lab.number + " (" + lab.title + ")");
  }
  usage_error("CLI-VALUE", "there is no lab '" + number + "'", fmt::format("the labs are: {}", fmt::join(known, ", ")));
}

/// Makes a folder, or takes an empty one, which no other process fills meanwhile.
void fill_folder(const std::string& folder, const std::function<void()>& fill) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) refuse_folder(folder, "is a file");
  fs::create_directories(folder, error);
  if (error) write_error(folder, error.message());
  const FolderLock lock(folder, FolderLock::Wait::no);
  if (!lock.held()) refuse_folder(folder, "is being filled by another teslasim");
  if (!fs::is_empty(folder, error)) refuse_folder(folder, "exists and is not empty");
  fill();
}

std::string make_lab(const std::string& folder, const ParsedOptions& options) {
  const Lab lab = chosen_lab(options);
  const LabReader reader = options.has("teacher") ? LabReader::teacher : LabReader::student;
  fill_folder(folder, [&] { copy_lab(lab, folder, reader); });
  return fmt::format("{}: lab {}, {}. Next: cd {}, then see README.md there\n", folder, lab.number, lab.title, folder);
}

std::string make_examples(const std::string& folder, const ParsedOptions& options) {
  const std::vector<std::string> names = chosen_examples(options);
  fill_folder(folder, [&] {
    for (const std::string& name : names) copy_example(name, folder);
    write_file(folder + "/README.md", new_readme(names));
  });
  return fmt::format("{}: {} example{}. Next: cd {} && {} run {}.asm -c gtx280, then see README.md there\n", folder,
                     names.size(), names.size() == 1 ? "" : "s", folder, callable_program(), names.front());
}

}  // namespace

std::vector<Option> options_of_new() {
  return {new_own_options.begin(), new_own_options.end()};
}

int new_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(new_own_options), "new");
  if (answered_help(options, "new", new_own_options, list_of_labs())) return 0;
  if (options.has("list")) {
    for (const std::string& name : example_names()) print_result(name + "\n");
    return 0;
  }
  if (options.inputs().empty()) usage_error("CLI-INPUT", "new takes the name of a folder", "teslasim new hello");
  const std::string folder = options.inputs().front();
  if (options.has("teacher") && !options.has("lab"))
    usage_error("CLI-VALUE", "--teacher is for a lab", "teslasim new hello --lab 1 --teacher");
  const std::string made = options.has("lab") ? make_lab(folder, options) : make_examples(folder, options);
  if (!console_options(options).quiet) print_result(made);
  return 0;
}

}  // namespace teslasim

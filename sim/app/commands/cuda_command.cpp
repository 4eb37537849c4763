// SPDX-License-Identifier: Apache-2.0
// `teslasim cuda`: runs a CUDA program that was compiled with teslasim-nvcc. Its library reads environment variables;
// this command checks the options, sets the variables and becomes the program.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sim/app/cli/command_functions.h"
#include "sim/cudart/board_loader.h"
#include "sim/cudart/control.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 14> cuda_own_options{{
    {"config", 'c', Arity::values, "CONFIG", "machine: a preset or a file; repeat to stack files"},
    {"set", 's', Arity::values, "KEY=VALUE", "override one value; applied last"},
    {"mode", 0, Arity::value, "MODE", "timing, functional, timing:every=N, timing:launches=0-3,7, timing:kernels=A,B"},
    {"sample", 0, Arity::value, "N,M,blocks=W",
     "in time: of a kernel's launches the first N and each M-th, of their blocks W waves; others extrapolated"},
    {"out", 'o', Arity::value, "DIR", "folder of the results instead of runs/NNN-..."},
    {"runs-dir", 0, Arity::value, "DIR", "where numbered folders are made (default: runs)"},
    {"no-out", 0, Arity::flag, "", "write no folder"},
    {"record", 0, Arity::value, "DIR", "write a trace of each launch"},
    {"max-cycles", 0, Arity::value, "N", "stop a launch after so many SP cycles"},
    {"max-instructions", 0, Arity::value, "N", "stop a launch without time after so many warp instructions"},
    {"max-seconds", 0, Arity::value, "S", "stop a launch after so many seconds of the host"},
    {"bounds", 0, Arity::value, "WHAT", "what kernels reach: buffers, or all of the board, as on chips"},
    {"free-copies", 0, Arity::flag, "", "copies between host and device take no simulated time"},
    {"threads", 'j', Arity::value, "N", "threads of the host that simulate"},
}};
constexpr std::string_view cuda_notes =
    "\nteslasim cuda -c 8800gtx --mode functional -- ./program ARGUMENTS\n\nThe program was made by teslasim-nvcc; "
    "docs/cuda.md has the environment variables that this command sets.\n";

/// An option and the variable that carries it.
struct Carried {
  std::string_view option;
  const char* variable;
};
constexpr std::array<Carried, 10> carried{{{"mode", "TESLASIM_MODE"},
                                           {"sample", "TESLASIM_SAMPLE"},
                                           {"out", "TESLASIM_OUT"},
                                           {"runs-dir", "TESLASIM_RUNS"},
                                           {"record", "TESLASIM_RECORD"},
                                           {"max-cycles", "TESLASIM_MAX_CYCLES"},
                                           {"max-instructions", "TESLASIM_MAX_INSTRUCTIONS"},
                                           {"max-seconds", "TESLASIM_MAX_SECONDS"},
                                           {"threads", "TESLASIM_THREADS"},
                                           {"bounds", "TESLASIM_BOUNDS"}}};

void put(const char* variable, const std::string& value) {
  constexpr int replace = 1;
  setenv(variable, value.c_str(), replace);
}

void put_environment(const ParsedOptions& options) {
  if (options.has("config")) put("TESLASIM_MACHINE", fmt::format("{}", fmt::join(options.all("config"), " ")));
  if (options.has("set")) put("TESLASIM_SET", fmt::format("{}", fmt::join(options.all("set"), " ")));
  for (const Carried& one : carried) {
    if (options.has(one.option)) put(one.variable, options.text(one.option));
  }
  if (options.has("no-out")) put("TESLASIM_OUT", "none");
  if (options.has("free-copies")) put("TESLASIM_COPIES", "free");
  if (options.has("quiet")) put("TESLASIM_QUIET", "1");
}

}  // namespace

std::vector<Option> options_of_cuda() {
  return {cuda_own_options.begin(), cuda_own_options.end()};
}

int cuda_command(const Arguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const ParsedOptions options = parse_options(Arguments(arguments.begin(), end), with_common(cuda_own_options), "cuda");
  if (answered_help(options, "cuda", cuda_own_options, cuda_notes)) return 0;
  std::vector<std::string> words = options.inputs();
  if (end != arguments.end()) words.insert(words.end(), end + 1, arguments.end());
  if (words.empty()) usage_error("CLI-INPUT", "there is no program", "teslasim cuda [OPTIONS] -- ./program ARGUMENTS");
  put_environment(options);
  (void)cudart::read_control([](const char* name) { return std::getenv(name); });
  const cudart::SetWords sets = cudart::told_apart(options.all("set"));
  (void)load_machine(options.all("config"), sets.machine);
  (void)cudart::load_board(options.all("config"), sets.board);
  std::vector<char*> given;
  for (std::string& word : words) given.push_back(word.data());
  given.push_back(nullptr);
  execvp(given.front(), given.data());
  Diagnostic problem;
  problem.code = "ENV-SPAWN";
  problem.message = fmt::format("cannot start '{}': {}", words.front(), std::strerror(errno));
  problem.help = "a program of this folder needs its place: ./program";
  throw InputError(ExitCode::environment, std::move(problem));
}

}  // namespace teslasim

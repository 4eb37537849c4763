// SPDX-License-Identifier: Apache-2.0
// `teslasim doctor`: what is installed, where results would go, and whether the program works: shipped kernels are run
// and their outputs compared with the built-in references.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "frontend/clang/clang_tools.h"
#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/explain.h"
#include "sim/base/temporary_folder.h"
#include "sim/database/database.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/live/live_server.h"
#include "sim/run/console.h"
#include "sim/run/shipped/examples.h"
#include "sim/run/version.h"
#include "sim/run/workload_run.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<Option, 1> doctor_own_options{
    {{"full", 0, Arity::flag, "", "self-test with every shipped kernel"}}};
constexpr std::array<const char*, 3> quick_kernels{"vecadd", "reduce3", "stencil2d"};
// One process elaborates one SystemC hierarchy, so exactly one kernel is also timed.
constexpr const char* timed_kernel = "saxpy";

struct SelfTest {
  unsigned passed = 0, failed = 0;

  void run(const std::string& name, Mode mode) {
    const std::string problem = problem_of(name, mode);
    ++(problem.empty() ? passed : failed);
    if (!problem.empty()) print_result(fmt::format("  self-test {}: {}\n", name, problem));
  }

 private:
  static std::string problem_of(const std::string& name, Mode mode) {
    try {
      const TemporaryFolder folder("doctor");
      copy_example(name, folder.path());
      RunSettings settings;
      settings.workload.input = folder.path() + "/" + name + ".launch.toml";
      settings.mode = mode;
      const PreparedRun prepared = prepare(std::move(settings));
      WorkloadRun simulation(prepared);
      const RunOutcome outcome = simulation.run({});
      if (!outcome.errors.empty()) return outcome.errors.front().code + ": " + outcome.errors.front().message;
      if (!outcome.result.outputs_ok()) return "wrong output";
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  }
};

void print_versions() {
  print_result(version_line() + "\n");
  std::string libraries = fmt::format("systemc {} (asked for its C++17 interface)", systemc_version());
  for (const auto& [name, version] : library_versions()) libraries += fmt::format("  {} {}", name, version);
  print_result(libraries + "\n");
}

void print_environment() {
  std::error_code error;
  const fs::space_info space = fs::space(fs::current_path(), error);
  const std::string disk =
      error ? "unknown" : fmt::format("{:.1f} GB free", static_cast<double>(space.available) / 1e9);
  const bool writable = access(".", W_OK) == 0;
  print_result(fmt::format("presets {}, explain pages {}, schema teslasim.stats/1, machine default {}\n",
                           preset_list().size(), explain_pages().size(), default_machine));
  print_result("CUDA C: " + cuda::installed_tools() + "\nlive view: " + live_server_library() +
               "\nSQLite: " + database_library() + "\n");
  print_result(fmt::format("results go to ./runs: {}, {}\n", disk,
                           writable ? "writable" : "NOT WRITABLE (use --out or --runs-dir)"));
}

}  // namespace

std::vector<Option> options_of_doctor() {
  return {doctor_own_options.begin(), doctor_own_options.end()};
}

int doctor_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(doctor_own_options), "doctor");
  if (answered_help(options, "doctor", doctor_own_options)) return 0;
  print_versions();
  print_environment();
  SelfTest test;
  const std::vector<std::string> known = example_names();
  for (const std::string& name : known) {
    const bool quick = std::find(quick_kernels.begin(), quick_kernels.end(), name) != quick_kernels.end();
    if (quick || options.has("full")) test.run(name, Mode::functional);
  }
  if (std::find(known.begin(), known.end(), timed_kernel) != known.end()) test.run(timed_kernel, Mode::timing);
  print_result(fmt::format("self-test: {} of {} kernels right{}\n", test.passed, test.passed + test.failed,
                           test.failed == 0 ? "" : "; THE PROGRAM DOES NOT WORK AS IT SHOULD"));
  return static_cast<int>(test.failed == 0 ? ExitCode::done : ExitCode::check_failed);
}

}  // namespace teslasim

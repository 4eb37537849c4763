// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/run_options.h"

#include <algorithm>
#include <array>
#include <thread>

#include "sim/app/cli/timeline_options.h"
#include "sim/report/result/expectation.h"
#include "sim/report/result/expectation_file.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 13> workload_table{{
    {"config", 'c', Arity::values, "CONFIG", "machine: a preset (gtx280, 8800gtx...) or FILE.toml; repeat to stack"},
    {"set", 's', Arity::values, "KEY=VALUE", "override one value of the machine; repeat"},
    {"retarget", 0, Arity::value, "sm_1X", "let the machine execute this instruction set level", Listing::rare},
    {"allow-unaligned", 0, Arity::flag, "", "accept long instructions at odd addresses (soft GPGPUs)", Listing::rare},
    {"compile", 0, Arity::value, "WORDS", "options for CUDA C and PTX, e.g. '-DTILE=16 -maxrregcount 16'"},
    {"launch", 0, Arity::value, "FILE|none", "launch file (default: INPUT's name with .launch.toml)"},
    {"kernel", 0, Arity::value, "NAME", "kernel of a file with several; alone: only its launches run"},
    {"grid", 0, Arity::value, "X[,Y]", "blocks, instead of what the launch file says"},
    {"block", 0, Arity::value, "X[,Y[,Z]]", "threads of a block"},
    {"param", 0, Arity::values, "NAME=...",
     "a parameter: n=1024 or A=f32[4096]:rand:1 (without launch file: in order)"},
    {"check", 0, Arity::values, "NAME=FILE", "compare a buffer with FILE.npy afterwards"},
    {"tol", 0, Arity::value, "TOLERANCE", "tolerance of all checks", Listing::rare},
    {"dynamic-shared", 0, Arity::value, "BYTES", "dynamic shared memory per block", Listing::rare},
}};

constexpr std::array<Option, 21> run_table{{
    {"out", 'o', Arity::value, "DIR", "write results to DIR, which must be new or empty", Listing::common,
     FileUse::makes},
    {"no-out", 0, Arity::flag, "", "write no run directory"},
    {"runs-dir", 0, Arity::value, "DIR", "where numbered runs go (default: runs)", Listing::rare},
    {"mode", 0, Arity::value, "timing|functional", "functional: results and counts, no time"},
    {"dump", 0, Arity::values, "NAME=FILE.npy", "write a buffer after the run", Listing::common, FileUse::writes_named},
    {"json", 0, Arity::optional_value, "FILE|-", "write stats.json to FILE, or to stdout and nothing else",
     Listing::common, FileUse::writes},
    {"expect", 0, Arity::values, "CONDITION", "exit 1 unless it holds, e.g. 'time_ms < 0.35'; @FILE: those of a file"},
    {"max-cycles", 0, Arity::value, "N", "stop after N SP cycles (status limit)"},
    {"max-seconds", 0, Arity::value, "S", "stop after S seconds of wall time (status limit)"},
    {"calibration", 0, Arity::value, "FILE|none", "inputs of the models (default: the cache)", Listing::rare},
    {"limit-is-error", 0, Arity::flag, "", "exit 7 when --max-seconds stopped the run", Listing::rare},
    {"max-rss", 0, Arity::value, "MB", "stop and exit 7 when the simulator itself needs more memory", Listing::rare},
    {"look-ahead", 0, Arity::value, "N|exact", "SM cycles per activation; never changes a result", Listing::rare},
    {"threads", 0, Arity::value, "N|auto", "threads that simulate the launch (default: 1); never changes a result"},
    {"serve", 0, Arity::optional_number, "PORT",
     "watch the run in a browser of this host: progress, stalls, traffic, stop, snapshot, timeline"},
    {"launch-details", 0, Arity::value, "all|none|A-B,C...",
     "launches with statistics of their own; the others are added up by kernel (default: up to 64 launches all)",
     Listing::rare},
    {"no-intervals", 0, Arity::flag, "", "keep no time series: no intervals.csv", Listing::rare},
    {"warp-sms", 0, Arity::value, "LIST|all|none", "SMs whose warps warps.csv has one by one (default: 0)",
     Listing::rare},
    {"no-report", 0, Arity::flag, "", "write no report.html", Listing::rare},
    {"sqlite", 0, Arity::flag, "", "write run.sqlite too: the run's tables for SQL", Listing::rare},
    {"no-sleep", 0, Arity::flag, "", "tick idle SMs too; never changes a result", Listing::rare},
}};

constexpr std::array<Option, 3> limit_table{{
    {"max-cycles", 0, Arity::value, "N", "each run stops after N SP cycles (status limit)", Listing::rare},
    {"max-seconds", 0, Arity::value, "S", "each run stops after S seconds of wall time (status limit)", Listing::rare},
    {"limit-is-error", 0, Arity::flag, "", "exit 7 when --max-seconds stopped one", Listing::rare},
}};

constexpr std::array<Option, 3> sampling_table{{
    {"sample", 0, Arity::value, "blocks[=N]", "long launches: N waves of blocks in time, the others by function"},
    {"blocks", 0, Arity::value, "A-B,C...", "a sampled run: only these blocks of each grid", Listing::rare},
    {"sms", 0, Arity::value, "A-B,C...", "traces: only the blocks recorded on these SMs; kernels: the SMs of timelines",
     Listing::rare},
}};

constexpr std::array<std::string_view, 4> levels{"sm_10", "sm_11", "sm_12", "sm_13"};
constexpr int lowest_level = 10;
constexpr unsigned largest_look_ahead = 64;

std::vector<std::pair<std::string, std::string>> dumps(const ParsedOptions& options) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& text : options.all("dump")) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
      usage_error("CLI-VALUE", "--dump takes NAME=FILE.npy, got '" + text + "'", "for example --dump out=out.npy");
    }
    result.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return result;
}

unsigned look_ahead(const ParsedOptions& options) {
  if (options.text("look-ahead") == "exact") return 0;
  return static_cast<unsigned>(options.number("look-ahead", RunSettings{}.look_ahead, largest_look_ahead));
}

constexpr unsigned most_threads = 256, most_ports = 65535;

/// `auto`: as many as the host has processors.
unsigned threads(const ParsedOptions& options) {
  if (options.text("threads") == "auto") return std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
  const auto number = static_cast<unsigned>(options.number("threads", RunSettings{}.threads, most_threads));
  if (number == 0) usage_error("CLI-VALUE", "--threads takes a number from 1 on, or auto", "for example --threads 2");
  return number;
}

}  // namespace

std::span<const Option> workload_options() {
  return workload_table;
}
std::span<const Option> run_options() {
  return run_table;
}
std::span<const Option> limit_options() {
  return limit_table;
}
RunLimits run_limits(const ParsedOptions& options) {
  return {options.number("max-cycles", never), options.real("max-seconds", 0.0), options.has("limit-is-error")};
}
std::span<const Option> sampling_options() {
  return sampling_table;
}

WorkloadRequest workload_request(const ParsedOptions& options, std::string_view command) {
  if (options.inputs().empty()) {
    usage_error("CLI-INPUT", "no input: name an .asm, .cu, .cubin or .launch.toml file",
                "teslasim " + std::string(command) + " --help");
  }
  if (options.inputs().size() > 1) {
    usage_error("CLI-INPUT", "one input at a time, got '" + options.inputs()[0] + "' and '" + options.inputs()[1] + "'",
                "a launch file goes with --launch FILE");
  }
  return workload_request_for(options, options.inputs().front());
}

WorkloadRequest workload_request_for(const ParsedOptions& options, const std::string& input) {
  WorkloadRequest request;
  request.input = input;
  request.launch_file = options.text("launch");
  request.allow_unaligned = options.has("allow-unaligned");
  request.compile = options.text("compile");
  request.options.kernel = options.text("kernel");
  request.options.grid = options.text("grid");
  request.options.block = options.text("block");
  request.options.parameters = options.all("param");
  request.options.checks = options.all("check");
  request.options.tolerance = options.text("tol");
  request.options.dynamic_shared_bytes = options.text("dynamic-shared");
  return request;
}

std::uint8_t retarget_level(const ParsedOptions& options) {
  if (!options.has("retarget")) return 0;
  const std::string level = options.choice("retarget", levels);
  return static_cast<std::uint8_t>(lowest_level + (level.back() - '0'));
}

std::vector<std::string> machine_sets(const ParsedOptions& options) {
  std::vector<std::string> sets = options.all("set");
  const std::string level = options.choice("retarget", levels);
  if (!options.has("retarget")) return sets;
  sets.push_back("arch=" + level);
  // The chip whose instructions these are has one unit for f64 in each SM; a machine of a lower level has none.
  const bool chosen =
      std::any_of(sets.begin(), sets.end(), [](const std::string& set) { return set.starts_with("sm.dp_units"); });
  if (level == "sm_13" && !chosen) sets.emplace_back("sm.dp_units=1");
  return sets;
}

RunSettings run_settings(const ParsedOptions& options) {
  constexpr std::array<std::string_view, 2> modes{"timing", "functional"};
  RunSettings settings;
  settings.workload = workload_request(options, "run");
  settings.configs = options.all("config");
  settings.sets = machine_sets(options);
  settings.mode = options.choice("mode", modes) == "functional" ? Mode::functional : Mode::timing;
  settings.look_ahead = look_ahead(options);
  settings.threads = threads(options);
  settings.sleeping = !options.has("no-sleep");
  settings.intervals = !options.has("no-intervals");
  settings.warp_sms = options.text("warp-sms", options.has("no-out") ? "none" : "");
  settings.max_cycles = options.number("max-cycles", never);
  settings.launch_details = options.text("launch-details");
  settings.calibration = options.text("calibration");
  settings.blocks = {options.text("blocks"), sms_are_to_record(options) ? "" : options.text("sms")};
  if (options.has("sample")) settings.sample = BlockSampleRule::parse(options.text("sample"));
  return settings;
}

RunOutputs run_outputs(const ParsedOptions& options) {
  RunOutputs outputs;
  outputs.max_seconds = options.real("max-seconds", 0.0);
  outputs.max_rss_mb = options.real("max-rss", 0.0);
  outputs.limit_is_error = options.has("limit-is-error");
  outputs.out = options.text("out");
  outputs.runs = options.text("runs-dir", outputs.runs);
  outputs.write_directory = !options.has("no-out");
  outputs.report = !options.has("no-report");
  outputs.database = options.has("sqlite");
  outputs.json = options.text("json");
  outputs.expectations = with_expectation_files(options.all("expect"));
  outputs.dumps = dumps(options);
  if (options.has("serve")) outputs.serve = static_cast<unsigned>(options.number("serve", 0, most_ports));
  for (const std::string name : {"warp-sms", "sqlite"}) {
    if (!options.has(name) || outputs.write_directory) continue;
    usage_error("CLI-VALUE", "--" + name + " is for a file of the run's folder, and --no-out makes none", "drop one");
  }
  if (!outputs.out.empty() && !outputs.write_directory) {
    usage_error("CLI-VALUE", "--out and --no-out contradict each other", "give one of them");
  }
  check_places(outputs);
  validate_expectations(outputs.expectations);
  return outputs;
}

}  // namespace teslasim

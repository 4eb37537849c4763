// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/whole_kernel.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "frontend/frontend.h"
#include "frontend/workload/read/load.h"
#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"
#include "sim/validation/measure.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> whole_files;  // embedded by the root CMakeLists.txt

namespace {

constexpr std::string_view folder = "traces/whole/";
/// The times of which a figure is made, and how each is measured.
struct FigureTime {
  std::string_view argument;
  std::string_view measure;
};
constexpr std::array<FigureTime, 5> times{{
    {"of", "kernel_time"},
    {"further", "further_time"},
    {"less", "kernel_time"},
    {"to", "kernel_time"},
    {"to_less", "kernel_time"},
}};

/// The buffers that the launches name, in the order of their parameters, the launches with their new numbers, and a
/// module with their kernel only: where code and data lie must not depend on what else is in the files.
Workload alone(const Workload& all, std::string_view kernel) {
  Workload workload;
  workload.name = all.name;
  std::vector<std::size_t> kept;
  std::shared_ptr<const Module> module;
  for (LaunchSpec launch : all.launches) {
    if (launch.kernel != kernel) continue;
    for (ParameterValue& parameter : launch.parameters) {
      if (!parameter.buffer) continue;
      const auto known = std::find(kept.begin(), kept.end(), *parameter.buffer);
      const auto place = static_cast<std::size_t>(known - kept.begin());
      if (known == kept.end()) {
        kept.push_back(*parameter.buffer);
        workload.buffers.push_back(all.buffers.at(*parameter.buffer));
      }
      parameter.buffer = place;
    }
    if (!module) {
      Module own = *launch.module;
      std::erase_if(own.kernels, [&](const Kernel& other) { return other.name != kernel; });
      module = std::make_shared<const Module>(std::move(own));
    }
    launch.module = module;
    workload.launches.push_back(std::move(launch));
  }
  return workload;
}

constexpr double femtoseconds_per_millisecond = 1e12;

/// The time of the launch as `run` prints it.
MeasuredValue kernel_time(MicroMachine& machine, const MeasureArguments& arguments) {
  const LaunchStatistics statistics = machine.run(whole_kernel_launches(arguments.text("launch"))).front();
  return static_cast<double>(statistics.duration) / femtoseconds_per_millisecond;
}

/// The passes that follow a first one. What launching them costs a host is in the figure (`clock_us`).
MeasuredValue further_time(MicroMachine& machine, const MeasureArguments& arguments) {
  Femtoseconds time = 0;
  for (const LaunchStatistics& pass : machine.run(whole_kernel_launches(arguments.text("launch")))) {
    time += pass.duration;
  }
  return static_cast<double>(time) / femtoseconds_per_millisecond;
}

/// `work` per time, in units of `giga` per second.
double rate(const MeasureArguments& arguments, double milliseconds) {
  constexpr double milli = 1e-3, giga = 1e9;
  return arguments.real("work", 0.0) / (milliseconds * milli) / arguments.real("giga", giga);
}

MeasuredValue kernel_rate(MicroMachine& machine, const MeasureArguments& arguments) {
  return rate(arguments, kernel_time(machine, arguments).number);
}

bool is_figure(const MeasureArguments& arguments) {
  return arguments.measure() == "kernel";
}

constexpr std::array<Measure, 3> whole_kernel_table{{
    {"kernel_time", "time of a launch of traces/whole in ms", kernel_time},
    {"further_time", "what further passes take, in ms", further_time},
    {"kernel_rate", "its work per second, for plots", kernel_rate},
}};

}  // namespace

std::string_view whole_file(std::string_view name) {
  for (const EmbeddedFile& file : whole_files) {
    if (file.name == std::string(folder) + std::string(name)) return file.text;
  }
  return {};
}

Workload whole_kernel_launches(std::string_view name) {
  const std::string_view file = name.substr(0, name.find('/')), kernel = name.substr(name.find('/') + 1);
  const std::string code_name = std::string(file.substr(0, file.find('.'))) + ".asm";
  const std::string launch_name = std::string(file) + ".launch.toml";
  const std::string_view code = whole_file(code_name), text = whole_file(launch_name);
  SIM_CHECK(!code.empty() && !text.empty(), "there is no traces/whole/" + launch_name);
  const auto module = std::make_shared<const Module>(read_module_bytes(std::string(folder) + code_name, code));
  Workload launches = alone(workload_from_text(std::string(folder) + launch_name, text, module), kernel);
  SIM_CHECK(!launches.launches.empty(), launch_name + " does not launch '" + std::string(kernel) + "'");
  return launches;
}

std::vector<std::string> measurements_of(const PublishedRow& row) {
  if (row.measure == "-") return {};
  const MeasureArguments arguments(row.measure);
  if (!is_figure(arguments)) return {row.measure};
  SIM_CHECK(arguments.sets().empty(), row.id + ": figures of whole kernels change no keys");
  std::vector<std::string> measurements;
  for (const FigureTime& time : times) {
    if (!arguments.has(time.argument)) continue;
    measurements.push_back(std::string(time.measure) + " launch=" + arguments.text(time.argument));
  }
  return measurements;
}

MeasureOutcome outcome_of_row(const PublishedRow& row, const std::vector<MeasureOutcome>& outcomes) {
  if (row.measure == "-") return {{}, {}, row.why};
  const MeasureArguments arguments(row.measure);
  if (!is_figure(arguments)) return outcomes.at(0);
  for (const MeasureOutcome& outcome : outcomes) {
    if (!outcome.number) return outcome;
  }
  auto next = outcomes.begin();
  const auto taken = [&](std::string_view time) { return arguments.has(time) ? *(next++)->number : 0.0; };
  const double of = taken("of"), further = taken("further"), less = taken("less"), to = taken("to"),
               to_less = taken("to_less");
  constexpr double micro_per_milli = 1e3;
  const double clock = arguments.real("clock_us", 0.0) / micro_per_milli;
  const double time = (of + further + clock - less) / arguments.real("share", 1.0);
  MeasureOutcome result;
  if (arguments.has("to")) {
    result.number = (of - less) / (to - to_less);
  } else if (arguments.has("work")) {
    result.number = rate(arguments, time);
  } else {
    result.number = arguments.text("in") == "us" ? time * micro_per_milli : time;
  }
  return result;
}

std::span<const Measure> whole_kernel_measures() {
  return whole_kernel_table;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/report_files.h"

#include <filesystem>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/html/html_report.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

/// "" when the file cannot be read: a report says what is missing.
std::string text_or_nothing(const std::string& path, FileOwner owner) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";
  TextFile file = read_text_file(path, std::size_t{512} << 20U, owner);
  return file.error.empty() ? std::move(file.text) : "";
}

std::vector<MachinePeaks> peaks_of_presets() {
  std::vector<MachinePeaks> peaks;
  for (const PresetInfo& preset : preset_list()) {
    const MachineSpec spec = load_machine({preset.name}, {}).spec;
    if (spec.derived.peak_gbs_dram > 0 && spec.derived.peak_gflops_mad > 0) {
      peaks.push_back({spec.name, spec.derived.peak_gbs_dram, spec.derived.peak_gflops_mad});
    }
  }
  return peaks;
}

}  // namespace

ReportFiles read_report_files(const std::string& directory, FileOwner owner) {
  ReportFiles files;
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  files.label = (error ? fs::path(directory) : real).filename().string();
  files.stats = text_or_nothing(directory + "/stats.json", owner);
  if (files.stats.empty()) {
    Diagnostic diagnostic;
    diagnostic.code = "RUN-DAMAGED";
    diagnostic.message = "'" + directory + "' has no stats.json to report on";
    diagnostic.help = "give the directory of a finished run";
    throw InputError(ExitCode::input, std::move(diagnostic));
  }
  files.run = text_or_nothing(directory + "/run.json", owner);
  files.pc = text_or_nothing(directory + "/pc.csv", owner);
  files.ctas = text_or_nothing(directory + "/ctas.csv", owner);
  files.intervals = text_or_nothing(directory + "/intervals.csv", owner);
  files.models = text_or_nothing(directory + "/models.json", owner);
  files.lanes = text_or_nothing(directory + "/lanes.json", owner);
  files.configuration = text_or_nothing(directory + "/config.effective.toml", owner);
  return files;
}

void write_report(const std::vector<std::string>& directories, const std::string& file, FileOwner owner) {
  std::vector<ReportFiles> runs;
  for (const std::string& directory : directories) runs.push_back(read_report_files(directory, owner));
  runs.front().machines = peaks_of_presets();
  write_file(file, html_report(std::move(runs)));
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/report_files.h"

#include "sim/base/output_file.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/html/html_report.h"

namespace teslasim {
namespace {

std::vector<MachinePeaks> peaks_of_presets() {
  std::vector<MachinePeaks> peaks;
  for (const PresetInfo& preset : preset_list()) {
    if (preset.peak_gbs_dram > 0 && preset.peak_gflops_mad > 0)
      peaks.push_back({preset.title, preset.peak_gbs_dram, preset.peak_gflops_mad});
  }
  return peaks;
}

}  // namespace

std::string report_page(const std::vector<FinishedRun>& runs) {
  return html_report(runs, peaks_of_presets());
}

void write_report(const std::vector<FinishedRun>& runs, const std::string& file) {
  write_file(file, report_page(runs));
}

}  // namespace teslasim

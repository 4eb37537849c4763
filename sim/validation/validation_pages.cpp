// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation_pages.h"

#include <system_error>
#include <vector>

#include "sim/base/command_files.h"
#include "sim/base/output_file.h"
#include "sim/run/usage_error.h"
#include "sim/validation/sweeps.h"
#include "sim/validation/validation_document.h"

namespace teslasim {

ValidationPages::ValidationPages(const std::string& file)
    : file_(file),
      folder_(std::filesystem::path(file).replace_extension()),
      old_(read_text_file(file, largest_text, FileOwner::program)) {
  if (!old_.error.empty()) usage_error("CLI-VALUE", "--report: " + file + ": " + old_.error);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_, error))
    write_error(folder_.string(), error ? error.message() : "it is a file; pages and plots go there");
  for (std::size_t i = 0; i < sweeps().size(); ++i) claim_output(plot_file(i));
  for (const std::string& name : experiment_page_names()) claim_output((folder_ / name).string());
}

void ValidationPages::write(const ValidationResult& result, const WorkerOptions& workers) const {
  const std::string text = with_validation(old_.text, validation_markdown(result, folder_.filename().string()));
  const std::vector<Plot> plots = measured_plots(sweeps(), workers);
  for (std::size_t i = 0; i < plots.size(); ++i) write_file(plot_file(i), svg_plot(plots[i]));
  for (const ExperimentPage& page : experiment_pages(result, std::filesystem::path(file_).filename().string()))
    write_file((folder_ / page.file_name).string(), page.text);
  write_file(file_, text);
}

std::string ValidationPages::plot_file(std::size_t number) const {
  return (folder_ / (std::string(sweeps()[number].name) + ".svg")).string();
}

}  // namespace teslasim

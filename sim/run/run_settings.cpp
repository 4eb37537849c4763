// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_settings.h"

#include <filesystem>
#include <set>

#include "sim/base/output_file.h"
#include "sim/base/output_place.h"
#include "sim/run/run_files.h"
#include "sim/run/usage_error.h"

namespace teslasim {

void check_places(const RunOutputs& outputs) {
  namespace fs = std::filesystem;
  std::set<std::string> taken(run_file_names().begin(), run_file_names().end());
  taken.insert("inputs");
  taken.insert("live");
  std::vector<std::string> files{outputs.json};
  for (const auto& [buffer, file] : outputs.dumps) files.push_back(file);
  for (const std::string& file : files) {
    if (file.empty() || file == "-" || !is_below(file, outputs.out)) continue;
    const fs::path folder = fs::absolute(outputs.out).lexically_normal();
    const fs::path way = fs::absolute(file).lexically_normal().lexically_relative(folder);
    if (way.has_parent_path()) write_error(file, "the run makes no such folder");
    if (way != "." && taken.insert(way.string()).second) continue;
    usage_error("OUT-TWICE", "'" + file + "' is also a file of the run, or named twice", "name another file");
  }
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include <span>

#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"
#include "sim/report/stats_json.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> report_files;  // embedded by the root CMakeLists.txt

std::string_view stats_json_schema() {
  for (const EmbeddedFile& file : report_files) {
    if (file.name == "sim/report/stats.schema.json") return file.text;
  }
  throw InternalError("the schema of stats.json is not part of the program");
}

}  // namespace teslasim

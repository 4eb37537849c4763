// SPDX-License-Identifier: Apache-2.0
// Where `teslasim validate --report FILE.md` writes.
#pragma once

#include <filesystem>
#include <string>

#include "sim/base/text_file.h"
#include "sim/validation/validation.h"

namespace teslasim {

/// A document that gets the index, and the folder beside it for pages and plots: FILE/e1.md and FILE/NAME.svg for
/// FILE.md. Read, and its places looked at, before anything is measured.
class ValidationPages {
 public:
  explicit ValidationPages(const std::string& file);

  /// Measures the sweeps too.
  void write(const ValidationResult& result, const WorkerOptions& workers) const;

 private:
  [[nodiscard]] std::string plot_file(std::size_t number) const;

  std::string file_;
  std::filesystem::path folder_;
  TextFile old_;
};

}  // namespace teslasim

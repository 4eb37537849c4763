// SPDX-License-Identifier: Apache-2.0
// From lines of PTX to those of the CUDA file that they were made of, by the .loc directives between them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim::cuda {

class SourcePlaces {
 public:
  /// `path`: the source as the user named it; `full`: as .file does.
  SourcePlaces(std::string_view ptx, const std::string& path, const std::string& full, std::string_view source);

  /// Names of linkers become those of the source. A message with a place in the PTX gets one in the source, or in the
  /// header that the kernel stands in (without its text), or none but the file.
  void translate(Diagnostic& diagnostic) const;
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  void translate_place(Diagnostic& diagnostic) const;
  void find_declaration(Diagnostic& diagnostic) const;

  struct Place {
    std::uint32_t file = 0, line = 0, column = 0;
  };
  std::string path_;
  std::vector<std::string> lines_;
  std::uint32_t source_ = 0;                      ///< number of the source in .file
  std::map<std::uint32_t, std::string> files_{};  ///< all of .file
  std::map<std::uint32_t, Place> marks_;  ///< line of the PTX -> what .loc says there; line 0: a function begins
};

}  // namespace teslasim::cuda

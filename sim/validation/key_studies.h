// SPDX-License-Identifier: Apache-2.0
// The studies of keys behind `teslasim validate`: what a user asks for, and what comes out in three forms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/validation/validation.h"

namespace teslasim {

enum class KeyStudy : std::uint8_t { sensitivity, left_out };
/// The option that asks for it.
[[nodiscard]] std::string_view option_of(KeyStudy study);

enum class StudyDepth : std::uint8_t { list, measure };

struct StudyRequest {
  KeyStudy study = KeyStudy::sensitivity;
  StudyDepth depth = StudyDepth::measure;
  std::vector<std::string> keys{};  ///< all when empty
  std::string scope{};              ///< the options that chose rows and keys, for the page
  std::string page{};               ///< file to be written; empty: none
};

struct StudyOutput {
  std::string text, json;
};

/// Writes the page, if one is wanted. Throws InputError (usage): rows without numbers, a key that the study does not
/// have, a page that would write over something else.
[[nodiscard]] StudyOutput run_study(const StudyRequest& request, const std::vector<PublishedRow>& rows,
                                    const WorkerOptions& workers);

}  // namespace teslasim

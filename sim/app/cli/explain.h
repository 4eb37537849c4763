// SPDX-License-Identifier: Apache-2.0
// What `teslasim explain` knows: statistics, stall reasons, configuration keys and opcodes from their tables; topics
// and error codes from docs/explain, which is part of the program.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// A page of docs/explain: a section that begins with "## name".
struct ExplainPage {
  std::string_view name;
  std::string_view text;  ///< without the heading, trimmed
};
[[nodiscard]] const std::vector<ExplainPage>& explain_pages();

/// Everything known under `word`, from all tables; empty when there is nothing.
[[nodiscard]] std::string explain_word(const std::string& word);
/// Every word that `explain_word` knows.
[[nodiscard]] std::vector<std::string> explainable_words();

/// The text for a configuration key; throws InputError (usage) with a suggestion when there is none.
[[nodiscard]] std::string explain_configuration_key(const std::string& key);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The configuration of a run: what config.effective.toml has on each line.
#pragma once

#include <string>
#include <vector>

#include "sim/base/config_loader.h"

namespace teslasim {

struct ConfigurationRow {
  std::string key;             ///< dotted
  std::string value;           ///< as TOML
  std::string origin, source;  ///< who set it, and why

  /// The value without quotes.
  [[nodiscard]] std::string plain() const;
};

[[nodiscard]] std::vector<ConfigurationRow> configuration_rows(const std::vector<EffectiveValue>& values);
/// Rows of a text that config_toml wrote. What is not TOML is left out.
[[nodiscard]] std::vector<ConfigurationRow> read_configuration(const std::string& text);

/// The value of a key, without quotes; "" when it is not there.
[[nodiscard]] std::string configured(const std::vector<ConfigurationRow>& rows, std::string_view key);
[[nodiscard]] double configured_number(const std::vector<ConfigurationRow>& rows, std::string_view key);

}  // namespace teslasim

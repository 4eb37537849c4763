// SPDX-License-Identifier: Apache-2.0
// The numbers of a finished run as `compare` and tables of sweeps see them: read back from stats.json, by dotted path.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

class RunData {
 public:
  /// `label` names the run in tables. Throws InputError (ExitCode::input, RUN-DAMAGED) when `text` is not stats.json.
  static RunData from_json(std::string label, const std::string& text);

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::string& machine() const { return machine_; }
  [[nodiscard]] const std::string& status() const { return status_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] const std::vector<std::string>& kernels() const { return kernels_; }
  /// Every number in the order of the document. "shared.replays" is the sum over the launches for counts; of several
  /// launches "launches.1.time.ms" names one.
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& numbers() const { return numbers_; }
  /// A number by name: one of `numbers`, or time_ms, cycles, slots_pct.<reason>.
  [[nodiscard]] std::optional<double> find(std::string_view name) const;
  /// A word of a single launch, such as "models.hong-kim.bound".
  [[nodiscard]] std::string word(std::string_view name) const;

 private:
  void add_sums();

  std::string label_, machine_, status_, digest_;
  std::vector<std::string> kernels_;
  std::vector<std::pair<std::string, double>> numbers_;
  std::vector<std::pair<std::string, std::string>> words_;
};

}  // namespace teslasim

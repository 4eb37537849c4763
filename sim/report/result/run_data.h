// SPDX-License-Identifier: Apache-2.0
// The numbers of a finished run as `compare` and tables of sweeps see them: by dotted path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/result/statistic_tree.h"

namespace teslasim {

/// Of the launches of a run whose blocks are sampled, and of the others: what counters are of, and times are worth.
struct SampledBlocks {
  bool any = false;
  std::uint64_t timed = 0, all = 0;             ///< blocks
  double ms = 0.0, ms_bound = 0.0, cycles = 0;  ///< extrapolated where blocks are sampled
};

/// The buffers that a run compared with what was expected of them.
struct CheckedOutputs {
  std::uint64_t checked = 0;       ///< buffers
  std::vector<std::string> wrong;  ///< "y (3 of 64 elements)"
};

class RunData {
 public:
  /// `label` names the run in tables. Throws InputError (ExitCode::input, RUN-DAMAGED) when `statistics` are not those
  /// of a run.
  static RunData from_tree(const std::string& label, const StatisticTree& statistics);
  /// The same from the text of stats.json.
  static RunData from_json(const std::string& label, const std::string& text);

  [[nodiscard]] const std::string& label() const { return label_; }
  [[nodiscard]] const std::string& machine() const { return machine_; }
  [[nodiscard]] const std::string& status() const { return status_; }
  /// Whether the run went to its end and computed what was expected: only then its times can be compared.
  [[nodiscard]] bool sound() const { return flaw().empty(); }
  /// Why it is not sound: "did not finish (limit)", "has wrong outputs: y (3 of 64 elements)"; else empty.
  [[nodiscard]] std::string flaw() const;
  [[nodiscard]] const CheckedOutputs& outputs() const { return outputs_; }
  /// Only some blocks of a grid ran in time.
  [[nodiscard]] bool sampled() const { return sampled_; }
  [[nodiscard]] const SampledBlocks& blocks() const { return blocks_; }
  [[nodiscard]] const std::string& digest() const { return digest_; }
  [[nodiscard]] const std::vector<std::string>& kernels() const { return kernels_; }
  /// Every number in the order of the document. "shared.replays" is the sum over the launches for counts; of several
  /// launches "launches.1.time.ms" names one.
  [[nodiscard]] const std::vector<std::pair<std::string, double>>& numbers() const { return numbers_; }
  /// A number by name: one of `numbers`, or another that statistic_names.h has.
  [[nodiscard]] std::optional<double> find(std::string_view name) const;
  /// A word of a single launch, such as "models.hong-kim.bound".
  [[nodiscard]] std::string word(std::string_view name) const;

 private:
  struct Reader;  // knows the tree
  void add_sums();
  [[nodiscard]] std::optional<double> share_of(std::string_view reason) const;

  std::string label_, machine_, status_, digest_;
  CheckedOutputs outputs_;
  bool sampled_ = false;
  SampledBlocks blocks_;
  std::vector<std::string> kernels_;
  std::vector<std::pair<std::string, double>> numbers_;
  std::vector<std::pair<std::string, std::string>> words_;
};

}  // namespace teslasim

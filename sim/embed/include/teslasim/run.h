// SPDX-License-Identifier: Apache-2.0
// A finished run: what came out of a launch, or what a run folder of the command line holds.
#pragma once

#include <teslasim/error.h>
#include <teslasim/models.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace teslasim::embed {

/// Nothing: the statistic has no value in this run.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

/// The tables of a run, each a file of a run folder (docs/file-formats.md).
enum class TableName : std::uint8_t {
  instructions,  ///< pc.csv: what each instruction cost
  intervals,     ///< intervals.csv: how the launch went over time
  blocks,        ///< ctas.csv: when each block was on which SM
  warps,         ///< warps.csv: where the cycles of single warps went
  statistics,    ///< stats.csv: every statistic
};

/// Rows of texts under named columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A copy refers to the same run. Functions with `launch` take the number of a launch; a run of Machine::launch has
/// one.
class Run {
 public:
  /// A run folder, "latest" or a number below the folder "runs". Throws Error (RUN-DAMAGED and others).
  [[nodiscard]] static Run load(const std::string& folder);

  [[nodiscard]] std::string name() const;     ///< of the kernel or workload; of a folder, its name
  [[nodiscard]] std::string machine() const;  ///< such as "GeForce GTX 280"
  [[nodiscard]] std::string status() const;   ///< "ok", "interrupted", "limit"...
  [[nodiscard]] std::string digest() const;   ///< over all counters and buffers, as the summary shows it
  [[nodiscard]] std::size_t launches() const;
  [[nodiscard]] bool timed() const;
  [[nodiscard]] double ms() const;             ///< simulated time of all launches; 0 without time
  [[nodiscard]] std::uint64_t cycles() const;  ///< SP cycles of all launches; 0 without time
  [[nodiscard]] double host_seconds() const;   ///< 0 for a loaded run that does not say

  [[nodiscard]] std::string kernel(std::size_t launch = 0) const;
  /// Issue slots by reason, those that occurred, in the order of the reference.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> stalls(std::size_t launch = 0) const;
  /// By the paths of docs/statistics-reference.md ("shared.replays", "issue_slots.issued", "per_sm.3.blocks"), or of
  /// the run ("machine.name"). A first word "sm." may stand before issue_slots and warp_cycles. Throws Error
  /// (STAT-UNKNOWN) when there is none, with what was probably meant.
  [[nodiscard]] Value statistic(const std::string& path, std::size_t launch = 0) const;
  /// All of them with their paths, in the order of the reference.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> statistics(std::size_t launch = 0) const;
  [[nodiscard]] Table table(TableName name) const;
  [[nodiscard]] std::string csv(TableName name) const;
  [[nodiscard]] std::vector<Prediction> predictions() const;
  /// Every key of the machine with its value.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> configuration() const;
  [[nodiscard]] std::vector<Message> warnings() const;

  [[nodiscard]] std::string summary() const;     ///< the text after `teslasim run`
  [[nodiscard]] std::string stats_json() const;  ///< stats.json
  [[nodiscard]] std::string report() const;      ///< report.html: one page without references to anything outside
  [[nodiscard]] std::string overview() const;    ///< a page with the first sections of it
  void write_report(const std::string& file) const;

  struct State;
  explicit Run(std::shared_ptr<const State> state);

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace teslasim::embed

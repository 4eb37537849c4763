// SPDX-License-Identifier: Apache-2.0
// What is in a run directory: enough to read the results with other programs and to repeat the run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/result/finished_run.h"
#include "sim/run/run_directory.h"
#include "sim/run/timelines.h"
#include "sim/run/workload_run.h"
#include "sim/run/write_attempts.h"

namespace teslasim {

/// What a run may write into its directory, beside the copies in inputs/.
[[nodiscard]] std::span<const std::string_view> run_file_names();

/// Identity of a run that is not in its statistics.
struct RunRecord {
  std::vector<std::string> arguments;  ///< the command line, without the program's name
  std::string started, ended;          ///< UTC, ISO 8601
  std::string status;
  int exit_code = 0;
  std::vector<Diagnostic> diagnostics;  ///< warnings and errors
  std::vector<TimelineNote> timelines;
  enum class Stage : std::uint8_t { writing, written };
  Stage stage = Stage::writing;                 ///< whether more files will follow
  std::vector<WriteAttempts::Missing> missing;  ///< files that could not be written
};

/// An input file of a recorded run.
struct RecordedInput {
  std::string path;  ///< as it was named
  std::string copy;  ///< below the run directory; empty when it was too large to copy
  std::string hash;  ///< XXH3-64, 16 hex digits
};

/// Copies the inputs and writes config.effective.toml. Of files above 16 MB there are a link, and path and hash in
/// run.json.
[[nodiscard]] std::vector<RecordedInput> write_inputs(const RunDirectory& directory, const PreparedRun& prepared);

/// stats.json. Throws InputError as all that writes.
void write_statistics(const RunDirectory& directory, const Result& result);
/// summary.txt, models.json, cuprof_cc1x.csv, pc.csv, stats.csv, ctas.csv, warps.csv, intervals.csv: the largest last,
/// each one whether or not those before it could be written.
void write_tables(const RunDirectory& directory, const Result& result, WriteAttempts& attempts);
/// run.json, with the files that are there.
void write_record(const RunDirectory& directory, const PreparedRun& prepared, const Result& result,
                  const RunRecord& record, const std::vector<RecordedInput>& inputs);

/// What run.json says of a record, and what it says once it was written and read back.
[[nodiscard]] RunIdentity identity_of(const RunRecord& record, const std::vector<RecordedInput>& inputs);
/// Nothing when `text` is not JSON. What is missing or of another kind is empty.
[[nodiscard]] std::optional<RunIdentity> read_identity(const std::string& text);

/// How a run ended, by its run.json: nothing is known of one that was cut off before it wrote the file.
struct RecordedEnd {
  std::optional<int> exit;
  std::string status;
  bool writing = false;  ///< its files were still being written

  [[nodiscard]] bool complete() const {
    return exit && !writing && !status.empty() && status != name_of(RunStatus::interrupted);
  }
};
[[nodiscard]] RecordedEnd read_end(const std::string& text);

/// The line of the run in index.csv, and its header.
[[nodiscard]] std::string index_header();
[[nodiscard]] std::string index_line(const RunDirectory& directory, const PreparedRun& prepared, const Result& result,
                                     const RunRecord& record);

/// What `rerun` needs of a recorded run. Throws InputError when the folder is not a complete run or an input changed.
struct RecordedRun {
  RunSettings settings;  ///< with paths into the run directory
  std::string status;
  std::string digest;
};
[[nodiscard]] RecordedRun read_record(const std::string& text, const std::string& directory);

[[nodiscard]] std::string utc_now();

}  // namespace teslasim

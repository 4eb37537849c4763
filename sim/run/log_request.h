// SPDX-License-Identifier: Apache-2.0
// What --log and the options beside it ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gpu/recording/pipeline_recorder.h"
#include "sim/report/timeline/instruction_log.h"

namespace teslasim {

/// Their values as they were typed: each at most one, and none when it was not given.
struct LogWords {
  std::vector<std::string> categories, sms, from, to, file;
};

struct LogRequest {
  static constexpr const char* usual_file = "instructions.log.zst";

  bool wanted = false;
  LogCategories categories;
  std::string file;  ///< "": the usual one in the folder of the run; "-": stdout
  RecordingOptions recording;
};

/// Throws InputError (usage) for a category, a cycle or an SM that cannot be read, and without --log.
[[nodiscard]] LogRequest log_request(const LogWords& words, std::uint64_t most_events);
/// Before anything runs. Throws InputError (environment, OUT-EXISTS) for a file that is there already.
void refuse_existing_log(const LogRequest& request);

/// A log as the name of its file says: .zst, .gz or plain text.
struct PackedLog {
  std::string bytes;
  TimelineFile content;
};
[[nodiscard]] PackedLog packed_log(const Timeline& timeline, const LogRequest& request);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Timelines and pipeline views of a run: what --perfetto, --konata, --vcd, --ascii, --lanes and --log ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/workload.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/gpu/recording/pipeline_recorder.h"
#include "sim/report/result/result.h"
#include "sim/run/log_request.h"
#include "sim/run/run_settings.h"

namespace teslasim {

struct PreparedRun;

struct TimelineRequest {
  bool perfetto = false, konata = false, vcd = false, ascii = false, lanes_text = false;
  std::uint64_t most_bytes = 0;
  RecordingOptions recording;
  LogRequest log;
  /// All but the log, which has SMs and a window of its own.
  [[nodiscard]] bool pictures() const { return perfetto || konata || vcd || ascii || !recording.lane_pcs.empty(); }
  [[nodiscard]] bool any() const { return pictures() || log.wanted; }
};

/// A file that was written, for run.json.
struct TimelineNote {
  std::string file;
  std::uint64_t bytes = 0, events = 0, dropped = 0;
  bool in_folder = true;  ///< of the run
};

/// States of the warps of a timeline's window, as CSV.
inline constexpr std::string_view warp_states_name = "warp_states.csv.gz";

/// Decimal, or hexadecimal with 0x in front.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);
/// "pc:0x00d0#2,+3000", "cycle:1000-4000" or "stall:mem>50%,+3000"; SP cycles. Throws InputError (usage).
[[nodiscard]] RecordingWindow parse_window(std::string_view text);

/// Puts the log into `request`, whose other members are complete. Throws InputError (usage), see log_request.
void add_log(TimelineRequest& request, const LogWords& words);

/// A timeline shows every launch; a waveform, every edge of a clock. Throws InputError (usage) for launches that are
/// added up.
[[nodiscard]] RunSettings with_details(RunSettings settings, const TimelineRequest& timelines);
/// Why the run takes one thread although several were asked for; empty: it does not.
[[nodiscard]] std::string reason_for_one_thread(const PreparedRun& prepared, const TimelineRequest& timelines);

/// Throws InputError: (usage) for SMs that the machine does not have and addresses where no kernel has an instruction;
/// (environment) for a log that is there already.
void check_timelines(const TimelineRequest& request, const MachineSpec& machine, const Workload& workload);

/// Writes the files but the waveform into `directory` ("" : none) and prints what was asked for as text.
[[nodiscard]] std::vector<TimelineNote> write_timelines(const TimelineRequest& request,
                                                        const PipelineRecorder& recorder, const Result& result,
                                                        const MachineSpec& machine, const std::string& directory);
/// Writes what `recorder` has of its last launch as the file `path`, for Perfetto; `launch` is its result. The file has
/// `most_bytes` before compression.
[[nodiscard]] TimelineNote write_launch_timeline(const PipelineRecorder& recorder, const LaunchResult& launch,
                                                 const MachineSpec& machine, std::uint64_t most_bytes,
                                                 const std::string& path);
/// Puts the waveform, which was written while the run went on, into `directory`.
[[nodiscard]] TimelineNote write_waveform(const WaveformFile& waveform, const std::string& directory);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// Timelines and pipeline views of a run: what --perfetto, --konata, --vcd, --ascii and --lanes ask for.
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

namespace teslasim {

struct TimelineRequest {
  bool perfetto = false, konata = false, vcd = false, ascii = false, lanes_text = false;
  std::uint64_t most_bytes = 0;
  RecordingOptions recording;
  [[nodiscard]] bool any() const { return perfetto || konata || vcd || ascii || !recording.lane_pcs.empty(); }
};

/// A file that was written, for run.json.
struct TimelineNote {
  std::string file;
  std::uint64_t bytes = 0, events = 0, dropped = 0;
};

/// Decimal, or hexadecimal with 0x in front.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);
/// "0-2,5". Throws InputError (usage).
[[nodiscard]] std::vector<unsigned> sm_list(const std::string& text);
/// "pc:0x00d0#2,+3000", "cycle:1000-4000" or "stall:mem>50%,+3000"; SP cycles. Throws InputError (usage).
[[nodiscard]] RecordingWindow parse_window(std::string_view text);

/// Throws InputError (usage) for SMs that the machine does not have and addresses where no kernel has an instruction.
void check_timelines(const TimelineRequest& request, const MachineSpec& machine, const Workload& workload);

/// Writes the files but the waveform into `directory` ("" : none) and prints what was asked for as text.
[[nodiscard]] std::vector<TimelineNote> write_timelines(const TimelineRequest& request,
                                                        const PipelineRecorder& recorder, const Result& result,
                                                        const MachineSpec& machine, const std::string& directory);
/// Puts the waveform, which was written while the run went on, into `directory`.
[[nodiscard]] TimelineNote write_waveform(const WaveformFile& waveform, const std::string& directory);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/timelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "sim/base/output_file.h"
#include "sim/report/html/lane_pictures.h"
#include "sim/report/result/lanes_json.h"
#include "sim/report/timeline/timeline.h"
#include "sim/run/console.h"
#include "sim/run/gzip.h"
#include "sim/run/sm_choice.h"
#include "sim/run/usage_error.h"
#include "sim/run/waveform_copy.h"
#include "sim/run/workload_run.h"

namespace teslasim {
namespace {

constexpr SpCycle default_window = 3000;  // SP cycles

[[noreturn]] void bad_window(std::string_view text) {
  usage_error("CLI-WINDOW", "--window: cannot read '" + std::string(text) + "'",
              "cycle:1000-4000, cycle:1000,+3000, pc:0x00d0#2,+3000 or stall:mem>50%,+3000");
}

std::uint64_t whole_or_bad(std::string_view part, std::string_view text) {
  const std::optional<std::uint64_t> value = whole_number(part);
  if (!value) bad_window(text);
  return *value;
}

/// Cuts ",+N" off the end of `rest`.
SmCycle take_length(std::string_view& rest, std::string_view text) {
  const std::size_t comma = rest.find(",+");
  SpCycle window = default_window;
  if (comma != std::string_view::npos) {
    window = whole_or_bad(rest.substr(comma + 2), text);
    rest = rest.substr(0, comma);
  }
  if (window == 0) bad_window(text);
  return whole_sm_cycles(window + 1);
}

RecordingWindow cycle_window(std::string_view rest, std::string_view text) {
  RecordingWindow window;
  window.kind = RecordingWindow::Kind::cycles;
  const std::size_t dash = rest.find('-');
  if (dash != std::string_view::npos) {
    const SpCycle begin = whole_or_bad(rest.substr(0, dash), text), end = whole_or_bad(rest.substr(dash + 1), text);
    if (end <= begin) bad_window(text);
    window.begin = whole_sm_cycles(begin);
    window.length = whole_sm_cycles(end + 1) - window.begin;
    return window;
  }
  window.length = take_length(rest, text);
  window.begin = whole_sm_cycles(whole_or_bad(rest, text));
  return window;
}

RecordingWindow address_window(std::string_view rest, std::string_view text) {
  RecordingWindow window;
  window.kind = RecordingWindow::Kind::address;
  window.length = take_length(rest, text);
  const std::size_t sharp = rest.find('#');
  if (sharp != std::string_view::npos) {
    window.occurrence = static_cast<unsigned>(whole_or_bad(rest.substr(sharp + 1), text));
    if (window.occurrence == 0) bad_window(text);
  }
  window.pc = static_cast<std::uint32_t>(whole_or_bad(rest.substr(0, sharp), text));
  return window;
}

bool is_reason(std::string_view word) {
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.views == ReasonViews::B) continue;
    if (reason.name == word || (reason.name.starts_with(word) && reason.name.substr(word.size()).starts_with('.'))) {
      return true;
    }
  }
  return false;
}

RecordingWindow stall_window(std::string_view rest, std::string_view text) {
  RecordingWindow window;
  window.kind = RecordingWindow::Kind::stall;
  window.length = take_length(rest, text);
  const std::size_t more = rest.find('>');
  if (more == std::string_view::npos || !rest.ends_with('%')) bad_window(text);
  window.reason = std::string(rest.substr(0, more));
  const std::uint64_t percent = whole_or_bad(rest.substr(more + 1, rest.size() - more - 2), text);
  if (!is_reason(window.reason) || percent >= 100) bad_window(text);
  window.share = static_cast<double>(percent) / 100.0;
  return window;
}

void check_address(std::uint32_t pc, const char* option, const Workload& workload) {
  const auto has = [pc](const LaunchSpec& launch) {
    const auto& code = launch.kernel_code().code;
    return std::any_of(code.begin(), code.end(), [pc](const Instruction& each) { return each.pc == pc; });
  };
  if (workload.launches.empty() || std::any_of(workload.launches.begin(), workload.launches.end(), has)) return;
  usage_error(
      "CLI-VALUE",
      fmt::format("{}: no instruction of '{}' stands at 0x{:04x}", option, workload.launches.front().kernel, pc),
      "teslasim asm FILE and teslasim disasm FILE print addresses");
}

Timeline empty_timeline(const MachineSpec& machine) {
  Timeline timeline;
  timeline.machine = machine.name;
  timeline.shader_mhz = machine.clock.shader_mhz;
  timeline.memory_period_per_sm_period = machine.clock.shader_mhz / (2 * machine.clock.memory_mhz);
  timeline.sms_per_tpc = machine.gpu.sms_per_tpc;
  return timeline;
}

Timeline timeline_of(const TimelineRequest& request, const PipelineRecorder& recorder, const Result& result,
                     const MachineSpec& machine) {
  Timeline timeline = empty_timeline(machine);
  timeline.most_bytes = request.most_bytes;
  SmCycle start = 0;
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const LaunchResult& launch = result.launches[i];
    timeline.launches.push_back({&launch, i < recorder.launches().size() ? &recorder.launches()[i] : nullptr, start});
    start += whole_sm_cycles(launch.statistics.shader_cycles);
  }
  return timeline;
}

SpCycle longest_launch(const Result& result) {
  SpCycle longest = 0;
  for (const LaunchResult& launch : result.launches) longest = std::max(longest, launch.statistics.shader_cycles);
  return longest;
}

void tell_window(const PipelineRecorder& recorder, const Result& result) {
  for (const PipelineEvents& events : recorder.launches()) {
    if (events.end == 0 || events.matched.empty()) continue;
    print_notice(fmt::format("note: window matched at cycle {} ({}); {} cycles recorded, {} events dropped\n",
                             sp_cycles(events.begin).count(), events.matched,
                             sp_cycles(events.end - events.begin).count(), events.dropped));
    return;
  }
  const RecordingWindow& window = recorder.options().window;
  const RecordingWindow::Kind kind = window.kind;
  const SmCycle longest = whole_sm_cycles(longest_launch(result));
  if (kind == RecordingWindow::Kind::cycles && window.begin >= longest) {
    print_notice(
        fmt::format("note: the window begins at cycle {}, after the last one of the run ({}); nothing was recorded\n",
                    sp_cycles(window.begin).count(), sp_cycles(longest).count()));
  }
  if (kind == RecordingWindow::Kind::address || kind == RecordingWindow::Kind::stall) {
    print_notice("note: the window was never matched; nothing was recorded\n");
  }
}

TimelineNote keep(TimelineNote note, const std::string& directory, const std::string& bytes, const char* viewer) {
  write_file(directory + "/" + note.file, bytes);
  print_remark(fmt::format("wrote {}/{} ({:.1f} MB, {} events; open in {})\n", directory, note.file,
                           static_cast<double>(bytes.size()) * 1e-6, note.events, viewer));
  if (note.dropped != 0)
    print_notice(fmt::format("note: {} later events were dropped (--timeline-max)\n", note.dropped));
  return note;
}

bool has_states(const PipelineRecorder& recorder) {
  return std::any_of(recorder.launches().begin(), recorder.launches().end(), [](const PipelineEvents& events) {
    return !events.instructions.empty() || !events.waits.empty();
  });
}

/// What viewers show of warps, as a table. What was dropped is told with their files.
TimelineNote keep_states(const Timeline& timeline, const std::string& directory) {
  GzipStream stream;
  const TimelineFile file = warp_states_file(timeline, [&stream](std::string_view piece) { stream.add(piece); });
  const std::string bytes = stream.finish();
  write_file(directory + "/" + std::string(warp_states_name), bytes);
  return {std::string(warp_states_name), bytes.size(), file.events, file.dropped};
}

/// Writes the log, which may stand outside the folder of the run.
TimelineNote keep_log(const LogRequest& request, const Timeline& timeline, const std::string& directory) {
  const PackedLog log = packed_log(timeline, request);
  TimelineNote note{request.file, log.bytes.size(), log.content.events, log.content.dropped, false};
  if (request.file == "-") {
    print_result(log.bytes);
    return note;
  }
  note.in_folder = request.file.empty();
  if (note.in_folder) note.file = LogRequest::usual_file;
  const std::string path = note.in_folder ? directory + "/" + note.file : note.file;
  OutputFile file(path, OutputMode::grow);  // nothing is written over
  file.write(log.bytes);
  file.finish();
  print_remark(
      fmt::format("wrote {} ({:.1f} MB, {} lines)\n", path, static_cast<double>(log.bytes.size()) * 1e-6, note.events));
  return note;
}

void tell_log(const TimelineNote& note, const PipelineRecorder& recorder, const Result& result) {
  if (note.dropped != 0)
    print_notice(fmt::format("note: {} later events of the log were dropped (--timeline-max)\n", note.dropped));
  const SmCycle begin = recorder.options().window.begin, longest = whole_sm_cycles(longest_launch(result));
  if (begin == 0 || begin < longest) return;
  print_notice(fmt::format("note: --log-from {} is after the last cycle of every launch ({}); nothing was logged\n",
                           sp_cycles(begin).count(), sp_cycles(longest).count()));
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

RecordingWindow parse_window(std::string_view text) {
  if (text.starts_with("cycle:")) return cycle_window(text.substr(6), text);
  if (text.starts_with("pc:")) return address_window(text.substr(3), text);
  if (text.starts_with("stall:")) return stall_window(text.substr(6), text);
  bad_window(text);
}

void add_log(TimelineRequest& request, const LogWords& words) {
  request.log = log_request(words, request.recording.most_events);
  if (!request.log.wanted) return;
  if (!request.pictures()) request.recording.sms.clear();
  request.recording.beside = std::make_shared<const RecordingOptions>(request.log.recording);
}

RunSettings with_details(RunSettings settings, const TimelineRequest& timelines) {
  if (!timelines.any()) return settings;
  if (timelines.vcd) {
    settings.look_ahead = 0;
    settings.sleeping = false;
  }
  if (settings.launch_details.empty()) settings.launch_details = "all";
  if (settings.launch_details != "all")
    usage_error("CLI-VALUE", "--launch-details " + settings.launch_details + ": a timeline shows every launch",
                "leave one of them out");
  return settings;
}

std::string reason_for_one_thread(const PreparedRun& prepared, const TimelineRequest& timelines) {
  if (prepared.settings.threads == 1) return "";
  if (timelines.pictures()) return "a timeline shows what SMs do in the order of time";
  if (timelines.any()) return "a log tells what SMs do in the order of time";
  if (prepared.trace) return "a trace is read in the order of time";
  if (prepared.settings.look_ahead == 0) return "--look-ahead exact runs every clock edge at its own time";
  if (prepared.machine.spec.dram.model == "tlm") return "dram.model = \"tlm\" runs every clock edge at its own time";
  return "";
}

void check_timelines(const TimelineRequest& request, const MachineSpec& machine, const Workload& workload) {
  for (const SmIndex sm : request.recording.sms) check_sm(sm, machine);
  for (const SmIndex sm : request.log.recording.sms) check_sm(sm, machine);
  refuse_existing_log(request.log);
  for (const std::uint32_t pc : request.recording.lane_pcs) check_address(pc, "--lanes", workload);
  const RecordingWindow& window = request.recording.window;
  if (window.kind == RecordingWindow::Kind::address) check_address(window.pc, "--window", workload);
}

std::vector<TimelineNote> write_timelines(const TimelineRequest& request, const PipelineRecorder& recorder,
                                          const Result& result, const MachineSpec& machine,
                                          const std::string& directory) {
  std::vector<TimelineNote> notes;
  const Timeline timeline = timeline_of(request, recorder, result, machine);
  tell_window(recorder, result);
  const auto write = [&](bool wanted, const char* name, TimelineFile (*make)(const Timeline&, const TimelineSink&),
                         const char* viewer) {
    if (!wanted || directory.empty()) return;
    GzipStream stream;
    const TimelineFile file = make(timeline, [&stream](std::string_view piece) { stream.add(piece); });
    const std::string bytes = stream.finish();
    notes.push_back(keep({name, bytes.size(), file.events, file.dropped}, directory, bytes, viewer));
  };
  write(request.perfetto, "timeline.pftrace.gz", perfetto_file, "ui.perfetto.dev");
  write(request.konata, "pipeline.kanata.gz", konata_file, "Konata");
  if ((request.perfetto || request.konata) && has_states(recorder) && !directory.empty())
    notes.push_back(keep_states(timeline, directory));
  if (!request.recording.lane_pcs.empty() && !directory.empty()) {
    const std::string text = lanes_json(recorder.lanes());
    write_file(directory + "/lanes.json", text);
    notes.push_back({"lanes.json", text.size(), recorder.lanes().records.size(), recorder.lanes().dropped});
  }
  if (request.log.wanted && recorder.beside() != nullptr) {
    const Timeline logged = timeline_of(request, *recorder.beside(), result, machine);
    notes.push_back(keep_log(request.log, logged, directory));
    tell_log(notes.back(), *recorder.beside(), result);
  }
  if (request.ascii) print_result(ascii_pipeline(timeline, 200));
  if (!request.lanes_text) return notes;
  constexpr unsigned most_printed = 2;  // of each instruction
  std::map<std::uint32_t, unsigned> printed;
  for (const LaneRecord& record : recorder.lanes().records) {
    if (printed[record.pc]++ < most_printed) print_result(lane_text(record));
  }
  return notes;
}

TimelineNote write_launch_timeline(const PipelineRecorder& recorder, const LaunchResult& launch,
                                   const MachineSpec& machine, std::uint64_t most_bytes, const std::string& path) {
  Timeline timeline = empty_timeline(machine);
  timeline.most_bytes = most_bytes;
  timeline.launches.push_back({&launch, &recorder.launches().back(), 0});
  GzipStream stream;
  const TimelineFile file = perfetto_file(timeline, [&stream](std::string_view piece) { stream.add(piece); });
  const std::string bytes = stream.finish();
  write_file(path, bytes);
  return {path, bytes.size(), file.events, file.dropped};
}

TimelineNote write_waveform(const WaveformFile& waveform, const std::string& directory) {
  constexpr const char* name = "pipeline.vcd.gz";
  if (!waveform.problem.empty()) write_error(directory + "/" + name, waveform.problem);
  const std::string bytes = compressed_waveform(waveform.path);
  return keep({name, bytes.size(), waveform.changes, waveform.dropped}, directory, bytes, "GTKWave");
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_status.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/json_text.h"
#include "sim/report/text/format.h"
#include "sim/run/host_name.h"
#include "sim/run/resident_memory.h"

namespace teslasim {
namespace {

using StatusJson = nlohmann::ordered_json;
constexpr std::size_t progress_width = 100;

StatusJson as_json(const Moment& moment) {
  StatusJson json;
  json["launch"] = moment.launch;
  json["launches"] = moment.launches;
  json["kernel"] = moment.kernel;
  json["ctas_done"] = moment.progress.ctas_done;
  json["ctas_total"] = moment.progress.ctas_total;
  json["cycle"] = moment.progress.shader_cycles.count();
  json["warp_instructions"] = moment.progress.warp_instructions;
  json["seconds"] = moment.seconds;
  json["warp_instr_per_s"] = moment.warp_instr_per_s;
  json["eta_s"] = moment.eta_seconds < 0.0 ? StatusJson() : StatusJson(moment.eta_seconds);
  return json;
}

StatusJson as_json(const StatusInterval& interval) {
  StatusJson json;
  json["launch"] = interval.launch;
  json["seconds_begin"] = interval.seconds_begin;
  json["seconds_end"] = interval.seconds_end;
  json["cycle_begin"] = interval.cycle_begin;
  json["cycle_end"] = interval.cycle_end;
  json["warp_instructions"] = interval.warp_instructions;
  json["ctas"] = interval.ctas;
  return json;
}

std::string text_of(const StatusJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

double real_of(const StatusJson& json, const char* key, double otherwise = 0.0) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::uint64_t count_of(const StatusJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

Moment moment_of(const StatusJson& json) {
  Moment moment;
  moment.launch = count_of(json, "launch");
  moment.launches = count_of(json, "launches");
  moment.kernel = text_of(json, "kernel");
  moment.progress = {count_of(json, "ctas_done"), count_of(json, "ctas_total"), count_of(json, "warp_instructions"),
                     count_of(json, "cycle")};
  moment.seconds = real_of(json, "seconds");
  moment.warp_instr_per_s = real_of(json, "warp_instr_per_s");
  moment.eta_seconds = real_of(json, "eta_s", -1.0);
  return moment;
}

StatusInterval interval_of(const StatusJson& json) {
  return {count_of(json, "launch"),      real_of(json, "seconds_begin"), real_of(json, "seconds_end"),
          count_of(json, "cycle_begin"), count_of(json, "cycle_end"),    count_of(json, "warp_instructions"),
          count_of(json, "ctas")};
}

}  // namespace

std::string clock_text(double seconds) {
  constexpr double longest = 1e9;
  const auto whole = static_cast<std::uint64_t>(std::llround(std::clamp(seconds, 0.0, longest)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string progress_line(const Moment& moment) {
  const Progress& progress = moment.progress;
  std::string line = moment.launches > 1 ? fmt::format("[{}/{}] ", moment.launch + 1, moment.launches) : "";
  line += fmt::format("{}  {}/{} blocks", shortened(moment.kernel, 24), progress.ctas_done, progress.ctas_total);
  if (progress.ctas_total != 0) line += fmt::format("  {} %", 100 * progress.ctas_done / progress.ctas_total);
  line += fmt::format("  {:.1f} s  {} warp-instr/s", moment.seconds, with_prefix(moment.warp_instr_per_s));
  if (moment.eta_seconds >= 0.0) line += "  ETA " + clock_text(moment.eta_seconds);
  return shortened(line, progress_width);
}

std::string progress_json(const Moment& moment) {
  return json_text(as_json(moment));
}

void RecentIntervals::end(const Moment& moment) {
  const Progress &from = mark_.progress, &to = moment.progress;
  // What blocks did by function on several threads may be undone.
  const bool grown = from.ctas_done <= to.ctas_done && from.warp_instructions <= to.warp_instructions &&
                     from.shader_cycles <= to.shader_cycles;
  if (mark_.launch == moment.launch && moment.seconds > mark_.seconds && grown) {
    if (list_.size() == most) list_.erase(list_.begin());
    list_.push_back({moment.launch, mark_.seconds, moment.seconds, from.shader_cycles.count(), to.shader_cycles.count(),
                     to.warp_instructions - from.warp_instructions, to.ctas_done - from.ctas_done});
  }
  begin(moment);
}

RunStatusRecord status_of_process(std::string phase, const Moment& moment, std::vector<StatusInterval> intervals) {
  return {std::move(phase),    moment, resident_mb(), host_name(), static_cast<std::uint64_t>(getpid()),
          std::move(intervals)};
}

std::string status_json(const RunStatusRecord& status) {
  StatusJson json;
  json["schema"] = "teslasim.status/1";
  json["phase"] = status.phase;
  json.update(as_json(status.moment));
  json["rss_mb"] = status.rss_mb;
  json["host"] = status.host;
  json["process"] = status.process;
  json["intervals"] = StatusJson::array();
  for (const StatusInterval& interval : status.intervals) json["intervals"].push_back(as_json(interval));
  return json_text(json, 1) + "\n";
}

std::optional<RunStatusRecord> read_status(std::string_view text) {
  const StatusJson json = StatusJson::parse(shallow_json(text), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  RunStatusRecord status{text_of(json, "phase"), moment_of(json),           real_of(json, "rss_mb"),
                         text_of(json, "host"),  count_of(json, "process"), {}};
  if (const auto found = json.find("intervals"); found != json.end() && found->is_array()) {
    for (const StatusJson& one : *found) {
      if (one.is_object()) status.intervals.push_back(interval_of(one));
    }
  }
  return status;
}

}  // namespace teslasim

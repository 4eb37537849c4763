// SPDX-License-Identifier: Apache-2.0
#include "sim/report/csv/warps_csv.h"

#include <cctype>
#include <vector>

#include "sim/base/csv.h"

namespace teslasim {
namespace {

/// "wait.mem.global" as "wait_mem_global"; empty: no state of warps.
std::string column_of(unsigned reason) {
  std::string name = name_of_warp_state(reason);
  for (char& character : name) {
    const auto byte = static_cast<unsigned char>(character);
    character = std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return name;
}

std::vector<std::string> header() {
  std::vector<std::string> names{"launch",
                                 "kernel",
                                 "sm",
                                 "cta",
                                 "slot",
                                 "warp",
                                 "cycle_begin",
                                 "cycle_finish",
                                 "cycle_end",
                                 "instructions",
                                 "thread_instructions",
                                 "warp_cycles"};
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (std::string name = column_of(i); !name.empty()) names.push_back(std::move(name));
  }
  return names;
}

std::string time_text(SmCycle time) {
  return time == WarpTimes::unfinished ? "" : std::to_string(sp_cycles(time).count());
}

std::vector<std::string> fields_of(const WarpTimes& warp) {
  std::vector<std::string> fields{std::to_string(warp.block), std::to_string(warp.slot), std::to_string(warp.warp),
                                  time_text(warp.begin),      time_text(warp.finish),    time_text(warp.end)};
  for (const std::uint64_t count : {warp.instructions, warp.thread_instructions, warp.cycles.sum()})
    fields.push_back(std::to_string(count));
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (!name_of_warp_state(i).empty()) fields.push_back(std::to_string(warp.cycles.counts[i]));
  }
  return fields;
}

template <typename Visit>
void for_each_record(const Result& result, const Visit& visit) {
  for (std::size_t launch = 0; launch < result.launches.size(); ++launch) {
    const std::vector<SmStatistics>& sms = result.launches[launch].statistics.sms;
    for (std::size_t sm = 0; sm < sms.size(); ++sm) {
      if (sms[sm].warps.kept) visit(launch, sm, sms[sm].warps);
    }
  }
}

}  // namespace

bool any_warps(const Result& result) {
  bool any = false;
  for_each_record(result, [&any](std::size_t, std::size_t, const WarpRecords&) { any = true; });
  return any;
}

std::uint64_t warps_dropped(const Result& result) {
  std::uint64_t dropped = 0;
  for_each_record(result, [&](std::size_t, std::size_t, const WarpRecords& warps) { dropped += warps.dropped; });
  return dropped;
}

std::uint64_t warps_kept(const Result& result) {
  std::uint64_t kept = 0;
  for_each_record(result, [&](std::size_t, std::size_t, const WarpRecords& warps) { kept += warps.first.size(); });
  return kept;
}

std::string warps_csv(const Result& result) {
  std::string text = csv_row(header());
  for_each_record(result, [&](std::size_t launch, std::size_t sm, const WarpRecords& warps) {
    const std::vector<std::string> place{std::to_string(result.number_of(launch)),
                                         result.launches[launch].statistics.kernel, std::to_string(sm)};
    for (const WarpTimes& warp : warps.first) {
      std::vector<std::string> fields = place;
      for (std::string& field : fields_of(warp)) fields.push_back(std::move(field));
      text += csv_row(fields);
    }
  });
  return text;
}

}  // namespace teslasim

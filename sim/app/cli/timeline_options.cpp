// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/timeline_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/run/sm_choice.h"
#include "sim/run/trace_workload.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 15> table{{
    {"perfetto", 0, Arity::flag, "", "write timeline.pftrace.gz for ui.perfetto.dev"},
    {"konata", 0, Arity::flag, "", "write pipeline.kanata.gz for Konata"},
    {"vcd", 0, Arity::flag, "", "write pipeline.vcd.gz for waveform viewers", Listing::rare},
    {"window", 0, Arity::value, "WINDOW", "record there: cycle:1000-4000, pc:0xd0#2,+3000 or stall:mem>50%,+3000"},
    {"timeline-sms", 0, Arity::value, "LIST", "SMs to record, e.g. 0-2,5 (default: 0); for kernels also --sms",
     Listing::rare},
    {"dram-events", 0, Arity::flag, "", "with --perfetto and --window: also every command to the memory chips",
     Listing::rare},
    {"timeline-max", 0, Arity::value, "MB", "largest timeline before compression (default: 200)", Listing::rare},
    {"lanes", 0, Arity::values, "PC", "record which lane touches what at this address, for the report"},
    {"lanes-text", 0, Arity::flag, "", "... and print it", Listing::rare},
    {"log", 0, Arity::value, "WHAT", "write instructions.log.zst: some of isa,issue,mem,sched,barrier"},
    {"log-sms", 0, Arity::value, "LIST", "SMs to log, e.g. 0-2,5 (default: 0)", Listing::rare},
    {"log-from", 0, Arity::value, "CYCLE", "log each launch from there on, in SP cycles", Listing::rare},
    {"log-to", 0, Arity::value, "CYCLE", "... and up to there", Listing::rare},
    {"log-file", 0, Arity::value, "FILE", "the log's file (.zst, .gz or text, - is stdout)", Listing::rare,
     FileUse::writes},
    {"ascii", 0, Arity::flag, "", "print the pipeline, one column per SM cycle (at most 200)", Listing::rare},
}};

std::uint64_t most_megabytes(const ParsedOptions& options) {
  constexpr std::uint64_t usual = 200, most = 4000;
  if (!options.has("timeline-max")) return usual;
  const std::string text = options.text("timeline-max");
  std::string_view digits = text;
  for (const std::string_view unit : {"B", "M"}) {
    if (digits.ends_with(unit)) digits.remove_suffix(1);
  }
  const std::optional<std::uint64_t> value = whole_number(digits);
  if (!value || *value > most)
    usage_error("CLI-VALUE", fmt::format("--timeline-max takes megabytes up to {}, got '{}'", most, text),
                "for example --timeline-max 200 or --timeline-max 200M");
  return *value;
}

/// An option that would change nothing is a misunderstanding.
void refuse_without_effect(const ParsedOptions& options, const TimelineRequest& request) {
  if (options.text("mode") == "functional") {
    for (const Option& option : table) {
      if (!options.has(option.name)) continue;
      usage_error("CLI-VALUE",
                  fmt::format("--{} records what happens over time, --mode functional has none", option.name),
                  "drop --mode functional");
    }
  }
  for (const char* name : {"window", "timeline-sms", "timeline-max"}) {
    const bool is_size = std::string_view(name) == "timeline-max";
    if (!options.has(name) || request.pictures() || (is_size && (request.any() || options.has("serve")))) continue;
    usage_error("CLI-VALUE", fmt::format("--{} says what to record, but nothing is recorded", name),
                "add --perfetto, --konata, --vcd, --ascii or --lanes PC");
  }
  if (request.vcd && options.has("look-ahead") && options.text("look-ahead") != "exact") {
    usage_error("CLI-VALUE",
                "--vcd shows every edge of a clock at its own time, which --look-ahead " + options.text("look-ahead") +
                    " does not give",
                "drop --look-ahead: --vcd implies exact");
  }
  for (const std::string_view name : {"perfetto", "konata", "vcd", "lanes", "log"}) {
    const bool elsewhere = name == "log" ? !request.log.file.empty() : name == "lanes" && request.lanes_text;
    if (!options.has("no-out") || !options.has(name) || elsewhere) continue;
    usage_error("CLI-VALUE", fmt::format("--{} writes into the folder of the run, and --no-out makes none", name),
                "drop --no-out");
  }
}

}  // namespace

std::span<const Option> timeline_options() {
  return table;
}

bool sms_are_to_record(const ParsedOptions& options) {
  const bool recorded = std::any_of(table.begin(), table.end(), [&options](const Option& option) {
    return option.arity != Arity::value && options.has(option.name);
  });
  return recorded && (options.inputs().empty() || !is_trace_file(options.inputs().front()));
}

TimelineRequest timeline_request(const ParsedOptions& options) {
  TimelineRequest request;
  request.perfetto = options.has("perfetto");
  request.konata = options.has("konata");
  request.vcd = options.has("vcd");
  request.ascii = options.has("ascii");
  request.lanes_text = options.has("lanes-text");
  constexpr std::uint64_t megabyte = 1'000'000, event_bytes = 64;
  request.most_bytes = megabyte * most_megabytes(options);
  request.recording.most_events = request.most_bytes / event_bytes;
  if (options.has("timeline-sms")) {
    request.recording.sms = sm_list("timeline-sms", options.text("timeline-sms"));
  } else if (options.has("sms") && sms_are_to_record(options)) {
    request.recording.sms = sm_list("sms", options.text("sms"));
  }
  if (options.has("window")) {
    request.recording.window = parse_window(options.text("window"));
  } else if (request.konata || request.vcd || request.ascii) {
    request.recording.window.kind = RecordingWindow::Kind::cycles;
    request.recording.window.length = request.konata || request.vcd ? never : SmCycle{200};
  }
  request.recording.dram_commands = options.has("dram-events");
  if (request.recording.dram_commands && !(request.perfetto && options.has("window"))) {
    usage_error("CLI-VALUE", "--dram-events needs --perfetto and --window",
                "for example --perfetto --window cycle:1000,+3000 --dram-events");
  }
  for (const std::string& text : options.all("lanes")) {
    const std::optional<std::uint64_t> pc = whole_number(text);
    if (!pc) usage_error("CLI-VALUE", "--lanes takes an address, got '" + text + "'", "for example --lanes 0x00a8");
    request.recording.lane_pcs.push_back(static_cast<std::uint32_t>(*pc));
  }
  if (request.lanes_text && request.recording.lane_pcs.empty()) {
    usage_error("CLI-VALUE", "--lanes-text needs an instruction", "for example --lanes 0x00a8 --lanes-text");
  }
  add_log(request, {options.all("log"), options.all("log-sms"), options.all("log-from"), options.all("log-to"),
                    options.all("log-file")});
  if (request.log.file == "-" && options.text("json") == "-")
    usage_error("CLI-VALUE", "--log-file - and --json - would both go to stdout", "name a file for one of them");
  refuse_without_effect(options, request);
  return request;
}

}  // namespace teslasim

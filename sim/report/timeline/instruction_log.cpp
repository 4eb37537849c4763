// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/instruction_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "sim/report/timeline/effect_text.h"

namespace teslasim {
namespace {

constexpr std::string_view heading =
    "# cycle (SP cycles since the launch began), SM, cta (number of the block), warp (slot of the SM), pc, text, mask "
    "(lanes that execute) | category and what happened (values hexadecimal, cycles in SP cycles); - does not apply\n";

/// In the order of the lines of one cycle and warp.
enum class LogKind : std::uint8_t { sched, opens, isa, issue, mem, arrives };

struct LogEntry {
  static constexpr int no_warp = -1;
  SmCycle when = 0;
  unsigned sm = 0;
  int warp = no_warp;
  LogKind kind = LogKind::isa;
  std::size_t position = 0;  ///< of the event in its list
  friend bool operator<(const LogEntry& left, const LogEntry& right) {
    const auto key = [](const LogEntry& one) { return std::tuple(one.when, one.sm, one.warp, one.kind, one.position); };
    return key(left) < key(right);
  }
};

/// Puts lines together and keeps to the largest size.
class LogText {
 public:
  LogText(std::uint64_t most_bytes, const TimelineSink& sink) : most_(most_bytes), sink_(sink) {}

  void comment(std::string_view line) {
    if (!full_) buffer_ += line;
  }
  void line(std::string_view line) {
    full_ = full_ || written_ + buffer_.size() + line.size() > most_;
    if (full_) {
      ++file_.dropped;
      return;
    }
    ++file_.events;
    buffer_ += line;
    constexpr std::size_t piece = 1'000'000;
    if (buffer_.size() >= piece) flush();
  }
  void dropped_before(std::uint64_t events) { file_.dropped += events; }
  TimelineFile finish() {
    if (file_.dropped != 0) buffer_ += fmt::format("# {} later events were dropped (--timeline-max)\n", file_.dropped);
    flush();
    return file_;
  }

 private:
  void flush() {
    sink_(buffer_);
    written_ += buffer_.size();
    buffer_.clear();
  }

  std::uint64_t most_;
  const TimelineSink& sink_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  bool full_ = false;
  TimelineFile file_;
};

/// The lines of one launch.
class LogOfLaunch {
 public:
  LogOfLaunch(const LaunchResult& result, const PipelineEvents& events, LogCategories categories)
      : result_(result), events_(events), categories_(categories) {
    for (const ListingLine& line : result.listing) width_ = std::max(width_, line.text.size());
  }

  void write(LogText& text) {
    list_instructions();
    list_slots();
    list_openings();
    std::sort(entries_.begin(), entries_.end());
    for (const LogEntry& entry : entries_) write(entry, text);
  }

 private:
  using Instruction = PipelineEvents::Instruction;

  void list_instructions() {
    for (std::size_t i = 0; i < events_.instructions.size(); ++i) {
      const Instruction& one = events_.instructions[i];
      const auto add = [&](bool wanted, LogKind kind) {
        if (wanted) entries_.push_back({one.issued, one.sm, one.warp, kind, i});
      };
      add(categories_.isa, LogKind::isa);
      add(categories_.issue, LogKind::issue);
      add(categories_.mem && i < events_.effects.size() && !events_.effects[i].accesses.empty(), LogKind::mem);
      add(categories_.barrier && issue_class_names[one.issue_class] == "barrier", LogKind::arrives);
    }
  }
  void list_slots() {
    for (std::size_t i = 0; categories_.sched && i < events_.slots.size(); ++i) {
      const PipelineEvents::Slots& slots = events_.slots[i];
      entries_.push_back({std::max(slots.begin, events_.begin), slots.sm, LogEntry::no_warp, LogKind::sched, i});
    }
  }
  void list_openings() {
    for (std::size_t i = 0; categories_.barrier && i < events_.openings.size(); ++i) {
      const PipelineEvents::Opening& one = events_.openings[i];
      if (one.when < events_.begin || one.when >= events_.end) continue;
      entries_.push_back({one.when, one.sm, LogEntry::no_warp, LogKind::opens, i});
    }
  }

  void write(const LogEntry& entry, LogText& text) const {
    if (entry.kind == LogKind::sched) {
      const PipelineEvents::Slots& slots = events_.slots[entry.position];
      return text.line(fmt::format("{} | sched {} {}-{}\n", without_warp(entry, "-"), info(slots.reason).name,
                                   sp_cycles(entry.when).count(), sp_cycles(std::min(slots.end, events_.end)).count()));
    }
    if (entry.kind == LogKind::opens)
      return text.line(without_warp(entry, block_of(events_.openings[entry.position])) + " | barrier opens\n");
    const Instruction& one = events_.instructions[entry.position];
    const std::string head = place(one);
    if (entry.kind == LogKind::arrives) return text.line(head + " | barrier arrives\n");
    if (entry.kind == LogKind::issue) return text.line(head + " | issue " + issue_text(one) + "\n");
    const InstructionEffects& effects = events_.effects[entry.position];
    if (entry.kind == LogKind::mem) {
      for (const LaneAccess& access : effects.accesses) text.line(head + " | mem " + access_text(one, access) + "\n");
      return;
    }
    const std::string said = effect_text(one, effects);
    text.line(head + " | isa" + (said.empty() ? "" : " ") + said + "\n");
  }

  [[nodiscard]] std::string place(const Instruction& one) const {
    const ListingLine& line = result_.listing.at(one.index);
    return fmt::format("{:>9} {:>2} {:>6} {:>2} 0x{:04x} {:<{}} {:08x}", sp_cycles(one.issued).count(), one.sm,
                       one.block, one.warp, line.pc, line.text, width_, one.lanes);
  }
  [[nodiscard]] std::string without_warp(const LogEntry& entry, const std::string& block) const {
    return fmt::format("{:>9} {:>2} {:>6} {:>2} {:>6} {:<{}} {:>8}", sp_cycles(entry.when).count(), entry.sm, block,
                       "-", "-", "-", width_, "-");
  }
  [[nodiscard]] std::string block_of(const PipelineEvents::Opening& opening) const {
    for (const PipelineEvents::Block& block : events_.blocks) {
      const bool here = block.sm == opening.sm && block.slot == opening.slot;
      if (here && block.begin < opening.when && opening.when <= block.end) return std::to_string(block.block);
    }
    return "-";
  }

  const LaunchResult& result_;
  const PipelineEvents& events_;
  LogCategories categories_;
  std::size_t width_ = 1;  ///< of the column of texts
  std::vector<LogEntry> entries_;
};

}  // namespace

TimelineFile instruction_log(const Timeline& timeline, LogCategories categories, const TimelineSink& sink) {
  LogText text(timeline.most_bytes, sink);
  text.comment(heading);
  for (std::size_t i = 0; i < timeline.launches.size(); ++i) {
    const TimelineLaunch& launch = timeline.launches[i];
    if (launch.events == nullptr) continue;
    text.comment(fmt::format("# launch {}: {}, SP cycles {}-{}\n", launch.result->index.value_or(i),
                             launch.events->kernel, sp_cycles(launch.events->begin).count(),
                             sp_cycles(std::max(launch.events->begin, launch.events->end)).count()));
    LogOfLaunch(*launch.result, *launch.events, categories).write(text);
    text.dropped_before(launch.events->dropped);
  }
  return text.finish();
}

}  // namespace teslasim

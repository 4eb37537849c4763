// SPDX-License-Identifier: Apache-2.0
// The value change dump (IEEE 1364): one 8-bit reason per SM and warp, one 32-bit address per unit.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/report/timeline/timeline.h"

namespace teslasim {
namespace {

constexpr std::array<const char*, 4> unit_signal_names{"mad", "sfu", "dp", "lsu"};
constexpr std::uint32_t nothing = 0xffffffff;

struct Signal {
  std::string scope, name;
  unsigned bits = 8;
  std::string code;
};

struct Change {
  Cycle cycle = 0;
  std::size_t signal = 0;
  std::uint32_t value = 0;
  bool leaves = false;  ///< back to "nothing": an event that begins in the same cycle wins
};

std::string binary(std::uint32_t value, unsigned bits) {
  std::string text = "b";
  for (unsigned i = bits; i-- > 0;) text += (value >> i & 1U) != 0 ? '1' : '0';
  return text;
}

/// Printable identifiers: digits to base 94 from '!'.
std::string code_of(std::size_t number) {
  std::string code;
  do {
    code += static_cast<char>('!' + number % 94);
    number /= 94;
  } while (number != 0);
  return code;
}

class VcdWriter {
 public:
  explicit VcdWriter(const Timeline& timeline) : timeline_(timeline) {}
  TimelineFile write(const TimelineSink& sink);

 private:
  std::size_t signal(const std::string& scope, const std::string& name, unsigned bits);
  void span(std::size_t signal, std::uint32_t value, Cycle begin, Cycle end);
  void launch(const TimelineLaunch& launch);
  [[nodiscard]] std::string header() const;

  const Timeline& timeline_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
  std::vector<Signal> signals_;
  std::vector<Change> changes_;
};

std::size_t VcdWriter::signal(const std::string& scope, const std::string& name, unsigned bits) {
  const auto [place, is_new] = known_.try_emplace({scope, name}, signals_.size());
  if (is_new) signals_.push_back({scope, name, bits, code_of(signals_.size())});
  return place->second;
}

void VcdWriter::span(std::size_t signal, std::uint32_t value, Cycle begin, Cycle end) {
  changes_.push_back({begin, signal, value, false});
  changes_.push_back({end, signal, nothing, true});
}

void VcdWriter::launch(const TimelineLaunch& launch) {
  const PipelineEvents& events = *launch.events;
  const auto scope = [](unsigned sm) { return fmt::format("sm{}", sm); };
  const auto reason = [](SlotReason state) { return static_cast<std::uint32_t>(state); };
  for (const PipelineEvents::Slots& slots : events.slots) {
    span(signal(scope(slots.sm), "issue", 8), reason(slots.reason), launch.start + slots.begin,
         launch.start + slots.end);
  }
  for (const PipelineEvents::Unit& unit : events.units) {
    const std::uint32_t pc =
        unit.index < launch.result->listing.size() ? launch.result->listing[unit.index].pc : nothing;
    span(signal(scope(unit.sm), unit_signal_names[unit.unit], 32), pc, launch.start + unit.begin,
         launch.start + unit.end);
  }
  for (const PipelineEvents::Wait& wait : events.waits) {
    span(signal(scope(wait.sm), fmt::format("w{:02}_state", wait.warp), 8), reason(wait.state),
         launch.start + wait.begin, launch.start + wait.end);
  }
  for (const PipelineEvents::Instruction& one : events.instructions) {
    const std::string name = fmt::format("w{:02}", one.warp);
    span(signal(scope(one.sm), name + "_state", 8), reason(SlotReason::issued), launch.start + one.issued,
         launch.start + one.issued + 1);
    const std::uint32_t pc = one.index < launch.result->listing.size() ? launch.result->listing[one.index].pc : nothing;
    changes_.push_back({launch.start + one.issued, signal(scope(one.sm), name + "_pc", 32), pc, false});
  }
}

std::string VcdWriter::header() const {
  std::string text =
      fmt::format("$comment\n {}: one time unit is one SM cycle (two shader cycles)\n", timeline_.machine);
  for (unsigned i = 0; i < slot_reason_count; ++i) text += fmt::format(" state {} = {}\n", i, slot_reasons[i].name);
  text += "$end\n$timescale 1 ns $end\n";
  std::vector<const Signal*> sorted;
  for (const Signal& signal : signals_) sorted.push_back(&signal);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Signal* left, const Signal* right) {
    return std::pair(left->scope, left->name) < std::pair(right->scope, right->name);
  });
  std::string open;
  for (const Signal* signal : sorted) {
    if (signal->scope != open) {
      text += open.empty() ? "" : "$upscope $end\n";
      text += fmt::format("$scope module {} $end\n", signal->scope);
      open = signal->scope;
    }
    text += fmt::format("$var wire {} {} {} [{}:0] $end\n", signal->bits, signal->code, signal->name, signal->bits - 1);
  }
  return text + (open.empty() ? "" : "$upscope $end\n") + "$enddefinitions $end\n";
}

TimelineFile VcdWriter::write(const TimelineSink& sink) {
  TimelineFile file;
  for (const TimelineLaunch& one : timeline_.launches) {
    if (one.events == nullptr) continue;
    file.dropped += one.events->dropped;
    launch(one);
  }
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& left, const Change& right) {
    return std::pair(left.cycle, !left.leaves) < std::pair(right.cycle, !right.leaves);
  });
  constexpr std::size_t piece = 1'000'000;
  std::uint64_t given_away = 0;
  std::string bytes = header();
  std::vector<std::uint32_t> values(signals_.size(), nothing - 1);
  Cycle now = never;
  for (const Change& change : changes_) {
    if (values[change.signal] == change.value) continue;
    if (given_away + bytes.size() >= timeline_.most_bytes) {
      ++file.dropped;
      continue;
    }
    if (change.cycle != now) bytes += fmt::format("#{}\n", change.cycle);
    now = change.cycle;
    values[change.signal] = change.value;
    const Signal& signal = signals_[change.signal];
    bytes += change.leaves ? fmt::format("bx {}\n", signal.code)
                           : fmt::format("{} {}\n", binary(change.value, signal.bits), signal.code);
    ++file.events;
    if (bytes.size() < piece) continue;
    given_away += bytes.size();
    sink(bytes);
    bytes.clear();
  }
  sink(bytes);
  return file;
}

}  // namespace

TimelineFile vcd_file(const Timeline& timeline, const TimelineSink& sink) {
  return VcdWriter(timeline).write(sink);
}

}  // namespace teslasim

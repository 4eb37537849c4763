// SPDX-License-Identifier: Apache-2.0
// The Kanata log: commands in the order of cycles, tab-separated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/report/timeline/timeline.h"
#include "sim/report/timeline/warp_events.h"

namespace teslasim {
namespace {

using Instruction = PipelineEvents::Instruction;
constexpr unsigned most_passes = 16;

/// What a command says. Its text is made when all commands are in order.
enum class Verb : std::uint8_t { begin, stage, pass, stall, stall_end, arrow, retire };
enum class Stage : std::uint8_t { F, D, I, OC, X1, X2, Mg, Ms, Mc, Mt, W };
constexpr std::array<std::string_view, 11> stage_names{"F", "D", "I", "OC", "X1", "X2", "Mg", "Ms", "Mc", "Mt", "W"};

struct Command {
  SmCycle cycle = 0;
  std::uint32_t number = 0;  ///< of the instruction in the file
  std::uint32_t from = 0;    ///< arrow: the other instruction
  Verb verb = Verb::begin;
  std::uint8_t detail = 0;  ///< which stage, pass or stall
};

/// The stage in which the instruction waits for its result.
Stage working_stage(std::string_view issue_class) {
  if (issue_class == "shared") return Stage::Ms;
  if (issue_class == "const") return Stage::Mc;
  if (issue_class == "tex") return Stage::Mt;
  if (issue_class == "global" || issue_class == "local") return Stage::Mg;
  return Stage::X1;
}

/// Stable, in time proportional to the number of commands.
void sort_by_cycle(std::vector<Command>& commands) {
  constexpr unsigned digit_bits = 11;
  constexpr std::size_t digits = std::size_t{1} << digit_bits;
  SmCycle first = never, last = 0;
  for (const Command& one : commands) {
    first = std::min(first, one.cycle);
    last = std::max(last, one.cycle);
  }
  std::vector<Command> sorted(commands.size());
  for (unsigned shift = 0; shift < 64 && !commands.empty() && (last - first).count() >> shift != 0;
       shift += digit_bits) {
    std::array<std::size_t, digits> places{};
    for (const Command& one : commands) ++places[(one.cycle - first).count() >> shift & (digits - 1)];
    std::size_t before = 0;
    for (std::size_t& place : places) before += std::exchange(place, before);
    for (const Command& one : commands) sorted[places[(one.cycle - first).count() >> shift & (digits - 1)]++] = one;
    commands.swap(sorted);
  }
}

/// Lines of the file, given to the sink in pieces.
class Lines {
 public:
  explicit Lines(const TimelineSink& sink) : sink_(sink) { bytes_.reserve(piece + piece / 8); }
  Lines& text(std::string_view words) {
    bytes_.append(words);
    return *this;
  }
  Lines& number(std::uint64_t value) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return text({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  /// Eight digits.
  Lines& hex(std::uint32_t value) {
    std::array<char, 8> digits;
    for (unsigned i = 0; i < digits.size(); ++i) digits[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 0xfU];
    return text({digits.data(), digits.size()});
  }
  void end() {
    bytes_ += '\n';
    if (bytes_.size() >= piece) give_away();
  }
  void give_away() {
    sink_(bytes_);
    bytes_.clear();
  }

 private:
  static constexpr std::size_t piece = 1'000'000;
  const TimelineSink& sink_;
  std::string bytes_;
};

class KonataWriter {
 public:
  KonataWriter(const Timeline& timeline, const TimelineSink& sink) : timeline_(timeline), out_(sink) {
    for (std::size_t i = 0; i < working_stages_.size(); ++i) working_stages_[i] = working_stage(issue_class_names[i]);
  }
  TimelineFile write();

 private:
  /// An instruction of the file and the launch it is of.
  struct Source {
    const Instruction* instruction = nullptr;
    const std::vector<std::string>* labels = nullptr;
  };
  void launch(const TimelineLaunch& launch);
  void instruction(const TimelineLaunch& launch, const Instruction& one, std::uint32_t number);
  void work(const Instruction& one, std::uint32_t number, SmCycle begin, SmCycle end);
  void stalls(const TimelineLaunch& launch, std::uint32_t first);
  void print(const Command& command);
  void print_begin(const Command& command);
  void at(SmCycle cycle, std::uint32_t number, Verb verb, unsigned detail = 0, std::uint32_t from = 0) {
    commands_.push_back({cycle, number, from, verb, static_cast<std::uint8_t>(detail)});
  }
  void stage(SmCycle cycle, std::uint32_t number, Stage stage) {
    at(cycle, number, Verb::stage, static_cast<unsigned>(stage));
  }

  const Timeline& timeline_;
  Lines out_;
  std::array<Stage, issue_class_names.size()> working_stages_{};
  std::vector<Command> commands_;
  std::vector<Source> sources_;                   ///< by number
  std::vector<std::vector<std::string>> labels_;  ///< of every launch's listing; the last one of what is not in it
  std::uint64_t dropped_ = 0, bytes_ = 0;
};

void KonataWriter::instruction(const TimelineLaunch& launch, const Instruction& one, std::uint32_t number) {
  const SmCycle start = launch.start;
  const SmCycle from = start + std::max(one.queued, launch.events->begin);
  at(from, number, Verb::begin);
  if (from < start + one.issued) stage(from, number, Stage::F);
  if (one.fetched >= one.queued && start + one.fetched + 1 > from && one.fetched + 1 < one.issued) {
    stage(start + one.fetched + 1, number, Stage::D);
  }
  stage(start + one.issued, number, Stage::I);
  unsigned pass = 0;
  SmCycle next = one.issued + 1;
  for (const SmCycle replay : one.replays) {
    at(start + replay, number, Verb::pass, std::min(++pass, most_passes));
    next = replay + 1;
  }
  const SmCycle done = std::max(one.written, next);
  if (one.replays.empty() && one.collected > next && done > next) {
    stage(start + next, number, Stage::OC);
    next = std::min(one.collected, done);
  }
  if (done > next) work(one, number, start + next, start + done);
  if (one.written != 0) stage(start + done, number, Stage::W);
  at(start + done + 1, number, Verb::retire);
}

/// The unit takes the warp in (X1), then its pipeline works on it (X2); memories have one stage.
void KonataWriter::work(const Instruction& one, std::uint32_t number, SmCycle begin, SmCycle end) {
  const Stage working = working_stages_[one.issue_class];
  stage(begin, number, working);
  if (working == Stage::X1 && one.interval != 0 && begin + one.interval < end) {
    stage(begin + one.interval, number, Stage::X2);
  }
}

/// Waits as stages of lane 1 of the instruction that the warp issued after them, and what they waited for as arrows.
void KonataWriter::stalls(const TimelineLaunch& launch, std::uint32_t first) {
  const Instruction* const all = launch.events->instructions.data();
  const auto number_of = [&](const Instruction* one) { return first + static_cast<std::uint32_t>(one - all); };
  for (const WarpEvents& warp : events_of_warps(*launch.events)) {
    for (const PipelineEvents::Wait* wait : warp.waits) {
      const auto next = std::partition_point(warp.instructions.begin(), warp.instructions.end(),
                                             [wait](const Instruction* one) { return one->issued < wait->end; });
      if (next == warp.instructions.end() || wait->begin < std::max((*next)->queued, launch.events->begin)) continue;
      const std::uint32_t number = number_of(*next);
      at(launch.start + wait->begin, number, Verb::stall, static_cast<unsigned>(wait->state));
      at(launch.start + wait->end, number, Verb::stall_end, static_cast<unsigned>(wait->state));
      if (wait->producer == PipelineEvents::no_instruction) continue;
      for (auto one = next; one != warp.instructions.begin();) {
        --one;
        if ((*one)->index != wait->producer) continue;
        at(launch.start + wait->end, number, Verb::arrow, 0, number_of(*one));
        break;
      }
    }
  }
}

void KonataWriter::launch(const TimelineLaunch& launch) {
  const auto first = static_cast<std::uint32_t>(sources_.size());
  std::vector<std::string>& labels = labels_.emplace_back();
  for (std::uint32_t i = 0; i <= launch.result->listing.size(); ++i) labels.push_back(place_of(*launch.result, i));
  constexpr std::uint64_t about = 220;  // bytes of an instruction's commands
  for (const Instruction& one : launch.events->instructions) {
    if (bytes_ + about > timeline_.most_bytes) {
      ++dropped_;
      continue;
    }
    instruction(launch, one, static_cast<std::uint32_t>(sources_.size()));
    sources_.push_back({&one, &labels});
    bytes_ += about;
  }
  if (dropped_ == 0) stalls(launch, first);
}

/// The instruction appears, with what is known of it: its text; and, to be seen when pointed at, where it ran, the
/// address of its first lane and what became of the access.
void KonataWriter::print_begin(const Command& command) {
  const Instruction& one = *sources_[command.number].instruction;
  const std::vector<std::string>& labels = *sources_[command.number].labels;
  constexpr unsigned warps_per_sm = 64;
  out_.text("I\t").number(command.number).text("\t").number(command.number).text("\t");
  out_.number(one.sm * warps_per_sm + one.warp).end();
  out_.text("L\t").number(command.number).text("\t0\t");
  out_.text(labels[std::min<std::size_t>(one.index, labels.size() - 1)]).end();
  out_.text("L\t").number(command.number).text("\t1\tSM ").number(one.sm).text(" warp ").number(one.warp);
  out_.text(" block ").number(one.block).text(" mask 0x").hex(one.lanes);
  if (one.address != 0) out_.text(" address 0x").hex(one.address);
  if (one.transactions != 0) out_.text(" transactions ").number(one.transactions);
  out_.end();
}

void KonataWriter::print(const Command& command) {
  const auto stall = [&command] { return slot_reasons[command.detail].name; };
  switch (command.verb) {
    case Verb::begin:
      return print_begin(command);
    case Verb::stage:
      return out_.text("S\t").number(command.number).text("\t0\t").text(stage_names[command.detail]).end();
    case Verb::pass:
      return out_.text("S\t").number(command.number).text("\t0\tR").number(command.detail).end();
    case Verb::stall:
      return out_.text("S\t").number(command.number).text("\t1\t").text(stall()).end();
    case Verb::stall_end:
      return out_.text("E\t").number(command.number).text("\t1\t").text(stall()).end();
    case Verb::arrow:
      return out_.text("W\t").number(command.number).text("\t").number(command.from).text("\t0").end();
    case Verb::retire:
      return out_.text("R\t").number(command.number).text("\t").number(command.number).text("\t0").end();
  }
}

TimelineFile KonataWriter::write() {
  labels_.reserve(timeline_.launches.size());  // Sources point into it.
  for (const TimelineLaunch& one : timeline_.launches) {
    if (one.events == nullptr) continue;
    dropped_ += one.events->dropped;
    launch(one);
  }
  sort_by_cycle(commands_);
  SmCycle now = commands_.empty() ? 0 : commands_.front().cycle;
  out_.text("Kanata\t0004\nC=\t").number(now.count()).end();
  for (const Command& command : commands_) {
    if (command.cycle != now) out_.text("C\t").number((command.cycle - now).count()).end();
    now = command.cycle;
    print(command);
  }
  out_.give_away();
  return {sources_.size(), dropped_};
}

}  // namespace

TimelineFile konata_file(const Timeline& timeline, const TimelineSink& sink) {
  return KonataWriter(timeline, sink).write();
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The Kanata log: commands in the order of cycles, tab-separated.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/timeline/timeline.h"

namespace teslasim {
namespace {

using Instruction = PipelineEvents::Instruction;

struct Command {
  Cycle cycle = 0;
  std::string text;
};

/// The stage in which the instruction waits for its result.
const char* working_stage(const Instruction& instruction) {
  const std::string_view name = issue_class_names[instruction.issue_class];
  if (name == "shared") return "Ms";
  if (name == "const") return "Mc";
  if (name == "tex") return "Mt";
  if (name == "global" || name == "local") return "Mg";
  return "X1";
}

/// What is known of the operands besides their names: the address of the first lane, and what became of the access.
std::string operands_of(const Instruction& instruction) {
  std::string text;
  if (instruction.address != 0) text += fmt::format(" address 0x{:08x}", instruction.address);
  if (instruction.transactions != 0) text += fmt::format(" transactions {}", instruction.transactions);
  return text;
}

class KonataWriter {
 public:
  explicit KonataWriter(const Timeline& timeline) : timeline_(timeline) {}
  TimelineFile write();

 private:
  void launch(const TimelineLaunch& launch);
  void instruction(const TimelineLaunch& launch, const Instruction& one, std::uint64_t number);
  void work(const Instruction& one, std::uint64_t number, Cycle begin, Cycle end);
  void stalls(const TimelineLaunch& launch, const std::map<WarpKey, std::vector<std::uint64_t>>& of_warp,
              std::uint64_t first);
  void at(Cycle cycle, std::string text) { commands_.push_back({cycle, std::move(text)}); }

  const Timeline& timeline_;
  std::vector<Command> commands_;
  std::uint64_t written_ = 0, dropped_ = 0, bytes_ = 0;
};

void KonataWriter::instruction(const TimelineLaunch& launch, const Instruction& one, std::uint64_t number) {
  const Cycle start = launch.start;
  const Cycle from = start + std::max(one.queued, launch.events->begin);
  constexpr unsigned warps_per_sm = 64;
  at(from, fmt::format("I\t{}\t{}\t{}", number, number, one.sm * warps_per_sm + one.warp));
  at(from, fmt::format("L\t{}\t0\t{}", number, place_of(*launch.result, one.index)));
  at(from, fmt::format("L\t{}\t1\tSM {} warp {} CTA {} mask 0x{:08x}{}", number, one.sm, one.warp, one.block, one.lanes,
                       operands_of(one)));
  if (from < start + one.issued) at(from, fmt::format("S\t{}\t0\tF", number));
  const auto stage = [&](Cycle cycle, std::string_view name) {
    at(start + cycle, fmt::format("S\t{}\t0\t{}", number, name));
  };
  if (one.fetched >= one.queued && start + one.fetched + 1 > from && one.fetched + 1 < one.issued) {
    stage(one.fetched + 1, "D");
  }
  stage(one.issued, "I");
  unsigned pass = 0;
  Cycle next = one.issued + 1;
  for (const Cycle replay : one.replays) {
    stage(replay, fmt::format("R{}", std::min(++pass, 16U)));
    next = replay + 1;
  }
  const Cycle done = std::max(one.written, next);
  if (one.replays.empty() && one.collected > next && done > next) {
    stage(next, "OC");
    next = std::min(one.collected, done);
  }
  if (done > next) work(one, number, start + next, start + done);
  if (one.written != 0) stage(done, "W");
  at(start + done + 1, fmt::format("R\t{}\t{}\t0", number, number));
}

/// The unit takes the warp in (X1), then its pipeline works on it (X2); memories have one stage.
void KonataWriter::work(const Instruction& one, std::uint64_t number, Cycle begin, Cycle end) {
  const std::string_view name = working_stage(one);
  at(begin, fmt::format("S\t{}\t0\t{}", number, name));
  if (name == "X1" && one.interval != 0 && begin + one.interval < end) {
    at(begin + one.interval, fmt::format("S\t{}\t0\tX2", number));
  }
}

/// Waits as stages of lane 1 of the instruction that the warp issued after them, and what they waited for as arrows.
void KonataWriter::stalls(const TimelineLaunch& launch, const std::map<WarpKey, std::vector<std::uint64_t>>& of_warp,
                          std::uint64_t first) {
  const std::vector<Instruction>& all = launch.events->instructions;
  for (const PipelineEvents::Wait& wait : launch.events->waits) {
    const auto warp = of_warp.find({wait.sm, wait.warp});
    if (warp == of_warp.end()) continue;
    const auto next = std::partition_point(warp->second.begin(), warp->second.end(),
                                           [&](std::uint64_t i) { return all[i].issued < wait.end; });
    if (next == warp->second.end() || wait.begin < std::max(all[*next].queued, launch.events->begin)) continue;
    const std::uint64_t number = first + *next;
    at(launch.start + wait.begin, fmt::format("S\t{}\t1\t{}", number, info(wait.state).name));
    at(launch.start + wait.end, fmt::format("E\t{}\t1\t{}", number, info(wait.state).name));
    if (wait.producer == PipelineEvents::no_instruction) continue;
    for (auto one = next; one != warp->second.begin();) {
      --one;
      if (all[*one].index != wait.producer) continue;
      at(launch.start + wait.end, fmt::format("W\t{}\t{}\t0", number, first + *one));
      break;
    }
  }
}

void KonataWriter::launch(const TimelineLaunch& launch) {
  const std::uint64_t first = written_;
  std::map<WarpKey, std::vector<std::uint64_t>> of_warp;
  constexpr std::uint64_t about = 220;  // bytes of an instruction's commands
  for (std::size_t i = 0; i < launch.events->instructions.size(); ++i) {
    if (bytes_ + about > timeline_.most_bytes) {
      ++dropped_;
      continue;
    }
    const Instruction& one = launch.events->instructions[i];
    instruction(launch, one, written_++);
    of_warp[{one.sm, one.warp}].push_back(i);
    bytes_ += about;
  }
  if (dropped_ == 0) stalls(launch, of_warp, first);
}

TimelineFile KonataWriter::write() {
  for (const TimelineLaunch& one : timeline_.launches) {
    if (one.events == nullptr) continue;
    dropped_ += one.events->dropped;
    launch(one);
  }
  std::stable_sort(commands_.begin(), commands_.end(),
                   [](const Command& left, const Command& right) { return left.cycle < right.cycle; });
  TimelineFile file;
  file.bytes = "Kanata\t0004\n";
  Cycle now = commands_.empty() ? 0 : commands_.front().cycle;
  file.bytes += fmt::format("C=\t{}\n", now);
  for (const Command& command : commands_) {
    if (command.cycle != now) file.bytes += fmt::format("C\t{}\n", command.cycle - now);
    now = command.cycle;
    file.bytes += command.text + '\n';
  }
  file.events = written_;
  file.dropped = dropped_;
  return file;
}

}  // namespace

TimelineFile konata_file(const Timeline& timeline) {
  return KonataWriter(timeline).write();
}

}  // namespace teslasim

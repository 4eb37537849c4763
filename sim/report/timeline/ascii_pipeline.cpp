// SPDX-License-Identifier: Apache-2.0
// The pipeline as text, for lessons: a line per warp instruction, a column per SM cycle.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/timeline/timeline.h"

namespace teslasim {
namespace {

using Instruction = PipelineEvents::Instruction;

char letter_of(SlotReason state) {
  switch (info(state).group) {
    case ReasonGroup::front_end:
      return 'f';
    case ReasonGroup::memory:
      return 'm';
    case ReasonGroup::sync:
      return 'b';
    case ReasonGroup::unit_busy:
      return 'u';
    case ReasonGroup::useful:
      return 'r';
    case ReasonGroup::empty:
      return 's';
    default:
      return '.';
  }
}

char working_letter(const Instruction& one) {
  const std::string_view name = issue_class_names[one.issue_class];
  if (name == "shared") return 'S';
  if (name == "const") return 'C';
  if (name == "tex") return 'T';
  return name == "global" || name == "local" ? 'M' : 'X';
}

std::string scale(SmCycle begin, std::size_t width) {
  std::string text(width, ' ');
  for (std::size_t i = 0; i < width; ++i) {
    const SmCycle cycle = begin + i;
    if (cycle % 10 == 5) text[i] = '.';
    if (cycle % 10 != 0) continue;
    const std::string number = std::to_string(cycle.count());
    if (i + number.size() <= width) text.replace(i, number.size(), number);
  }
  return text;
}

struct Chart {
  SmCycle begin = 0;
  std::size_t width = 0;
  void put(std::string& line, SmCycle from, SmCycle until, char letter) const {
    for (SmCycle cycle = std::max(from, begin); cycle < until && cycle - begin < width; ++cycle)
      line[(cycle - begin).count()] = letter;
  }
};

std::string line_of(const Chart& chart, const Instruction& one, const std::vector<const PipelineEvents::Wait*>& waits) {
  std::string line(chart.width, ' ');
  for (const PipelineEvents::Wait* wait : waits) {
    if (wait->begin >= one.queued && wait->end <= one.issued)
      chart.put(line, wait->begin, wait->end, letter_of(wait->state));
  }
  const SmCycle last = one.replays.empty() ? one.issued : one.replays.back();
  if (one.written > last) chart.put(line, last + 1, one.written, working_letter(one));
  chart.put(line, one.issued, one.issued + 1, 'I');
  for (const SmCycle replay : one.replays) chart.put(line, replay, replay + 1, 'R');
  if (one.written != 0) chart.put(line, one.written, one.written + 1, 'W');
  return line;
}

}  // namespace

std::string ascii_pipeline(const Timeline& timeline, SmCycle most_cycles) {
  std::string text;
  for (const TimelineLaunch& launch : timeline.launches) {
    if (launch.events == nullptr || launch.events->instructions.empty()) continue;
    const PipelineEvents& events = *launch.events;
    const Chart chart{events.begin, static_cast<std::size_t>(std::min(most_cycles, events.end - events.begin))};
    std::map<std::pair<unsigned, unsigned>, std::vector<const PipelineEvents::Wait*>> waits;
    for (const PipelineEvents::Wait& wait : events.waits) waits[{wait.sm, wait.warp}].push_back(&wait);
    std::vector<const Instruction*> sorted;
    for (const Instruction& one : events.instructions) sorted.push_back(&one);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Instruction* left, const Instruction* right) { return left->issued < right->issued; });
    text += fmt::format("{:<16}{}\n", "SM cycle", scale(events.begin, chart.width));
    for (const Instruction* one : sorted) {
      if (one->issued >= chart.begin + chart.width) continue;
      std::string line = line_of(chart, *one, waits[{one->sm, one->warp}]);
      line.erase(line.find_last_not_of(' ') + 1);
      const std::string place = place_of(*launch.result, one->index);
      text += fmt::format("SM{} w{:02} {:<8}{:<{}}  {}\n", one->sm, one->warp, place.substr(0, 6), line, chart.width,
                          place.size() > 8 ? place.substr(8) : "");
    }
    text +=
        "I issue  R replay  X S C T M working (arithmetic, shared, constant, texture, global)  W results written\n"
        "waits: . result  f fetch or branch  m memory  b barrier  u unit busy  r ready, another was chosen  s set-up\n";
  }
  return text;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/program_timeline.h"

#include <algorithm>
#include <array>

#include "sim/report/timeline/track_events.h"
#include "sim/run/gzip.h"

namespace teslasim::cudart {
namespace {

std::uint64_t nanoseconds(Femtoseconds time) {
  constexpr std::uint64_t femtoseconds_per_ns = 1'000'000;
  return time.count() / femtoseconds_per_ns;
}

}  // namespace

void ProgramTimeline::add(Lane lane, std::string_view name, TimeSpan span, std::uint64_t bytes) {
  if (events_.size() == most_events) {
    ++dropped_;
    return;
  }
  auto known = std::find(names_.begin(), names_.end(), name);
  if (known == names_.end()) known = names_.emplace(names_.end(), name);
  events_.push_back({lane, static_cast<std::uint32_t>(known - names_.begin()), span, bytes});
}

std::string ProgramTimeline::file(const std::string& machine) const {
  constexpr std::uint64_t most_bytes = 200'000'000;
  GzipStream stream;
  const TimelineSink sink = [&stream](std::string_view piece) { stream.add(piece); };
  TrackEvents out(most_bytes, sink);
  const TrackEvents::Track program = out.track(TrackEvents::root, machine);
  const std::array<TrackEvents::Track, 3> lanes{out.track(program, "kernels"), out.track(program, "copies"),
                                                out.track(program, "host waits")};
  std::vector<TrackEvents::Name> names;
  for (const std::string& name : names_) names.push_back(out.name(name));
  const TrackEvents::Label bytes = out.label("bytes");
  for (const Event& event : events_) {
    const TrackEvents::Note note{bytes, TrackEvents::Note::Kind::number, event.bytes};
    const TrackEvents::Notes notes = event.bytes == 0 ? TrackEvents::Notes{} : TrackEvents::Notes{&note, 1};
    out.slice(lanes.at(static_cast<std::size_t>(event.lane)), names[event.name], nanoseconds(event.span.start),
              nanoseconds(event.span.end), notes);
  }
  if (dropped_ != 0) out.say_dropped(program, nanoseconds(events_.back().span.end), dropped_);
  out.give_away();
  return stream.finish();
}

}  // namespace teslasim::cudart

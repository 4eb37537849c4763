// SPDX-License-Identifier: Apache-2.0
// Perfetto's track events: packets with tracks, slices, counters, instants and flows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/timeline/timeline.h"

namespace teslasim {

/// Writes packets of a Perfetto trace in pieces. Field numbers are those of the public schema (Trace, TracePacket,
/// TrackDescriptor, TrackEvent, InternedData, DebugAnnotation). Names of events, names of notes and texts are written
/// once and referred to by number; who writes many events keeps the numbers.
/// When `most_bytes` are reached, events are counted instead of written.
class TrackEvents {
 public:
  using Track = std::uint64_t;
  static constexpr Track root = 0;
  /// Numbers of texts, each kind with its own.
  enum class Name : std::uint32_t {};
  enum class Label : std::uint32_t {};
  enum class Text : std::uint32_t {};

  struct Note {
    enum class Kind : std::uint8_t { number, pointer, text };
    Label label{};
    Kind kind = Kind::number;
    std::uint64_t value = 0;  ///< of a text: its number
  };
  using Notes = std::span<const Note>;
  using Flows = std::span<const std::uint64_t>;

  TrackEvents(std::uint64_t most_bytes, const TimelineSink& sink);

  Name name(std::string_view text) { return Name{intern(names_, event_names, text)}; }
  Label label(std::string_view text) { return Label{intern(labels_, label_names, text)}; }
  Text text(std::string_view text) { return Text{intern(texts_, text_values, text)}; }

  /// A track below `parent`, listed in the order of creation.
  Track track(Track parent, const std::string& name);
  Track counter(Track parent, const std::string& name, const std::string& unit);
  void slice(Track track, Name name, std::uint64_t begin, std::uint64_t end, Notes notes = {}, Flows flows = {});
  /// A slice in which others of the same track lie: they are written between `open` and `close`. False: no room, and
  /// nothing to close.
  bool open(Track track, Name name, std::uint64_t begin, Notes notes = {});
  void close(Track track, std::uint64_t end);
  void instant(Track track, Name name, std::uint64_t when, Flows flows = {});
  void value(Track counter, std::uint64_t when, double value);
  /// Says on `track` what was left out, also when the trace is full.
  void say_dropped(Track track, std::uint64_t when, std::uint64_t more);
  /// Gives the sink what was not given yet; to be called at the end.
  void give_away();

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  enum class Type : std::uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };
  struct Event {
    Type type = Type::instant;
    Track track = 0;
    std::uint64_t when = 0;
    Name name{};
    Notes notes{};
    Flows flows{};
    double value = 0.0;
  };
  using Interned = std::map<std::string, std::uint32_t, std::less<>>;
  static constexpr std::uint32_t event_names = 2, label_names = 3, text_values = 29;  ///< fields of InternedData

  std::uint32_t intern(Interned& known, std::uint32_t field, std::string_view text);
  bool room();
  void write(const Event& event);
  char* write_body(const Event& event, char* out) const;
  Track describe(Track parent, const std::string& name, const std::string* unit);

  const TimelineSink& sink_;
  std::string bytes_;  ///< the piece that is being filled
  std::vector<char> body_;
  std::uint64_t most_bytes_;
  std::uint64_t given_away_ = 0;
  std::uint64_t events_ = 0, dropped_ = 0;
  bool started_ = false;
  Track last_track_ = 0;
  std::map<Track, std::uint64_t> children_;
  Interned names_, labels_, texts_;
};

}  // namespace teslasim

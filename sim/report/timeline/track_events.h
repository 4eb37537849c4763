// SPDX-License-Identifier: Apache-2.0
// Perfetto's track events: packets with tracks, slices, counters, instants and flows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

/// Appends packets of a Perfetto trace to a string. Field numbers are those of the public schema (Trace, TracePacket,
/// TrackDescriptor, TrackEvent, InternedData, DebugAnnotation); names are written once and referred to by number.
/// When `most_bytes` are reached, events are counted instead of written.
class TrackEvents {
 public:
  struct Note {
    std::string_view name;
    std::string text;
  };
  using Track = std::uint64_t;
  static constexpr Track root = 0;

  explicit TrackEvents(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// A track below `parent`, listed in the order of creation.
  Track track(Track parent, const std::string& name);
  Track counter(Track parent, const std::string& name, const std::string& unit);
  void slice(Track track, const std::string& name, std::uint64_t begin, std::uint64_t end,
             const std::vector<Note>& notes = {}, const std::vector<std::uint64_t>& flows = {});
  /// A slice in which others of the same track lie: they are written between `open` and `close`. False: no room, and
  /// nothing to close.
  bool open(Track track, const std::string& name, std::uint64_t begin, const std::vector<Note>& notes = {});
  void close(Track track, std::uint64_t end);
  void instant(Track track, const std::string& name, std::uint64_t when, const std::vector<std::uint64_t>& flows = {});
  void value(Track counter, std::uint64_t when, double value);
  /// Says on `track` what was left out, also when the trace is full.
  void say_dropped(Track track, std::uint64_t when, std::uint64_t more);

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  enum class Type : std::uint8_t { begin = 1, end = 2, instant = 3, counter = 4 };
  struct Event {
    Type type = Type::instant;
    Track track = 0;
    std::uint64_t when = 0;
    const std::string* name = nullptr;
    const std::vector<Note>* notes = nullptr;
    const std::vector<std::uint64_t>* flows = nullptr;
    double value = 0.0;
  };
  bool room();
  void write(const Event& event);
  Track describe(Track parent, const std::string& name, const std::string* unit);

  std::string bytes_;
  std::uint64_t most_bytes_;
  std::uint64_t events_ = 0, dropped_ = 0;
  Track last_track_ = 0;
  std::map<Track, std::uint64_t> children_;
  std::map<std::string, std::uint64_t, std::less<>> names_;
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/track_events.h"

#include <bit>
#include <protozero/pbf_writer.hpp>

namespace teslasim {
namespace {

using Message = protozero::pbf_writer;

// Numbers of fields in Perfetto's public schema.
namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace packet {
constexpr std::uint32_t timestamp = 8, sequence = 10, event = 11, interned = 12, sequence_flags = 13, descriptor = 60;
constexpr std::uint32_t state_cleared = 1, needs_state = 2;
}  // namespace packet
namespace descriptor {
constexpr std::uint32_t uuid = 1, name = 2, parent = 5, counter = 8, child_ordering = 11, rank = 12;
constexpr std::uint32_t counter_unit_name = 6;
constexpr int explicit_order = 3;
}  // namespace descriptor
namespace event {
constexpr std::uint32_t annotation = 4, type = 9, name_number = 10, track = 11, double_value = 44, flow = 47;
}
namespace interned {
constexpr std::uint32_t number = 1, text = 2;
}
namespace annotation {
constexpr std::uint32_t name_number = 1, number = 3, pointer = 7, text_number = 17;
}
constexpr std::uint32_t only_sequence = 1;

// Events are so many that they are written here byte by byte; all else is written by protozero.
constexpr std::size_t most_varint = 10, most_key = 2;
constexpr std::size_t piece_bytes = 1'000'000, most_head = 64;
enum class Wire : std::uint32_t { varint = 0, fixed64 = 1, bytes = 2 };

char* put(char* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7U;
  }
  *out++ = static_cast<char>(value);
  return out;
}

char* put_key(char* out, std::uint32_t field, Wire wire) {
  return put(out, field << 3U | static_cast<std::uint32_t>(wire));
}

char* put_varint(char* out, std::uint32_t field, std::uint64_t value) {
  return put(put_key(out, field, Wire::varint), value);
}

char* put_fixed(char* out, std::uint32_t field, std::uint64_t value) {
  out = put_key(out, field, Wire::fixed64);
  for (unsigned byte = 0; byte < 8; ++byte) *out++ = static_cast<char>(value >> (8 * byte));
  return out;
}

std::uint32_t field_of(TrackEvents::Note::Kind kind) {
  switch (kind) {
    case TrackEvents::Note::Kind::number:
      return annotation::number;
    case TrackEvents::Note::Kind::pointer:
      return annotation::pointer;
    case TrackEvents::Note::Kind::text:
      return annotation::text_number;
  }
  return annotation::number;
}

}  // namespace

TrackEvents::TrackEvents(std::uint64_t most_bytes, const TimelineSink& sink) : sink_(sink), most_bytes_(most_bytes) {
  bytes_.reserve(piece_bytes + piece_bytes / 8);
}

std::uint32_t TrackEvents::intern(Interned& known, std::uint32_t field, std::string_view text) {
  const auto found = known.find(text);
  if (found != known.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(known.size() + 1);
  known.emplace(text, number);
  Message file(bytes_);
  Message packet(file, trace::packet);
  packet.add_uint32(packet::sequence, only_sequence);
  packet.add_uint32(packet::sequence_flags, started_ ? packet::needs_state : packet::state_cleared);
  started_ = true;
  Message interned(packet, packet::interned);
  Message entry(interned, field);
  entry.add_uint64(interned::number, number);
  entry.add_string(interned::text, text.data(), text.size());
  return number;
}

TrackEvents::Track TrackEvents::describe(Track parent, const std::string& name, const std::string* unit) {
  const Track uuid = ++last_track_;
  Message file(bytes_);
  Message packet(file, trace::packet);
  packet.add_uint32(packet::sequence, only_sequence);
  if (!started_) packet.add_uint32(packet::sequence_flags, packet::state_cleared);
  started_ = true;
  Message track(packet, packet::descriptor);
  track.add_uint64(descriptor::uuid, uuid);
  track.add_string(descriptor::name, name);
  if (parent != TrackEvents::root) track.add_uint64(descriptor::parent, parent);
  track.add_enum(descriptor::child_ordering, descriptor::explicit_order);
  track.add_int32(descriptor::rank, static_cast<std::int32_t>(children_[parent]++));
  if (unit != nullptr) {
    Message counter(track, descriptor::counter);
    counter.add_string(descriptor::counter_unit_name, *unit);
  }
  return uuid;
}

TrackEvents::Track TrackEvents::track(Track parent, const std::string& name) {
  return describe(parent, name, nullptr);
}

TrackEvents::Track TrackEvents::counter(Track parent, const std::string& name, const std::string& unit) {
  return describe(parent, name, &unit);
}

bool TrackEvents::room() {
  if (given_away_ + bytes_.size() < most_bytes_) {
    ++events_;
    return true;
  }
  ++dropped_;
  return false;
}

/// The fields of a TrackEvent.
char* TrackEvents::write_body(const Event& one, char* out) const {
  out = put_varint(out, event::type, static_cast<std::uint64_t>(one.type));
  out = put_varint(out, event::track, one.track);
  if (one.name != Name{}) out = put_varint(out, event::name_number, static_cast<std::uint64_t>(one.name));
  if (one.type == Type::counter) out = put_fixed(out, event::double_value, std::bit_cast<std::uint64_t>(one.value));
  for (const Note& note : one.notes) {
    // Never longer than 127 bytes, so its length is one byte.
    char* const length = put_key(out, event::annotation, Wire::bytes);
    char* const begin = length + 1;
    out = put_varint(begin, annotation::name_number, static_cast<std::uint64_t>(note.label));
    out = put_varint(out, field_of(note.kind), note.value);
    *length = static_cast<char>(out - begin);
  }
  for (const std::uint64_t flow : one.flows) out = put_fixed(out, event::flow, flow);
  return out;
}

void TrackEvents::write(const Event& one) {
  constexpr std::size_t most_field = most_key + most_varint, most_note = 2 * most_field + 2;
  const std::size_t most = 4 * most_field + one.notes.size() * most_note + one.flows.size() * most_field;
  if (body_.size() < most) body_.resize(2 * most);
  char* const body = body_.data();
  const auto length = static_cast<std::size_t>(write_body(one, body) - body);
  char head[most_head];
  char* out = put_varint(head, packet::timestamp, one.when);
  out = put_varint(out, packet::sequence, only_sequence);
  if (one.name != Name{}) out = put_varint(out, packet::sequence_flags, packet::needs_state);
  out = put(put_key(out, packet::event, Wire::bytes), length);
  const auto head_length = static_cast<std::size_t>(out - head);
  char start[most_key + most_varint];
  const char* const start_end = put(put_key(start, trace::packet, Wire::bytes), head_length + length);
  bytes_.append(start, static_cast<std::size_t>(start_end - start));
  bytes_.append(head, head_length);
  bytes_.append(body, length);
  if (bytes_.size() >= piece_bytes) give_away();
}

void TrackEvents::slice(Track track, Name name, std::uint64_t begin, std::uint64_t end, Notes notes, Flows flows) {
  if (!room()) return;
  write({Type::begin, track, begin, name, notes, flows});
  write({Type::end, track, end});
}

bool TrackEvents::open(Track track, Name name, std::uint64_t begin, Notes notes) {
  if (!room()) return false;
  write({Type::begin, track, begin, name, notes});
  return true;
}

void TrackEvents::close(Track track, std::uint64_t end) {
  write({Type::end, track, end});
}

void TrackEvents::instant(Track track, Name name, std::uint64_t when, Flows flows) {
  if (room()) write({Type::instant, track, when, name, {}, flows});
}

void TrackEvents::value(Track counter, std::uint64_t when, double value) {
  if (!room()) return;
  Event event{Type::counter, counter, when};
  event.value = value;
  write(event);
}

void TrackEvents::say_dropped(Track track, std::uint64_t when, std::uint64_t more) {
  const std::uint64_t all = dropped_ + more;
  if (all == 0) return;
  write({Type::instant, track, when, name("recording stopped: " + std::to_string(all) + " later events dropped")});
}

void TrackEvents::give_away() {
  given_away_ += bytes_.size();
  sink_(bytes_);
  bytes_.clear();
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/track_events.h"

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
constexpr std::uint32_t event_name = 2, number = 1, name = 2;
}
namespace annotation {
constexpr std::uint32_t text = 6, name = 10;
}
constexpr std::uint32_t only_sequence = 1;

}  // namespace

TrackEvents::Track TrackEvents::describe(Track parent, const std::string& name, const std::string* unit) {
  const bool first = bytes_.empty();
  const Track uuid = ++last_track_;
  Message file(bytes_);
  Message packet(file, trace::packet);
  packet.add_uint32(packet::sequence, only_sequence);
  if (first) packet.add_uint32(packet::sequence_flags, packet::state_cleared);
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
  if (bytes_.size() < most_bytes_) {
    ++events_;
    return true;
  }
  ++dropped_;
  return false;
}

void TrackEvents::write(const Event& one) {
  Message file(bytes_);
  Message packet(file, trace::packet);
  packet.add_uint64(packet::timestamp, one.when);
  packet.add_uint32(packet::sequence, only_sequence);
  packet.add_uint32(packet::sequence_flags, packet::needs_state);
  std::uint64_t number = 0;
  if (one.name != nullptr) {
    const auto [known, is_new] = names_.try_emplace(*one.name, names_.size() + 1);
    number = known->second;
    if (is_new) {
      Message interned(packet, packet::interned);
      Message name(interned, interned::event_name);
      name.add_uint64(interned::number, number);
      name.add_string(interned::name, *one.name);
    }
  }
  Message event(packet, packet::event);
  event.add_enum(event::type, static_cast<int>(one.type));
  event.add_uint64(event::track, one.track);
  if (number != 0) event.add_uint64(event::name_number, number);
  if (one.type == Type::counter) event.add_double(event::double_value, one.value);
  if (one.flows != nullptr) {
    for (const std::uint64_t flow : *one.flows) event.add_fixed64(event::flow, flow);
  }
  if (one.notes == nullptr) return;
  for (const Note& note : *one.notes) {
    Message annotation(event, event::annotation);
    annotation.add_string(annotation::name, note.name.data(), note.name.size());
    annotation.add_string(annotation::text, note.text);
  }
}

void TrackEvents::slice(Track track, const std::string& name, std::uint64_t begin, std::uint64_t end,
                        const std::vector<Note>& notes, const std::vector<std::uint64_t>& flows) {
  if (!room()) return;
  Event event{Type::begin, track, begin, &name, &notes, &flows};
  write(event);
  write({Type::end, track, end});
}

bool TrackEvents::open(Track track, const std::string& name, std::uint64_t begin, const std::vector<Note>& notes) {
  if (!room()) return false;
  write({Type::begin, track, begin, &name, &notes});
  return true;
}

void TrackEvents::close(Track track, std::uint64_t end) {
  write({Type::end, track, end});
}

void TrackEvents::instant(Track track, const std::string& name, std::uint64_t when,
                          const std::vector<std::uint64_t>& flows) {
  if (room()) write({Type::instant, track, when, &name, nullptr, &flows});
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
  const std::string name = "recording stopped: " + std::to_string(all) + " later events dropped";
  write({Type::instant, track, when, &name});
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/lanes_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

/// A member or element; null when there is none.
template <typename Key>
Json part(const Json& json, const Key& key) {
  return json.contains(key) ? json.at(key) : Json();
}

std::uint64_t whole(const Json& json) {
  return json.is_number_unsigned() ? json.get<std::uint64_t>() : 0;
}

std::uint32_t word(const Json& json, const char* name) {
  return static_cast<std::uint32_t>(whole(part(json, name)));
}

LaneRecord::Space space_of(const Json& name) {
  for (unsigned space = 0; space <= static_cast<unsigned>(LaneRecord::Space::texture); ++space) {
    if (name == name_of(static_cast<LaneRecord::Space>(space))) return static_cast<LaneRecord::Space>(space);
  }
  return LaneRecord::Space::shared;
}

LaneRecord record_of(const Json& json) {
  LaneRecord record;
  record.pc = word(json, "pc");
  const Json text = part(json, "text");
  if (text.is_string()) record.text = text.get<std::string>();
  record.sm = word(json, "sm");
  record.warp = word(json, "warp");
  record.cycle = whole_sm_cycles(whole(part(json, "cycle")));
  record.space = space_of(part(json, "space"));
  record.bytes = word(json, "bytes");
  record.banks = std::max(word(json, "banks"), 1U);
  record.group = std::clamp(word(json, "group"), 1U, warp_size);
  record.lanes = word(json, "lanes");
  const Json addresses = part(json, "address");
  for (std::size_t lane = 0; addresses.is_array() && lane < std::min<std::size_t>(warp_size, addresses.size()); ++lane)
    record.address[lane] = static_cast<std::uint32_t>(whole(addresses[lane]));
  for (const Json& passes : part(json, "passes")) record.passes.push_back(static_cast<unsigned>(whole(passes)));
  for (const Json& segment : part(json, "segments"))
    record.segments.push_back({word(segment, "address"), word(segment, "bytes"), word(segment, "lanes")});
  return record;
}

}  // namespace

std::string lanes_json(const LaneRecords& records) {
  Json document;
  document["schema"] = "teslasim.lanes/1";
  document["dropped"] = records.dropped;
  document["executions"] = Json::array();
  for (const LaneRecord& record : records.records) {
    Json row;
    row["pc"] = record.pc;
    row["text"] = record.text;
    row["sm"] = record.sm;
    row["warp"] = record.warp;
    row["cycle"] = sp_cycles(record.cycle).count();
    row["space"] = name_of(record.space);
    row["bytes"] = record.bytes;
    row["banks"] = record.banks;
    row["group"] = record.group;
    row["lanes"] = record.lanes;
    row["address"] = record.address;
    row["passes"] = record.passes;
    row["segments"] = Json::array();
    for (const LaneRecord::Segment& segment : record.segments) {
      row["segments"].push_back({{"address", segment.address}, {"bytes", segment.bytes}, {"lanes", segment.lanes}});
    }
    document["executions"].push_back(std::move(row));
  }
  return json_text(document) + "\n";
}

LaneRecords read_lanes(const std::string& text) {
  LaneRecords records;
  const Json document = Json::parse(shallow_json(text), nullptr, false);
  records.dropped = whole(part(document, "dropped"));
  for (const Json& row : part(document, "executions")) records.records.push_back(record_of(row));
  return records;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(double value) {
  return value < 0.0 ? Json() : Json(value);
}

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json progress_of(const LiveProgress& progress) {
  Json json;
  json["launch"] = progress.launch;
  json["launches"] = progress.launches;
  json["kernel"] = progress.kernel;
  json["ctas_done"] = progress.ctas_done;
  json["ctas_total"] = progress.ctas_total;
  json["cycle"] = progress.cycle;
  json["warp_instructions"] = progress.warp_instructions;
  json["seconds"] = progress.seconds;
  json["warp_instr_per_s"] = progress.warp_instr_per_s;
  json["eta_s"] = or_null(progress.eta_seconds);
  json["rss_mb"] = progress.rss_mb;
  return json;
}

/// Reasons that a slot can have, in the order of the reports.
template <typename Take>
void for_each_slot_reason(Take take) {
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slot_reasons[i].views != ReasonViews::B) take(static_cast<SlotReason>(i), slot_reasons[i]);
  }
}

Json slots_of(const PerReason<>& slots) {
  Json json = Json::array();
  for_each_slot_reason([&](SlotReason reason, const SlotReasonInfo& row) {
    if (slots[reason] == 0) return;
    json.push_back(
        {{"reason", row.name}, {"slots", slots[reason]}, {"colour", row.colour}, {"description", row.description}});
  });
  return json;
}

Json traffic_of(const LiveCounters& counters) {
  Json json;
  json["dram_read_bytes"] = counters.read_bytes;
  json["dram_write_bytes"] = counters.write_bytes;
  json["transactions"] = counters.transactions;
  json["simulated_s"] = counters.seconds;
  json["caches"] = Json::array();
  for (const LiveCache& cache : counters.caches)
    json["caches"].push_back({{"name", cache.name}, {"hits", cache.hits}, {"misses", cache.misses}});
  return json;
}

const char* name_of(LiveProduct::State state) {
  switch (state) {
    case LiveProduct::State::writing:
      return "writing";
    case LiveProduct::State::written:
      return "written";
    case LiveProduct::State::failed:
      break;
  }
  return "failed";
}

Json products_of(const LiveView& view) {
  Json json = Json::array();
  for (const LiveProduct& product : view.products) {
    json.push_back({{"name", product_name(product)},
                    {"kind", product.kind == LiveProduct::Kind::snapshot ? "snapshot" : "timeline"},
                    {"state", name_of(product.state)},
                    {"launch", product.launch},
                    {"cycle", product.cycle},
                    {"path", product.path},
                    {"problem", or_null(product.problem)}});
  }
  return json;
}

}  // namespace

std::string product_name(const LiveProduct& product) {
  return fmt::format("{}-{}", product.kind == LiveProduct::Kind::snapshot ? "snapshot" : "timeline", product.number);
}

std::string live_json(const LiveView& view, std::size_t points) {
  Json json;
  json["schema"] = "teslasim.live/1";
  json["name"] = view.name;
  json["machine"] = view.machine;
  json["sms"] = view.sms;
  json["directory"] = or_null(view.directory);
  json["phase"] = view.phase;
  json["progress"] = progress_of(view.progress);
  json["slots"] = view.counters ? slots_of(view.counters->slots) : Json();
  json["traffic"] = view.counters ? traffic_of(*view.counters) : Json();
  json["recording"] = Json();
  if (view.recording) {
    json["recording"] = {
        {"sm", view.recording->sm}, {"launch", view.recording->launch}, {"since", view.recording->since}};
  }
  json["products"] = products_of(view);
  json["no_snapshots"] = or_null(view.no_snapshots);
  json["no_timelines"] = or_null(view.no_timelines);
  json["history_points"] = points;
  return json_text(json);
}

std::string live_history_json(const LiveHistory& history) {
  const auto column = [&history](auto value) {
    Json values = Json::array();
    for (const LiveHistory::Point& point : history.points()) values.push_back(value(point));
    return values;
  };
  Json json;
  json["seconds"] = column([](const LiveHistory::Point& point) { return point.seconds; });
  json["simulated_s"] = column([](const LiveHistory::Point& point) { return point.simulated; });
  json["dram_read_bytes"] = column([](const LiveHistory::Point& point) { return point.read_bytes; });
  json["dram_write_bytes"] = column([](const LiveHistory::Point& point) { return point.write_bytes; });
  json["slots"] = Json::object();
  if (history.points().empty()) return json_text(json);
  for_each_slot_reason([&](SlotReason reason, const SlotReasonInfo& row) {
    if (history.points().back().slots[reason] == 0) return;
    json["slots"][std::string(row.name)] =
        column([reason](const LiveHistory::Point& point) { return point.slots[reason]; });
  });
  return json_text(json);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/stats_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/report/result/statistic.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

/// The child of `parent` that one path segment names, created when missing.
Json& child(Json& parent, std::string_view segment) {
  if (segment.front() != '#') return parent[std::string(segment)];
  if (parent.is_null()) parent = Json::array();
  const auto index = static_cast<std::size_t>(std::stoul(std::string(segment.substr(1))));
  while (parent.size() <= index) parent.push_back(nullptr);
  return parent[index];
}

/// Notes in `object` why its member `name` is null. Several different reasons are joined with the names they are for.
void explain_null(Json& object, const std::string& name, const std::string& why) {
  Json& reasons = object["why"];
  if (reasons.is_null()) {
    reasons = why;
  } else if (reasons.get<std::string>().find(why) == std::string::npos) {
    reasons = reasons.get<std::string>() + "; " + name + ": " + why;
  }
}

struct Assign {
  Json& parent;
  const std::string& name;
  void operator()(const NotApplicable& value) const {
    child(parent, name) = nullptr;
    explain_null(parent, name, value.why);
  }
  void operator()(double value) const {
    SIM_CHECK(std::isfinite(value), "statistic " + name + " is not a finite number");
    child(parent, name) = value;
  }
  template <typename Value>
  void operator()(const Value& value) const {
    child(parent, name) = value;
  }
};

void place(Json& document, const Statistic& statistic) {
  Json* node = &document;
  std::string_view rest = statistic.path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    node = &child(*node, rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
  }
  const std::string name(rest);
  std::visit(Assign{*node, name}, statistic.value);
}

}  // namespace

std::string stats_json(const Result& result) {
  Json document = Json::object();
  document["schema"] = nullptr;
  for (const Statistic& statistic : statistics_of(result)) {
    place(document, statistic);
    // An empty run still has its list of launches, where readers expect it.
    if (statistic.path == "machine/shader_mhz") document["launches"] = Json::array();
  }
  for (Json& launch : document["launches"]) {
    if (!launch.contains("per_sm")) launch["per_sm"] = Json::array();
    if (!launch["dram"].contains("partitions")) launch["dram"]["partitions"] = Json::array();
  }
  return json_text(document, 1) + "\n";
}

}  // namespace teslasim

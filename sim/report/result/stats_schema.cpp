// SPDX-License-Identifier: Apache-2.0
// The schema of stats.json, from documents that have everything and documents that have as little as there can be.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/result/statistic_prototypes.h"
#include "sim/report/result/statistic_table.h"
#include "sim/report/result/stats_json.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<const Json*>;  // of one place, one from each document that has it

Json schema_of(const Values& values, const std::string& path);

/// Objects whose members have names that only a run knows.
bool is_map(std::string_view path) {
  return path.ends_with("/models") || path.ends_with("/bank_accesses");
}

Json words(const std::string& path) {
  Json schema;
  if (path == "/schema") schema["const"] = "teslasim.stats/1";
  if (path.ends_with("digest")) schema = Json{{"type", "string"}, {"pattern", "^[0-9a-f]{16}$"}};
  if (path.ends_with("/level")) schema["enum"] = {"P0", "P1", "P2"};
  if (path.ends_with("/status")) {
    for (const RunStatus status :
         {RunStatus::ok, RunStatus::interrupted, RunStatus::stuck, RunStatus::kernel_error, RunStatus::limit}) {
      schema["enum"].push_back(name_of(status));
    }
  }
  return schema;
}

void describe(Json& schema, std::string_view path) {
  constexpr std::string_view below_launches = "/launches/";
  if (path.starts_with(below_launches)) path.remove_prefix(below_launches.size());
  if (path.starts_with('/')) path.remove_prefix(1);
  const StatisticInfo* row = find_statistic(path);
  if (row != nullptr && !path.empty()) schema["description"] = row->sentence;
}

Json leaf(const Values& values, const std::string& path) {
  Json schema = words(path);
  if (!schema.is_null()) return schema;
  std::vector<std::string> types;
  for (const Json* value : values) {
    std::string type = value->is_number_float() ? "number" : value->is_number() ? "integer" : value->type_name();
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(std::move(type));
  }
  if (types == std::vector<std::string>{"null"}) types.insert(types.begin(), "number");  // a ratio
  std::sort(types.begin(), types.end(), [](const auto& a, const auto& b) { return a != "null" && b == "null"; });
  schema["type"] = types.size() == 1 ? Json(types.front()) : Json(types);
  if (types.front() == "integer") schema["minimum"] = 0;
  return schema;
}

Json list(const Values& values, const std::string& path) {
  Values elements;
  for (const Json* value : values) {
    for (const Json& element : *value) elements.push_back(&element);
  }
  Json schema{{"type", "array"}, {"items", schema_of(elements, path)}};
  if (!elements.empty() && !elements.front()->is_object()) {
    schema["minItems"] = schema["maxItems"] = values.front()->size();
  }
  return schema;
}

/// A value that is there is the example, nulls and other kinds of values make it optional.
Json object(const Values& values, const std::string& path) {
  Json schema{{"type", "object"}};
  std::vector<std::string> names;
  std::size_t objects = 0;
  for (const Json* value : values) {
    if (!value->is_object()) continue;
    ++objects;
    for (const auto& [name, member] : value->items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (objects != values.size()) schema["type"] = {"object", "null"};
  Json required = Json::array();
  for (const std::string& name : names) {
    Values members;
    for (const Json* value : values) {
      if (value->is_object() && value->contains(name)) members.push_back(&value->at(name));
    }
    const Json member = schema_of(members, path + '/' + name);
    if (is_map(path)) {
      schema["additionalProperties"] = member;
      return schema;
    }
    schema["properties"][name] = member;
    if (members.size() == objects && name != "why") required.push_back(name);
  }
  if (!required.empty()) schema["required"] = required;
  schema["additionalProperties"] = false;
  return schema;
}

Json schema_of(const Values& values, const std::string& path) {
  const auto any = [&values](bool (Json::*is)() const noexcept) {
    return std::any_of(values.begin(), values.end(), [is](const Json* value) { return (value->*is)(); });
  };
  if (path.ends_with("/why")) return Json{{"type", "string"}, {"description", "Why members of this object are null"}};
  Json schema = any(&Json::is_object)  ? object(values, path)
                : any(&Json::is_array) ? list(values, path)
                                       : leaf(values, path);
  describe(schema, path);
  return schema;
}

std::string make_schema() {
  std::vector<Json> documents;
  for (const Result& result : prototype_results()) documents.push_back(Json::parse(stats_json(result)));
  Values values;
  for (const Json& document : documents) values.push_back(&document);
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "teslasim.stats/1"},
              {"description",
               "Statistics of a teslasim run. Counts are integers; a member that does not apply is null and its object "
               "has a member why."}};
  schema.update(schema_of(values, ""));
  return json_text(schema, 1) + "\n";
}

}  // namespace

const std::string& stats_json_schema() {
  static const std::string schema = make_schema();
  return schema;
}

}  // namespace teslasim

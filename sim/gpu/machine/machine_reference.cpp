// SPDX-License-Identifier: Apache-2.0
// About machine files in general: the reference page and the JSON Schema.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "sim/base/config.h"
#include "sim/base/json_text.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {

namespace {

using Json = nlohmann::ordered_json;

Json allowed_powers(const FieldInfo& info) {
  Json values = Json::array();
  for (auto value = static_cast<unsigned>(info.minimum); value <= static_cast<unsigned>(info.maximum); value *= 2) {
    values.push_back(value);
  }
  return values;
}

Json property_of(const FieldSlot& slot) {
  const FieldInfo& info = slot.info;
  Json property = Json::object();
  switch (info.kind) {
    case FieldInfo::Kind::whole_number:
      property["type"] = "integer";
      property["default"] = *std::get<unsigned*>(slot.value);
      break;
    case FieldInfo::Kind::real_number:
      property["type"] = "number";
      property["default"] = *std::get<double*>(slot.value);
      break;
    case FieldInfo::Kind::truth:
      property["type"] = "boolean";
      property["default"] = *std::get<bool*>(slot.value);
      break;
    case FieldInfo::Kind::text:
      property["type"] = "string";
      property["default"] = *std::get<std::string*>(slot.value);
      for (std::size_t i = 0; i < info.choices.count; ++i) property["enum"].push_back(info.choices.names[i]);
      break;
  }
  if (info.only_powers_of_two) {
    property["enum"] = allowed_powers(info);
  } else if (info.kind == FieldInfo::Kind::whole_number || info.kind == FieldInfo::Kind::real_number) {
    property["minimum"] = info.minimum;
    property["maximum"] = info.maximum;
  }
  property["description"] =
      info.unit[0] == '\0' ? std::string(info.text) : std::string(info.text) + " [" + info.unit + "]";
  return property;
}

Json table_of(const std::string& description) {
  Json table = Json::object();
  table["type"] = "object";
  table["description"] = description;
  table["additionalProperties"] = false;
  table["properties"] = Json::object();
  return table;
}

/// The schema of the table that `key` ("sm.shared.banks") lives in; its last part is left in `key`.
Json& owner_of(Json& root, std::string& key) {
  Json* table = &root;
  for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.')) {
    table = &(*table)["properties"][key.substr(0, dot)];
    key.erase(0, dot + 1);
  }
  return *table;
}

}  // namespace

std::string machine_json_schema() {
  MachineSpec spec;
  const FieldList fields = collect_fields(spec);
  Json root = Json::object();
  root["$schema"] = "http://json-schema.org/draft-07/schema#";
  root["$id"] = "teslasim.machine/1";
  root["title"] = "teslasim machine";
  root.update(table_of("A machine that teslasim can simulate"));
  root["required"] = Json::array({"schema"});
  root["properties"]["schema"] = {{"const", "teslasim.machine/1"}, {"description", "schema of this file"}};
  const Json parent = {{"type", "string"}};
  root["properties"]["extends"] = {
      {"anyOf", Json::array({parent, {{"type", "array"}, {"items", parent}, {"minItems", 1}}})},
      {"description",
       "preset or file that is loaded below this one; of several, a later one wins over an earlier one"}};
  for (const SectionInfo& section : fields.sections) {
    std::string key = section.key;
    Json& owner = owner_of(root, key);
    owner["properties"][key] = table_of(section.text);
  }
  for (const FieldSlot& slot : fields.slots) {
    for (std::string key : {slot.key, std::string(slot.info.also)}) {
      if (key.empty()) continue;
      Json& owner = owner_of(root, key);
      owner["properties"][key] = property_of(slot);
    }
  }
  return json_text(root, 2) + "\n";
}

std::string config_reference_markdown() {
  MachineSpec spec;
  return "# Machine configuration: every key\n\n"
         "Generated from the specs in `sim/sm/sm_spec.h`, "
         "`memory/memory_spec.h` "
         "and `sim/gpu/machine/gpu_spec.h`; do not edit.\n\n"
         "A machine file starts with `schema = \"teslasim.machine/1\"`; `extends = \"NAME\"` loads a preset or another "
         "file below it, `extends = [\"A\", \"B\"]` several: B wins over A, and the file itself over both. A file is "
         "named by a "
         "path from the folder of the file that extends it. Files stack left to right (`-c A -c B`), `--set key=value` "
         "comes last.\n\n" +
         config_markdown(collect_fields(spec));
}

}  // namespace teslasim

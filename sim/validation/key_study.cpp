// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/key_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "sim/base/csv.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/validation/micro_kernel.h"

namespace teslasim {
namespace {

constexpr double tenth = 0.1;
constexpr std::string_view preset_origin = "preset ";

bool is_number(const FieldInfo& info) {
  return info.kind == FieldInfo::Kind::whole_number || info.kind == FieldInfo::Kind::real_number;
}

double whole_step(const FieldInfo& info, double value, int steps) {
  if (info.only_powers_of_two) return value * std::exp2(steps);
  return value + steps * std::max(1.0, std::round(tenth * value));
}

/// A number as TOML takes it for the kind of the key.
std::string number_of_kind(const FieldInfo& info, double value) {
  if (info.kind == FieldInfo::Kind::whole_number) return fmt::format("{:.0f}", value);
  std::string text = fmt::format("{:.6g}", value);  // 95 * 1.1 is 104.5, not 104.50000000000001
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Why keys change no result, by key: the list that the audit of keys holds.
std::map<std::string, std::string> keys_without_effect() {
  std::map<std::string, std::string> reasons;
  const CsvTable table = CsvTable::parse(micro_file("keys_without_effect.csv"));
  for (std::size_t row = 0; row < table.rows(); ++row) reasons[table.text(row, "key")] = table.text(row, "reason");
  return reasons;
}

std::string why_skipped(const StudiedKey& key, const std::map<std::string, std::string>& without_effect) {
  if (const auto found = without_effect.find(key.key); found != without_effect.end()) return found->second;
  if (is_number(key.info)) {
    if (stepped_value(key.info, key.value, 1) || stepped_value(key.info, key.value, -1)) return {};
    return key.info.minimum == key.info.maximum ? "it has one value" : "a tenth of zero is zero";
  }
  return other_words(key.info, key.value).empty() ? "it has no other value" : "";
}

std::map<std::string, FieldInfo> fields_by_key() {
  MachineSpec spec;
  std::map<std::string, FieldInfo> fields;
  for (const FieldSlot& slot : collect_fields(spec).slots) fields.emplace(slot.key, slot.info);
  return fields;
}

}  // namespace

std::string_view name_of(KeyGround ground) {
  return ground == KeyGround::calibrated ? "calibrated" : "assumed";
}

std::optional<KeyGround> ground_of(std::string_view source) {
  if (source.find("calibrated") != std::string_view::npos) return KeyGround::calibrated;
  if (source.find("assumed") != std::string_view::npos) return KeyGround::assumed;
  return std::nullopt;
}

std::optional<std::string> stepped_value(const FieldInfo& info, const std::string& value, int steps) {
  if (!is_number(info)) return std::nullopt;
  const double number = std::strtod(value.c_str(), nullptr);
  const bool whole = info.kind == FieldInfo::Kind::whole_number;
  const double wanted = whole ? whole_step(info, number, steps) : number * (1.0 + tenth * steps);
  const double kept = std::clamp(wanted, info.minimum, info.maximum);
  if (kept == number || (info.only_powers_of_two && kept != wanted)) return std::nullopt;
  return number_of_kind(info, kept);
}

std::vector<std::string> other_words(const FieldInfo& info, const std::string& value) {
  if (info.kind == FieldInfo::Kind::truth) return {value == "true" ? "false" : "true"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < info.choices.count; ++i) {
    if (const std::string word = info.choices.names.at(i); word != value && '"' + word + '"' != value)
      words.push_back(word);
  }
  return words;
}

std::vector<StudiedKey> studied_keys(const std::vector<std::string>& machines) {
  const std::map<std::string, FieldInfo> fields = fields_by_key();
  const std::map<std::string, std::string> without_effect = keys_without_effect();
  std::map<std::pair<std::size_t, std::string>, StudiedKey> found;  // by place in the manual, and file
  for (const std::string& machine : machines) {
    const std::vector<EffectiveValue> values = load_machine({machine}, {}).values;
    for (std::size_t place = 0; place < values.size(); ++place) {
      const EffectiveValue& value = values[place];
      const std::optional<KeyGround> ground = ground_of(value.source);
      if (!ground || !value.origin.starts_with(preset_origin)) continue;
      const std::string file = value.origin.substr(preset_origin.size());
      StudiedKey& key = found[{place, file}];
      if (key.machines.empty()) {
        key = {value.key, file, value.value, value.source, *ground, {}, {}, fields.at(value.key)};
        key.skipped = why_skipped(key, without_effect);
      }
      key.machines.push_back(machine);
    }
  }
  std::vector<StudiedKey> keys;
  for (auto& [place, key] : found) keys.push_back(std::move(key));
  return keys;
}

}  // namespace teslasim

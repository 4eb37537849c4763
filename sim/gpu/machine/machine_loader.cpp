// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/machine/machine_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/base/embedded_file.h"
#include "sim/base/text_file.h"
#include "sim/gpu/machine/machine_check.h"

namespace teslasim {

/// The files of configs/, generated at build time.
extern const std::span<const EmbeddedFile> embedded_configs;

namespace {

constexpr const char* machine_schema_name = "teslasim.machine/1";
constexpr std::string_view preset_place = "preset ";
constexpr std::size_t largest_file = std::size_t{1} << 20U;

/// A file of configs/ that has a name is a machine that users choose by it; the others hold what machines share.
bool names_a_machine(std::string_view text) {
  const std::string_view before_tables = text.substr(0, text.find("\n["));
  for (std::size_t line = 0; line != std::string_view::npos; line = before_tables.find('\n', line)) {
    line = before_tables.find_first_not_of('\n', line);
    if (line == std::string_view::npos) return false;
    const std::string_view rest = before_tables.substr(line);
    if (!rest.starts_with("name")) continue;
    const std::size_t next = rest.find_first_not_of(" \t", std::string_view("name").size());
    if (next != std::string_view::npos && rest[next] == '=') return true;
  }
  return false;
}

constexpr std::string_view configs_folder = "configs/";
constexpr std::string_view order_file = "configs/order.txt";

std::set<std::string> named_machines() {
  std::set<std::string> names;
  for (const EmbeddedFile& file : embedded_configs) {
    const std::filesystem::path path(file.name.substr(configs_folder.size()));
    if (path.extension() == ".toml" && !path.has_parent_path() && names_a_machine(file.text)) {
      names.insert(path.stem().string());
    }
  }
  return names;
}

/// First the machines of order.txt, in its order; then the others by name.
std::vector<std::string> ordered_machines() {
  std::set<std::string> unlisted = named_machines();
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_configs) {
    if (file.name != order_file) continue;
    std::istringstream words{std::string(file.text)};
    for (std::string name; words >> name;) {
      if (unlisted.erase(name) != 0) names.push_back(name);
    }
  }
  names.insert(names.end(), unlisted.begin(), unlisted.end());
  return names;
}

const std::vector<std::string>& machine_names() {
  static const std::vector<std::string> names = ordered_machines();
  return names;
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".toml";
}

bool is_machine_name(const std::string& name) {
  return std::find(machine_names().begin(), machine_names().end(), name) != machine_names().end();
}

const EmbeddedFile* find_embedded(const std::string& name) {
  const std::string path = "configs/" + name + ".toml";
  const auto found = std::find_if(embedded_configs.begin(), embedded_configs.end(),
                                  [&](const EmbeddedFile& file) { return file.name == path; });
  return found == embedded_configs.end() ? nullptr : &*found;
}

[[noreturn]] void fail(const char* code, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = code;
  problem.message = std::move(message);
  problem.help = std::move(help);
  throw InputError(ExitCode::configuration, std::move(problem));
}

ConfigText read_machine_file(const std::string& name, const std::string& beside) {
  std::filesystem::path path(name);
  if (path.is_relative() && !beside.empty()) path = std::filesystem::path(beside).parent_path() / path;
  const std::string place = path.lexically_normal().string();
  TextFile file = read_text_file(place, largest_file);
  if (!file.error.empty()) {
    fail("CFG-FILE", fmt::format("cannot read the machine file '{}': {}", place, file.error),
         "give the name of a preset or the path of a .toml file; 'teslasim configs list' names the presets");
  }
  return {place, std::move(file.text), false};
}

std::string letters_of(const std::string& text) {
  std::string letters;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0) letters += static_cast<char>(std::tolower(letter));
  }
  return letters;
}

/// The preset of a board that is written as it is sold, e.g. "GeForce GTX 275"; else the nearest name.
std::string preset_meant(const std::string& given, const std::vector<std::string>& names) {
  const std::string sold = letters_of(given);
  std::string found;
  for (const std::string& name : names) {
    const bool has_number = std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (has_number && sold.ends_with(letters_of(name)) && name.size() > found.size()) found = name;
  }
  return found.empty() ? nearest_word(given, names) : found;
}

ConfigText find_layer(const std::string& name, const std::string& beside) {
  const EmbeddedFile* file = find_embedded(name);
  const bool may_be_family = !beside.empty();
  if (is_path(name) && !(may_be_family && file != nullptr)) return read_machine_file(name, beside);
  if (file != nullptr && (may_be_family || is_machine_name(name))) {
    return {std::string(preset_place) + name, std::string(file->text), true};
  }
  const std::vector<std::string>& names = machine_names();
  const std::string suggestion = preset_meant(name, names);
  std::string help = suggestion.empty() ? std::string{} : fmt::format("did you mean '{}'? ", suggestion);
  help += fmt::format("Presets: {}\nA file is given by its path: a name with '/' or ending in .toml",
                      fmt::join(names, ", "));
  fail("CFG-PRESET", fmt::format("there is no machine preset '{}'", name), std::move(help));
}

LoadedMachine load(const ConfigRequest& request, const std::string& fallback_name) {
  LoadedMachine machine;
  const FieldList fields = collect_fields(machine.spec);
  LoadedConfig config = load_config(fields, request);
  Diagnostics findings;
  for (Diagnostic& finding : check_machine(machine.spec, config)) findings.add(std::move(finding));
  for (Diagnostic& finding : settle_derived(machine.spec, config)) findings.add(std::move(finding));
  if (findings.has_errors()) throw InputError(ExitCode::configuration, findings.all());
  machine.warnings = findings.all();
  if (machine.spec.name.empty()) machine.spec.name = fallback_name;
  machine.values = effective_values(fields, config);
  return machine;
}

ConfigRequest request_for(std::vector<std::string> layers) {
  ConfigRequest request;
  request.schema = machine_schema_name;
  request.layers = std::move(layers);
  request.resolve = find_layer;
  return request;
}

PresetInfo describe(const std::string& name, ParsedPresets& parsed) {
  ConfigRequest request = request_for({name});
  request.parsed = &parsed;
  const MachineSpec spec = load(request, name).spec;
  return {name,
          spec.name,
          spec.arch,
          spec.sms(),
          spec.clock.shader_mhz,
          spec.derived.peak_gbs_dram,
          spec.derived.peak_gflops_mad};
}

}  // namespace

LoadedMachine load_machine(const std::vector<std::string>& configs, const std::vector<std::string>& sets) {
  ConfigRequest request = request_for(configs.empty() ? std::vector<std::string>{default_machine} : configs);
  request.sets = sets;
  const std::string& last = request.layers.back();
  LoadedMachine machine = load(request, std::filesystem::path(last).stem().string());
  if (std::all_of(request.layers.begin(), request.layers.end(), is_machine_name)) machine.spec.preset = last;
  return machine;
}

LoadedMachine load_machine_text(const std::string& place, const std::string& text,
                                const std::vector<std::string>& sets) {
  ConfigRequest request;
  request.schema = machine_schema_name;
  request.layers = {place};
  request.sets = sets;
  request.resolve = [&](const std::string& name, const std::string& beside) {
    return beside.empty() ? ConfigText{place, text, false} : find_layer(name, beside);
  };
  return load(request, std::filesystem::path(place).stem().string());
}

std::vector<PresetInfo> preset_list() {
  std::vector<PresetInfo> presets;
  presets.reserve(machine_names().size());
  ParsedPresets parsed;  // families are shared by many
  for (const std::string& name : machine_names()) presets.push_back(describe(name, parsed));
  return presets;
}

std::string preset_text(const std::string& name) {
  const EmbeddedFile* file = find_embedded(name);
  return file == nullptr ? std::string{} : std::string(file->text);
}

std::string effective_toml(const LoadedMachine& machine) {
  return config_toml(machine_schema_name, machine.values);
}

std::vector<ConfigDifference> diff(const LoadedMachine& left, const LoadedMachine& right) {
  std::vector<ConfigDifference> differences;
  for (std::size_t i = 0; i < left.values.size() && i < right.values.size(); ++i) {
    const EffectiveValue& a = left.values[i];
    const EffectiveValue& b = right.values[i];
    if (a.value == b.value) continue;
    differences.push_back({a.key, a.unit, a.value, b.value, a.origin, b.origin, a.source, b.source});
  }
  return differences;
}

}  // namespace teslasim

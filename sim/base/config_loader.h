// SPDX-License-Identifier: Apache-2.0
// Reads a spec (sim/base/config.h) from layers of TOML text: files stack left to right, `extends = "name"` at the top
// of a file loads another one below it, `--set key=value` comes last; tables merge, values replace. Everything that is
// wrong in any layer is reported at once, with its place. Every value remembers who set it and why (`# source: ...`).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/config.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

struct ConfigDocument;  // sim/base/config_document.h

/// A layer of configuration before it is parsed.
struct ConfigText {
  std::string place;    ///< how errors call it, e.g. "my.toml" or "preset gtx280"
  std::string text;     ///< TOML
  bool preset = false;  ///< origins of values say "preset NAME" instead of "FILE:LINE"
};

/// Finds a layer by what the user or an `extends` line called it. `beside` is the place of the extending file, empty
/// for the command line. Throws InputError (one diagnostic without place) when there is no such layer.
using ConfigResolver = std::function<ConfigText(const std::string& name, const std::string& beside)>;

/// One parameter of a loaded configuration, ready to be shown.
struct EffectiveValue {
  std::string key;    ///< dotted
  std::string value;  ///< as TOML
  std::string unit;
  std::string origin;  ///< "preset gtx280", "my.toml:12", "--set", "default", "computed"
  std::string source;  ///< text of the `# source:` comment, empty when the line has none
  std::string description;
  std::string range;   ///< "1 ... 64", "power of two, 1 ... 64", "a | b", or empty
  std::string also{};  ///< its second name, or empty
};

/// Who set a parameter last.
struct Setting {
  std::size_t layer = 0;  ///< counts the layers in the order in which they were merged
  SourceLocation where;   ///< the value
  std::string excerpt;
  std::string origin;
  std::string source;
};

/// Presets that were parsed, by place, for those who load many machines that share them.
using ParsedPresets = std::map<std::string, std::shared_ptr<const ConfigDocument>, std::less<>>;

struct ConfigRequest {
  std::string schema;               ///< required value of the top-level key `schema`
  std::vector<std::string> layers;  ///< names for the resolver, left to right
  std::vector<std::string> sets;    ///< "key=value"
  ConfigResolver resolve;
  ParsedPresets* parsed = nullptr;  ///< read and added to; null: every layer is parsed
};

struct LoadedConfig {
  std::map<std::string, Setting, std::less<>> settings;  ///< by dotted key; keys left at their default are absent
};

/// Loads the layers into the members that `fields` points at. Throws InputError with all diagnostics.
[[nodiscard]] LoadedConfig load_config(const FieldList& fields, const ConfigRequest& request);

/// All parameters in declaration order with their present values.
[[nodiscard]] std::vector<EffectiveValue> effective_values(const FieldList& fields, const LoadedConfig& config);

/// A present value as TOML, e.g. `32`, `21.5`, `"wave"`, `true`.
[[nodiscard]] std::string toml_value(const FieldSlot& slot);
/// The allowed values in words, e.g. "power of two, 1 … 64".
[[nodiscard]] std::string range_text(const FieldInfo& info);

/// Valid TOML that loads to the same values, each line with `# from: <origin> | source: <source>`.
[[nodiscard]] std::string config_toml(std::string_view schema, const std::vector<EffectiveValue>& values);

/// The manual page of a spec whose members have their default values: a Markdown table per section.
[[nodiscard]] std::string config_markdown(const FieldList& fields);

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The views of a configuration: values with their origins, TOML, Markdown.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/config_loader.h"

namespace teslasim {

namespace {

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20U || byte == 0x7fU) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_real(double number) {
  std::string text = fmt::format("{}", number);
  // A whole number would come back as an integer; harmless when loaded, but the reader should see the kind.
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string_view section_of(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? std::string_view{} : std::string_view{key}.substr(0, dot);
}

std::string_view name_of(const std::string& key) {
  return std::string_view{key}.substr(key.rfind('.') + 1);
}

/// Keeps a comment on its line and `source:` unique in it.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7f; }, ' ');
  return text;
}

/// Markdown table cells may not contain a bare bar.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string also_text(const FieldInfo& info) {
  return info.also[0] == '\0' ? std::string{} : fmt::format("; `{}` is the same", info.also);
}

void append_markdown_table(std::string& out, const FieldList& fields, std::string_view section) {
  bool first = true;
  for (const FieldSlot& slot : fields.slots) {
    if (section_of(slot.key) != section) continue;
    if (first) out += "| key | default | unit | allowed | meaning |\n|---|---|---|---|---|\n";
    first = false;
    out += fmt::format("| `{}` | `{}` | {} | {} | {} |\n", slot.key, toml_value(slot), slot.info.unit,
                       cell(range_text(slot.info)), cell(slot.info.text) + also_text(slot.info));
  }
}

}  // namespace

std::string toml_value(const FieldSlot& slot) {
  if (auto* const* whole = std::get_if<unsigned*>(&slot.value)) return fmt::format("{}", **whole);
  if (auto* const* real = std::get_if<double*>(&slot.value)) return toml_real(**real);
  if (auto* const* truth = std::get_if<bool*>(&slot.value)) return **truth ? "true" : "false";
  return toml_text(*std::get<std::string*>(slot.value));
}

std::string range_text(const FieldInfo& info) {
  switch (info.kind) {
    case FieldInfo::Kind::truth:
      return "true | false";
    case FieldInfo::Kind::text:
      return fmt::format(
          "{}", fmt::join(info.choices.names.begin(),
                          info.choices.names.begin() + static_cast<std::ptrdiff_t>(info.choices.count), " | "));
    case FieldInfo::Kind::whole_number:
    case FieldInfo::Kind::real_number:
      break;
  }
  if (info.minimum == info.maximum) return fmt::format("{}", info.minimum);
  return fmt::format("{}{} … {}", info.only_powers_of_two ? "power of two, " : "", info.minimum, info.maximum);
}

std::vector<EffectiveValue> effective_values(const FieldList& fields, const LoadedConfig& config) {
  std::vector<EffectiveValue> values;
  values.reserve(fields.slots.size());
  for (const FieldSlot& slot : fields.slots) {
    const auto setting = config.settings.find(slot.key);
    const bool is_set = setting != config.settings.end();
    values.push_back({slot.key, toml_value(slot), slot.info.unit, is_set ? setting->second.origin : "default",
                      is_set ? setting->second.source : std::string{}, slot.info.text, range_text(slot.info),
                      slot.info.also});
  }
  return values;
}

std::string config_toml(std::string_view schema, const std::vector<EffectiveValue>& values) {
  std::string out = fmt::format("schema = \"{}\"\n", schema);
  std::string_view section;
  for (const EffectiveValue& value : values) {
    if (section_of(value.key) != section) {
      section = section_of(value.key);
      out += fmt::format("\n[{}]\n", section);
    }
    const std::string assignment = fmt::format("{} = {}", name_of(value.key), value.value);
    out += fmt::format("{:<36} # from: {}", assignment, one_line(value.origin));
    if (!value.source.empty()) out += " | source: " + one_line(value.source);
    out += '\n';
  }
  return out;
}

std::string config_markdown(const FieldList& fields) {
  std::string out;
  append_markdown_table(out, fields, "");
  for (const SectionInfo& section : fields.sections) {
    out += fmt::format("\n## `[{}]` — {}\n\n", section.key, section.text);
    append_markdown_table(out, fields, section.key);
  }
  return out;
}

}  // namespace teslasim

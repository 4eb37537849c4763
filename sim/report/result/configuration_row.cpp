// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/configuration_row.h"

#include <algorithm>
#include <cstdlib>

#include "sim/base/config_document.h"

namespace teslasim {
namespace {

constexpr std::string_view from = "# from: ", because = "| source: ";

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// As config_toml puts it into a comment.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7f; }, ' ');
  return trimmed(text);
}

/// Where the comment behind a value begins: a string may hold a `#`.
std::size_t comment_in(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == '#') {
      return i;
    }
  }
  return text.size();
}

ConfigurationRow row_of(const ConfigEntry& entry) {
  const std::string_view line = entry.value_line;
  const std::string_view rest = line.substr(std::min<std::size_t>(line.size(), entry.value_place.column - 1));
  const std::size_t comment = comment_in(rest);
  ConfigurationRow row{entry.key, trimmed(rest.substr(0, comment)), "", ""};
  std::string_view origin = rest.substr(comment);
  if (!origin.starts_with(from)) return row;
  origin.remove_prefix(from.size());
  const std::size_t bar = std::min(origin.find(because), origin.size());
  row.origin = trimmed(origin.substr(0, bar));
  if (bar != origin.size()) row.source = trimmed(origin.substr(bar + because.size()));
  return row;
}

}  // namespace

std::string ConfigurationRow::plain() const {
  const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

std::vector<ConfigurationRow> configuration_rows(const std::vector<EffectiveValue>& values) {
  std::vector<ConfigurationRow> rows;
  rows.reserve(values.size());
  for (const EffectiveValue& value : values)
    rows.push_back({value.key, value.value, on_one_line(value.origin), on_one_line(value.source)});
  return rows;
}

std::vector<ConfigurationRow> read_configuration(const std::string& text) {
  Diagnostics problems;
  std::vector<ConfigurationRow> rows;
  for (const ConfigEntry& entry : parse_config("config.effective.toml", text, problems).entries) {
    if (entry.kind == ConfigEntry::Kind::table || entry.key == "schema" || entry.value_place.column == 0) continue;
    rows.push_back(row_of(entry));
  }
  return rows;
}

std::string configured(const std::vector<ConfigurationRow>& rows, std::string_view key) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [key](const ConfigurationRow& row) { return row.key == key; });
  return found == rows.end() ? "" : found->plain();
}

double configured_number(const std::vector<ConfigurationRow>& rows, std::string_view key) {
  return std::strtod(configured(rows, key).c_str(), nullptr);
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/base/config_document.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/base/number_range.h"
#include "sim/base/toml_nesting.h"
#include "sim/base/utf8.h"

namespace teslasim {

namespace {

constexpr std::size_t syntax_errors_at_most = 20;
constexpr std::string_view set_option = "--set ";
/// Of all lines that entries keep for messages; a long line with many entries would take their product.
constexpr std::size_t most_excerpt_bytes = std::size_t{64} << 20U;

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.emplace_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string_view line_at(const std::vector<std::string>& lines, std::uint32_t line) {
  return line >= 1 && line <= lines.size() ? std::string_view{lines[line - 1]} : std::string_view{};
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The part of `line` from its column-th character (1-based) on.
std::string_view from_column(std::string_view line, std::uint32_t column) {
  std::size_t i = 0;
  for (std::uint32_t seen = 1; i < line.size() && seen < column; ++seen) {
    i += std::max<std::size_t>(1, bytes_of_character(line.substr(i)));
  }
  return line.substr(i);
}

/// The text behind "source:" in the comment that follows a value ending at `end`.
std::string source_comment(const std::vector<std::string>& lines, const toml::source_position& end) {
  constexpr std::size_t longest_line = 4096;  // longer ones hold many values: looking behind each takes too long
  const std::string_view line = line_at(lines, end.line);
  if (line.size() > longest_line) return {};
  const std::string_view rest = from_column(line, end.column);
  const std::size_t comment = rest.find('#');
  if (comment == std::string_view::npos) return {};
  constexpr std::string_view label = "source:";
  const std::size_t label_at = rest.find(label, comment);
  if (label_at == std::string_view::npos) return {};
  return std::string(trim(rest.substr(label_at + label.size())));
}

/// Takes the table apart; knows the raw lines for excerpts and comments.
class Flattener {
 public:
  Flattener(const std::string& place, const std::vector<std::string>& lines) : place_(place), lines_(lines) {}

  [[nodiscard]] std::vector<ConfigEntry> flatten(const toml::table& root) {
    walk(root, "");
    auto position = [](const ConfigEntry& entry) {
      return std::tuple{entry.key_place.line, entry.key_place.column, entry.key.size()};
    };
    std::stable_sort(entries_.begin(), entries_.end(),
                     [&](const ConfigEntry& a, const ConfigEntry& b) { return position(a) < position(b); });
    return std::move(entries_);
  }

 private:
  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string part{key.str()};
      const std::string dotted = prefix + (part.find('.') == std::string::npos ? part : '"' + part + '"');
      entries_.push_back(entry_of(dotted, key, node));
      if (const toml::table* inner = node.as_table()) walk(*inner, dotted + ".");
    }
  }

  [[nodiscard]] ConfigEntry entry_of(const std::string& dotted, const toml::key& key, const toml::node& node) {
    ConfigEntry entry;
    entry.key = dotted;
    entry.key_place = place_of(key.source());
    entry.value_place = place_of(node.source());
    entry.key_line = excerpt(entry.key_place.line);
    entry.value_line = excerpt(entry.value_place.line);
    entry.source = source_comment(lines_, node.source().end);
    set_value(entry, node);
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) entry.elements.push_back(element_of(element));
    }
    return entry;
  }

  [[nodiscard]] ConfigEntry element_of(const toml::node& node) {
    ConfigEntry entry;
    entry.key_place = entry.value_place = place_of(node.source());
    entry.key_line = entry.value_line = excerpt(entry.value_place.line);
    set_value(entry, node);
    return entry;
  }

  [[nodiscard]] std::string excerpt(std::uint32_t line) {
    const std::string_view text = line_at(lines_, line);
    if (text.size() > excerpt_bytes_left_) return {};
    excerpt_bytes_left_ -= text.size();
    return std::string(text);
  }

  static void set_value(ConfigEntry& entry, const toml::node& node) {
    using Kind = ConfigEntry::Kind;
    std::tie(entry.kind, entry.kind_name) = std::pair{Kind::other, "a date or time"};
    if (const auto* whole = node.as_integer()) {
      std::tie(entry.kind, entry.kind_name) = std::pair{Kind::whole_number, "a whole number"};
      entry.value = whole->get();
    } else if (const auto* real = node.as_floating_point()) {
      std::tie(entry.kind, entry.kind_name) = std::pair{Kind::real_number, "a number with a decimal point"};
      entry.value = real->get();
    } else if (const auto* truth = node.as_boolean()) {
      std::tie(entry.kind, entry.kind_name) = std::pair{Kind::truth, truth->get() ? "true" : "false"};
      entry.value = truth->get();
    } else if (const auto* text = node.as_string()) {
      std::tie(entry.kind, entry.kind_name) = std::pair{Kind::text, "a string"};
      entry.value = text->get();
    } else if (node.is_table()) {
      std::tie(entry.kind, entry.kind_name) = std::pair{Kind::table, "a table"};
    } else if (const toml::array* array = node.as_array()) {
      entry.kind_name = "an array";
      if (!array->empty() && array->is_homogeneous(toml::node_type::string)) set_list(entry, *array);
    }
  }

  static void set_list(ConfigEntry& entry, const toml::array& array) {
    std::vector<std::string> texts;
    for (const toml::node& element : array) texts.push_back(element.as_string()->get());
    entry.kind = ConfigEntry::Kind::list;
    entry.value = std::move(texts);
  }

  [[nodiscard]] SourceLocation place_of(const toml::source_region& region) const {
    SourceLocation where{place_, region.begin.line, region.begin.column, 1};
    const bool on_one_line = region.end.line == region.begin.line;
    if (on_one_line && region.end.column > region.begin.column) where.length = region.end.column - region.begin.column;
    return where;
  }

  const std::string& place_;
  const std::vector<std::string>& lines_;
  std::vector<ConfigEntry> entries_;
  std::size_t excerpt_bytes_left_ = most_excerpt_bytes;
};

std::string join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

Diagnostic syntax_problem(const std::string& place, const std::vector<std::string>& lines,
                          const toml::parse_error& error) {
  Diagnostic problem;
  problem.excerpt = line_at(lines, error.source().begin.line);
  const std::string_view from_error = from_column(problem.excerpt, error.source().begin.column);
  const std::string_view before =
      std::string_view(problem.excerpt).substr(0, problem.excerpt.size() - from_error.size());
  const std::string_view number = number_at_end(before);
  if (std::optional<std::string> sentence = number_out_of_range(number)) {
    const auto length = static_cast<std::uint32_t>(number.size());
    problem.code = "CFG-RANGE";
    problem.message = std::move(*sentence);
    problem.where = {place, error.source().begin.line, error.source().begin.column - length, length};
    return problem;
  }
  problem.code = "CFG-SYNTAX";
  std::string_view message = error.description();
  constexpr std::string_view lead_in = "Error while parsing ";
  if (message.substr(0, lead_in.size()) == lead_in) message.remove_prefix(lead_in.size());
  problem.message = "not valid TOML: " + std::string(message);
  problem.where = {place, error.source().begin.line, error.source().begin.column, 1};
  return problem;
}

/// Adds the problem of a text that nests too deep to be parsed.
bool reported_as_too_deep(const std::string& place, const std::vector<std::string>& lines, const std::string& text,
                          Diagnostics& problems) {
  const std::optional<SourceLocation> where = too_deep_toml(text, place);
  if (!where) return false;
  Diagnostic problem;
  problem.code = "CFG-SYNTAX";
  problem.message = deep_toml_message();
  problem.where = *where;
  problem.excerpt = line_at(lines, where->line);
  problems.add(std::move(problem));
  return true;
}

std::optional<std::string> blank_out(std::vector<std::string>& lines, std::uint32_t line) {
  if (line < 1 || line > lines.size() || lines[line - 1].empty()) return std::nullopt;
  return std::exchange(lines[line - 1], std::string{});
}

Diagnostic override_problem(const std::string& text, const std::string& message) {
  Diagnostic problem;
  problem.code = "CFG-SYNTAX";
  problem.message = message;
  problem.excerpt = std::string(set_option) + text;
  problem.where = {"command line", 0, static_cast<std::uint32_t>(set_option.size() + 1),
                   static_cast<std::uint32_t>(std::max<std::size_t>(text.size(), 1))};
  problem.help = "write --set KEY=VALUE, for example --set sm.shared.banks=32";
  return problem;
}

/// Reads "v = TEXT" and returns the value, or nothing when TEXT is not one TOML value.
std::optional<ConfigEntry> parse_value(const std::string& text) {
  try {
    const toml::table table = toml::parse(std::string_view{"v = " + text});
    const std::vector<std::string> no_lines;
    std::vector<ConfigEntry> entries = Flattener("", no_lines).flatten(table);
    if (entries.size() == 1) return entries.front();
  } catch (const toml::parse_error&) {
  }
  return std::nullopt;
}

}  // namespace

ConfigDocument parse_config(const std::string& place, const std::string& text, Diagnostics& problems) {
  ConfigDocument document;
  const std::vector<std::string> lines = split_lines(text);
  std::vector<std::string> remaining = lines;
  std::string present = text;
  for (std::size_t found = 0; found < syntax_errors_at_most; ++found) {
    if (reported_as_too_deep(place, lines, present, problems)) return {{}, false};
    try {
      const toml::table table = toml::parse(std::string_view{present}, std::string_view{place});
      document.entries = Flattener(place, lines).flatten(table);
      return document;
    } catch (const toml::parse_error& error) {
      document.complete = false;
      problems.add(syntax_problem(place, lines, error));
      const std::optional<std::string> skipped = blank_out(remaining, error.source().begin.line);
      // Without its header a table's keys would be looked up in the wrong place: more noise than help.
      if (!skipped || trim(*skipped).substr(0, 1) == "[") return document;
      present = join(remaining);
    }
  }
  return document;
}

ConfigDocument parse_override(const std::string& text, Diagnostics& problems) {
  const std::size_t equals = text.find('=');
  const std::string key{trim(std::string_view{text}.substr(0, equals))};
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20U && c != '\t'; };
  if (equals == std::string::npos || key.empty() || std::any_of(text.begin(), text.end(), is_control)) {
    problems.add(override_problem(text, "an override needs a key, '=' and a value"));
    return {{}, false};
  }
  if (first_not_utf8(text) != std::string::npos || too_deep_toml(text, "")) {
    const bool deep = first_not_utf8(text) == std::string::npos;
    problems.add(override_problem(text, deep ? deep_toml_message() : "an override is UTF-8 text, this is not"));
    return {{}, false};
  }
  const std::string value{trim(std::string_view{text}.substr(equals + 1))};
  if (value.empty()) {
    problems.add(override_problem(text, "the override of '" + key + "' has no value"));
    return {{}, false};
  }
  ConfigEntry entry = parse_value(value).value_or(ConfigEntry{});
  using Kind = ConfigEntry::Kind;
  if (entry.kind == Kind::other && entry.kind_name[0] == '\0') {
    const bool huge = number_out_of_range(value).has_value();
    entry.kind = huge ? Kind::huge_number : Kind::text;
    entry.kind_name = huge ? "a number" : "text";
    entry.value = value;
  }
  const bool scalar = entry.kind == Kind::whole_number || entry.kind == Kind::real_number ||
                      entry.kind == Kind::huge_number || entry.kind == Kind::truth;
  if (scalar) entry.spelling = value;
  entry.key = key;
  entry.key_line = entry.value_line = std::string(set_option) + text;
  const auto column_of = [&entry](std::size_t offset) {
    return column_of_offset(entry.key_line, set_option.size() + offset);
  };
  entry.key_place = {"command line", 0, column_of(text.find(key)), static_cast<std::uint32_t>(key.size())};
  entry.value_place = {"command line", 0, column_of(text.find(value, equals + 1)),
                       static_cast<std::uint32_t>(value.size())};
  return {{std::move(entry)}, true};
}

}  // namespace teslasim

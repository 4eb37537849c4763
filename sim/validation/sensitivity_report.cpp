// SPDX-License-Identifier: Apache-2.0
// What a study of sensitivity found: for the terminal, for programs, and as a page.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/json_text.h"
#include "sim/report/text/format.h"
#include "sim/validation/sensitivity.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

enum class MoveKind : std::uint8_t { tenth, word };

MoveKind kind_of(const KeyMove& move) {
  return move.steps == 0 ? MoveKind::word : MoveKind::tenth;
}

std::string move_heading(const KeyMove& move) {
  return fmt::format("{} {} {}", padded(move.key.name(), 44), padded(name_of(move.key.ground), 10),
                     padded(move.key.value + " -> " + move.value, 22));
}

std::string family_line(const std::string& heading, const std::string& family, const FamilyMove& move) {
  const std::string lost = move.lost == 0 ? "" : fmt::format("  {} rows without a value", move.lost);
  return fmt::format("{} {} {:>8} {:>9.2f} {:>+9.2f} {:>+9.2f}{}\n", heading, padded(family, 10),
                     fmt::format("{}/{}", move.moved, move.rows), move.error_before, move.error_change(),
                     move.mean_change, lost);
}

std::string move_lines(const KeyMove& move, const std::vector<std::string>& families) {
  const std::string heading = move_heading(move);
  if (!move.refused.empty()) return heading + " refused: " + move.refused + "\n";
  if (move.families.empty()) return heading + "\n";
  if (!move.moves_any()) return heading + " moves nothing\n";
  std::string text;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const FamilyMove& family = move.families[i];
    if (family.moved + family.lost != 0) text += family_line(heading, families[i], family);
  }
  return text;
}

/// The moves by a tenth, or those to another word.
std::string section_of(const SensitivityResult& result, MoveKind kind) {
  std::string text;
  for (const KeyMove& move : result.moves) {
    if (kind_of(move) == kind) text += move_lines(move, result.families);
  }
  return text;
}

std::string heading_line() {
  return fmt::format("{} {} {} {} {:>8} {:>9} {:>9} {:>9}\n", padded("key (file)", 44), padded("source", 10),
                     padded("value", 22), padded("family", 10), "moved", "error %", "change pp", "values %");
}

Json family_json(const std::string& name, const FamilyMove& move) {
  return {{"experiment", name},
          {"rows", move.rows},
          {"rows_moved", move.moved},
          {"rows_lost", move.lost},
          {"mean_abs_error_pct", move.error_before},
          {"mean_abs_error_changed_pct", move.error_after},
          {"error_change_points", move.error_change()},
          {"mean_change_pct", move.mean_change},
          {"largest_change_pct", move.largest_change}};
}

Json key_json(const StudiedKey& key) {
  return {{"key", key.key},
          {"file", key.file},
          {"source", name_of(key.ground)},
          {"value", key.value},
          {"machines", key.machines}};
}

Json move_json(const KeyMove& move, const std::vector<std::string>& families) {
  Json json = key_json(move.key);
  json["changed"] = move.value;
  json["steps"] = move.steps;
  if (!move.refused.empty()) json["refused"] = move.refused;
  json["families"] = Json::array();
  for (std::size_t i = 0; i < move.families.size(); ++i)
    json["families"].push_back(family_json(families[i], move.families[i]));
  return json;
}

/// Families that some move of the kind reaches: the columns of the page.
std::vector<std::size_t> moved_families(const SensitivityResult& result) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < result.families.size(); ++i) {
    bool moved = false;
    for (const KeyMove& move : result.moves)
      moved = moved || (!move.families.empty() && move.families[i].moved + move.families[i].lost != 0);
    if (moved) columns.push_back(i);
  }
  return columns;
}

std::string family_cell(const FamilyMove& move) {
  if (move.moved + move.lost == 0) return " |";
  const std::string lost = move.lost == 0 ? "" : fmt::format(", {} lost", move.lost);
  return fmt::format(" {:+.2f} ({:+.2f} %{}) |", move.error_change(), move.mean_change, lost);
}

std::string page_table(const SensitivityResult& result, const std::vector<std::size_t>& columns, MoveKind kind) {
  std::string text = "| key | file | source | value |", rule = "|---|---|---|---|";
  for (const std::size_t i : columns) {
    text += " " + result.families[i] + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const KeyMove& move : result.moves) {
    if (kind_of(move) != kind || !move.moves_any()) continue;
    text += fmt::format("| `{}` | {} | {} | {} → {} |", move.key.key, move.key.file, name_of(move.key.ground),
                        move.key.value, move.value);
    for (const std::size_t i : columns) text += family_cell(move.families[i]);
    text += "\n";
  }
  return text;
}

/// Keys that moved nothing at any value, values that no machine takes, and keys that were not moved.
std::string page_lists(const SensitivityResult& result) {
  std::string text = "## Moved nothing\n\nThe published rows cannot tell these values: ";
  std::string names, refused;
  for (std::size_t i = 0; i < result.moves.size();) {
    const StudiedKey& key = result.moves[i].key;
    bool still = true;
    for (; i < result.moves.size() && result.moves[i].key == key; ++i) {
      const KeyMove& move = result.moves[i];
      if (!move.refused.empty())
        refused += fmt::format("- `{}` ({}) = {}: {}\n", key.key, key.file, move.value, move.refused);
      still = still && move.refused.empty() && !move.moves_any();
    }
    if (still) names += fmt::format("{}`{}` ({})", names.empty() ? "" : ", ", key.key, key.file);
  }
  text += (names.empty() ? "none" : names) + ".\n\n## Not tried\n\n";
  for (const StudiedKey& key : result.skipped)
    refused += fmt::format("- `{}` ({}): {}\n", key.key, key.file, key.skipped);
  return text + (refused.empty() ? "Nothing.\n" : refused);
}

}  // namespace

std::string sensitivity_text(const SensitivityResult& result) {
  std::string text = heading_line() + section_of(result, MoveKind::tenth);
  if (const std::string words = section_of(result, MoveKind::word); !words.empty())
    text += "\nOTHER WORDS (not a tenth: each other value of the key)\n" + words;
  for (const StudiedKey& key : result.skipped) text += fmt::format("SKIPPED     {}: {}\n", key.name(), key.skipped);
  return text + fmt::format("\nRUNS        {} measurements: {} rows as shipped and with {} changed values\n",
                            result.runs, result.rows, result.moves.size());
}

std::string sensitivity_json(const SensitivityResult& result) {
  Json json;
  json["schema"] = "teslasim.sensitivity/1";
  json["rows"] = result.rows;
  json["runs"] = result.runs;
  json["moves"] = Json::array();
  for (const KeyMove& move : result.moves) json["moves"].push_back(move_json(move, result.families));
  json["skipped"] = Json::array();
  for (const StudiedKey& key : result.skipped) {
    json["skipped"].push_back(key_json(key));
    json["skipped"].back()["why"] = key.skipped;
  }
  return json_text(json, 2) + "\n";
}

std::string sensitivity_markdown(const SensitivityResult& result, const std::string& scope) {
  const std::vector<std::size_t> columns = moved_families(result);
  std::string text =
      "# What moves when an unsourced value moves by a tenth\n\n"
      "Each key whose source is *calibrated* or *assumed*, 10 % up and down (whole numbers at least 1, powers of two "
      "by a "
      "factor of two), one\nat a time. A cell has the change of the mean absolute error of the family in percentage "
      "points, and in brackets the mean change of its\nsimulated values; an empty cell: no value moved. A file of "
      "configs/ matters for its machines only, the other rows of a family\nstand as they are. All rows with a "
      "published "
      "number take part, recollected ones too.\n\n";
  if (!scope.empty()) text += "Of the rows and keys of `" + scope + "` only.\n\n";
  text += fmt::format("{} measurements: {} rows as shipped and with {} changed values.\n\n", result.runs, result.rows,
                      result.moves.size());
  text += page_table(result, columns, MoveKind::tenth);
  text += "\n## Other words\n\nThese keys have no tenth: each other value.\n\n" +
          page_table(result, columns, MoveKind::word);
  return text + "\n" + page_lists(result);
}

}  // namespace teslasim

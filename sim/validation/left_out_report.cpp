// SPDX-License-Identifier: Apache-2.0
// What leaving families out found: for the terminal, for programs, and as a page.
#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/text/format.h"
#include "sim/validation/left_out.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double bound = 1.5;  // of the error left out over the error when used

/// Left out over used; nothing when there was no error to multiply.
std::optional<double> ratio_of(const LeftOutFamily& family) {
  if (family.used > 0.0) return family.left_out / family.used;
  return family.left_out > 0.0 ? std::nullopt : std::optional(1.0);
}

bool is_beyond(const LeftOutFamily& family) {
  const std::optional<double> ratio = ratio_of(family);
  return !ratio || *ratio > bound;
}

std::string ratio_text(const LeftOutFamily& family) {
  const std::optional<double> ratio = ratio_of(family);
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string joined_names(const std::vector<std::string>& names, std::string_view separator) {
  return fmt::format("{}", fmt::join(names, separator));
}

std::string change_text(const LeftOutKey& key) {
  return fmt::format("{}: {} instead of {}", key.name, key.left_out, key.used);
}

std::size_t beyond_bound(const LeftOutResult& result) {
  std::size_t beyond = 0;
  for (const LeftOutFamily& family : result.families) {
    if (is_beyond(family)) ++beyond;
  }
  return beyond;
}

std::string family_lines(const LeftOutFamily& family) {
  std::string text = fmt::format("{} {:>5} {:>9.2f} {:>9.2f} {:>9.2f} {:>7}{}\n", padded(family.name, 11), family.rows,
                                 family.shipped, family.used, family.left_out, ratio_text(family),
                                 is_beyond(family) ? "  beyond " + fmt::format("{:.1f}", bound) : "");
  for (const LeftOutKey& key : family.changed) text += "        " + change_text(key) + "\n";
  for (const std::string& name : family.told_by_it_alone)
    text += "        " + name + ": no other family tells it, it stays as shipped\n";
  return text;
}

enum class KeysShown : std::uint8_t { planned, chosen };

std::string key_line(const ChosenKey& key, KeysShown shown) {
  const StudiedKey& studied = key.candidates.key;
  const bool untold = shown == KeysShown::chosen && !key.told();
  return fmt::format("{} {} {}{}\n", padded(studied.name(), 44),
                     padded(shown == KeysShown::chosen ? key.used : "-", 10), joined_names(key.candidates.values, ", "),
                     untold ? "  (no row tells them apart)" : "");
}

Json family_json(const LeftOutFamily& family) {
  const std::optional<double> ratio = ratio_of(family);
  Json json{{"experiment", family.name},
            {"rows", family.rows},
            {"shipped_error_pct", family.shipped},
            {"used_error_pct", family.used},
            {"left_out_error_pct", family.left_out},
            {"ratio", ratio ? Json(*ratio) : Json(nullptr)}};
  json["changed"] = Json::array();
  for (const LeftOutKey& key : family.changed)
    json["changed"].push_back({{"key", key.name}, {"used", key.used}, {"left_out", key.left_out}});
  json["told_by_it_alone"] = family.told_by_it_alone;
  return json;
}

std::string family_row(const LeftOutFamily& family) {
  std::vector<std::string> changes;
  for (const LeftOutKey& key : family.changed) changes.push_back(change_text(key));
  const std::string ratio = ratio_text(family);
  return fmt::format("| {} | {} | {:.2f} % | {:.2f} % | {:.2f} % | {} | {} | {} |\n", family.name, family.rows,
                     family.shipped, family.used, family.left_out, is_beyond(family) ? "**" + ratio + "**" : ratio,
                     joined_names(changes, "; "), joined_names(family.told_by_it_alone, ", "));
}

/// One family alone says so, because then leaving it out says nothing about the value.
std::string told_by_text(const ChosenKey& key) {
  if (!key.told()) return "none";
  return joined_names(key.told_by, ", ") + (key.told_by.size() == 1 ? " alone" : "");
}

std::string key_row(const ChosenKey& key) {
  const StudiedKey& studied = key.candidates.key;
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", studied.key, studied.file,
                     joined_names(key.candidates.values, ", "), key.used, told_by_text(key));
}

std::string runs_line(const LeftOutResult& result) {
  return fmt::format("{} measurements of {} rows, {} calibrated values", result.runs, result.rows, result.keys.size());
}

}  // namespace

std::string left_out_text(const LeftOutResult& result) {
  std::string text =
      fmt::format("{} {} values tried (the first: shipped)\n", padded("key (file)", 44), padded("used", 10));
  const KeysShown shown = result.families.empty() ? KeysShown::planned : KeysShown::chosen;
  for (const ChosenKey& key : result.keys) text += key_line(key, shown);
  for (const StudiedKey& key : result.skipped) text += fmt::format("SKIPPED     {}: {}\n", key.name(), key.skipped);
  if (!result.families.empty()) {
    text += fmt::format("\n{} {:>5} {:>9} {:>9} {:>9} {:>7}\n", padded("family", 11), "rows", "shipped %", "used %",
                        "left out %", "ratio");
    for (const LeftOutFamily& family : result.families) text += family_lines(family);
    text += fmt::format("\nRESULT      {} of {} families have a ratio above {:.1f}\n", beyond_bound(result),
                        result.families.size(), bound);
  }
  return text + "RUNS        " + runs_line(result) + "\n";
}

std::string left_out_json(const LeftOutResult& result) {
  Json json;
  json["schema"] = "teslasim.left_out/1";
  json["rows"] = result.rows;
  json["runs"] = result.runs;
  json["keys"] = Json::array();
  for (const ChosenKey& key : result.keys) {
    const StudiedKey& studied = key.candidates.key;
    json["keys"].push_back({{"key", studied.key},
                            {"file", studied.file},
                            {"machines", studied.machines},
                            {"values", key.candidates.values},
                            {"used", key.used},
                            {"told", key.told()},
                            {"told_by", key.told_by}});
  }
  json["families"] = Json::array();
  for (const LeftOutFamily& family : result.families) json["families"].push_back(family_json(family));
  json["beyond_bound"] = beyond_bound(result);
  return json_text(json, 2) + "\n";
}

std::string left_out_markdown(const LeftOutResult& result, const std::string& scope) {
  std::string text =
      "# Each family with itself left out of the calibration\n\n"
      "A family is an experiment; of whole kernels (E30) it is what one author published. Each calibrated value is "
      "chosen anew from a few\naround the shipped one, one key at a time: the value with the least mean error "
      "over all rows (*used*), or over all rows but\nthose of the family (*left out*). A row's error counts in its "
      "tolerances (at least 1 %) and at most two: what is further off, no\nvalue mends. All choices are then set at "
      "once and the family is measured, in percent. *Shipped*: the machines as they are.\nThe ratio is left out over "
      "used; above 1.5 it is bold. All rows with a published number take part, recollected ones too. What two keys\ndo "
      "together is not "
      "looked for, so *used* can be worse than *shipped*.\n\n"
      "*Told by it alone*: values on which no other family has a say. Left out, they stay as shipped, and the ratio "
      "says nothing about\nthem.\n\n";
  if (!scope.empty()) text += "Of the rows and keys of `" + scope + "` only.\n\n";
  text += runs_line(result) + fmt::format("; {} of {} families have a ratio above {:.1f}.\n\n", beyond_bound(result),
                                          result.families.size(), bound);
  text +=
      "| family | rows | shipped | used | left out | ratio | values without it | told by it alone |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const LeftOutFamily& family : result.families) text += family_row(family);
  text += "\n## Keys\n\n| key | file | values (the first: shipped) | used | told by |\n|---|---|---|---|---|\n";
  for (const ChosenKey& key : result.keys) text += key_row(key);
  return text;
}

}  // namespace teslasim

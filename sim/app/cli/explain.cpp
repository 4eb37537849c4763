// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "isa/modifier_reference.h"
#include "isa/opcode.h"
#include "sim/app/cli/command_line.h"
#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"
#include "sim/base/slot_reason.h"
#include "sim/cudart/board_loader.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/model.h"
#include "sim/report/result/result.h"
#include "sim/report/result/statistic_names.h"
#include "sim/report/result/statistic_table.h"
#include "sim/report/text/format.h"
#include "sim/validation/published.h"
#include "sim/validation/validation_document.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> embedded_explanations;  // embedded by the root CMakeLists.txt

namespace {

constexpr std::string_view heading_mark = "\n## ";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

void add_pages(std::string_view text, std::vector<ExplainPage>& pages) {
  for (std::size_t at = text.find(heading_mark); at != std::string_view::npos;) {
    const std::size_t name = at + heading_mark.size();
    const std::size_t line_end = std::min(text.find('\n', name), text.size());
    at = text.find(heading_mark, line_end);
    pages.push_back({trimmed(text.substr(name, line_end - name)),
                     trimmed(text.substr(line_end, at == std::string_view::npos ? at : at - line_end))});
  }
}

/// In the order of UnitClass.
constexpr std::array<std::string_view, 5> unit_titles{"MAD unit", "special-function unit", "double-precision unit",
                                                      "memory path of the TPC", "control, at issue"};
static_assert(static_cast<std::size_t>(UnitClass::control) + 1 == unit_titles.size());
/// In the order of ReasonGroup.
constexpr std::array<std::string_view, 8> group_titles{"useful",          "replay",    "dependency", "memory",
                                                       "synchronisation", "unit busy", "front end",  "nothing to run"};
static_assert(static_cast<std::size_t>(ReasonGroup::empty) + 1 == group_titles.size());

std::string explain_opcodes(const std::string& word) {
  std::string text;
  for (unsigned i = 0; i < opcode_count; ++i) {
    const OpcodeInfo& row = info(static_cast<Opcode>(i));
    if (row.name != word && row.mnemonic != word) continue;
    text += fmt::format("opcode {} ({}): {}\n    {}, class {}, from sm_{} on, up to {} source operands\n", row.mnemonic,
                        row.name, row.description, unit_titles[static_cast<std::size_t>(row.unit)],
                        issue_class_names[static_cast<unsigned>(row.issue_class)], row.first_sm, row.sources);
    const ModifierWords words = modifier_words_of(static_cast<Opcode>(i));
    if (!words.modifiers.empty()) text += fmt::format("    modifiers: .{}\n", fmt::join(words.modifiers, " ."));
    if (!words.types.empty()) text += fmt::format("    types: .{}\n", fmt::join(words.types, " ."));
  }
  return text;
}

std::string explain_reasons(const std::string& word) {
  const std::string bare = word.starts_with("wait.") ? word.substr(5) : word;
  std::string text;
  for (const SlotReasonInfo& reason : slot_reasons) {
    if (reason.name != bare) continue;
    const bool slots = reason.views != ReasonViews::B, warps = reason.views != ReasonViews::A;
    text += fmt::format("reason {} ({}): {}\n", reason.name, group_titles[static_cast<std::size_t>(reason.group)],
                        reason.description);
    if (slots)
      text +=
          fmt::format("    issue slots: issue_slots.{}, charged to the warp whose issue ended the wait\n", reason.name);
    if (warps) {
      text += fmt::format("    warp cycles: warp_cycles.{}{}\n", reason.views == ReasonViews::AB ? "wait." : "",
                          reason.name);
    }
  }
  return text;
}

/// Whether the last part of a name can be `word`: "noc_req" of "latency.stages_ns.*". Reasons have explanations of
/// their own.
bool is_element(const std::string& word, const StatisticInfo& row) {
  const auto same = [&word](const SlotReasonInfo& reason) { return reason.name == word; };
  if (!row.path.ends_with(".*") || std::any_of(slot_reasons.begin(), slot_reasons.end(), same)) return false;
  const bool number = word.find_first_not_of("0123456789") == std::string::npos;
  return !number && statistic_meaning(row.path.substr(0, row.path.size() - 1) + word) == &row;
}

/// "shared.replays" is the row itself; "replays" is every row that ends so; "launches.0.issue_slots.fetch", as
/// conditions and stats.json have it, fits a pattern.
std::string explain_statistics(const std::string& word) {
  std::string text;
  const StatisticInfo* meant = statistic_meaning(word);
  for (const StatisticInfo& row : statistic_table()) {
    const std::string name(row.path);
    if (name != word && !name.ends_with("." + word) && &row != meant && !is_element(word, row)) continue;
    text += fmt::format("statistic {}{}: {}\n    scope: {}{}\n", row.path,
                        row.unit.empty() ? "" : fmt::format(" [{}]", row.unit), row.sentence, row.scope,
                        row.formula.empty() ? "" : fmt::format("; formula: {}", row.formula));
  }
  return text;
}

/// Of the machine that is simulated when none is named, and of its board.
std::vector<EffectiveValue> configuration_values() {
  std::vector<EffectiveValue> values = load_machine({}, {}).values;
  const std::vector<EffectiveValue> board = cudart::load_board(default_machine, {}).values;
  values.insert(values.end(), board.begin(), board.end());
  return values;
}

/// Both are read from files: once is enough.
const std::vector<EffectiveValue>& every_key() {
  static const std::vector<EffectiveValue> values = configuration_values();
  return values;
}
const std::vector<PresetInfo>& every_machine() {
  static const std::vector<PresetInfo> machines = preset_list();
  return machines;
}

std::string explain_keys(const std::string& word) {
  std::string text;
  for (const EffectiveValue& value : every_key()) {
    if (value.key != word && value.also != word && !value.key.ends_with("." + word)) continue;
    text += fmt::format("config key {}{}: {}\n    range: {}; {} has {} ({})\n", value.key,
                        value.unit.empty() ? "" : fmt::format(" [{}]", value.unit), value.description,
                        value.range.empty() ? "any text" : value.range, default_machine, value.value, value.origin);
    if (!value.source.empty()) text += "    source: " + value.source + "\n";
  }
  return text;
}

std::string keys_below(const std::string& group) {
  std::string text;
  for (const EffectiveValue& value : every_key()) {
    if (!value.key.starts_with(group + ".")) continue;
    text += fmt::format("config key {}{}: {}\n", value.key, value.unit.empty() ? "" : fmt::format(" [{}]", value.unit),
                        value.description);
  }
  return text;
}

std::string statistics_below(const std::string& group) {
  std::string text;
  for (const StatisticInfo& row : statistic_table()) {
    if (!row.path.starts_with(group + ".")) continue;
    text += fmt::format("statistic {}{}: {}\n", row.path, row.unit.empty() ? "" : fmt::format(" [{}]", row.unit),
                        row.sentence);
  }
  return text;
}

std::string explain_machines(const std::string& word) {
  for (const PresetInfo& preset : every_machine()) {
    if (preset.name != word) continue;
    return fmt::format(
        "machine {}: {} ({}), {} SM{} at {:.0f} MHz, {:.1f} GB/s, {:.1f} GFLOP/s (MAD)\n"
        "    every value with its source: teslasim configs show {} --explain\n",
        word, preset.title, preset.arch, preset.sms, preset.sms == 1 ? "" : "s", preset.shader_mhz,
        preset.peak_gbs_dram, preset.peak_gflops_mad, word);
  }
  return "";
}

std::string explain_models(const std::string& word) {
  const Model* model = find_model(word);
  return model == nullptr ? "" : describe(*model);
}

/// An experiment of `validate`, or a published figure.
std::string explain_experiment(const std::string& word) {
  const std::string_view title = experiment_title(word);
  std::size_t rows = 0, counted = 0;
  std::string figures;
  std::set<std::string> machines;
  for (const PublishedRow& row : published_rows()) {
    if (row.id == word)
      figures +=
          fmt::format("published {} ({}, {}): {} {}, {}{}\n    {}\n", row.id, row.experiment, row.machine, row.value,
                      row.unit, row.quantity, row.condition.empty() ? "" : ": " + row.condition, row.source);
    if (row.experiment != word) continue;
    ++rows;
    counted += row.counted() ? 1U : 0U;
    machines.insert(row.machine);
  }
  if (title.empty()) return figures;
  const std::string text = fmt::format("experiment {}: {}\n", word, title);
  if (rows == 0)
    return text + "    nothing was published to compare with; docs/validation plots what the machines do\n";
  return text + fmt::format(
                    "    {} published figure{} on {}, {} of which count\n"
                    "    teslasim validate --only {}: measures them; --list shows them; docs/validation has a page\n",
                    rows, rows == 1 ? "" : "s", fmt::join(machines, ", "), counted, word);
}

std::string explain_page(const std::string& word) {
  for (const ExplainPage& page : explain_pages()) {
    if (page.name == word) return fmt::format("{}\n{}\n", page.name, page.text);
  }
  return "";
}

std::string explain_exact(const std::string& word) {
  std::string text;
  for (const std::string& part :
       {explain_reasons(word), explain_page(word), explain_machines(word), explain_models(word),
        explain_experiment(word), explain_statistics(word), explain_keys(word), explain_opcodes(word)}) {
    if (!part.empty() && !text.empty()) text += '\n';
    text += part;
  }
  return text.empty() ? statistics_below(word) + keys_below(word) : text;
}

/// Machines and keys are written small, codes of errors large.
std::string explain_in_any_case(const std::string& word) {
  std::string small = word, large = word;
  std::transform(word.begin(), word.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::transform(word.begin(), word.end(), large.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string text = small == word ? "" : explain_exact(small);
  return text.empty() && large != word ? explain_exact(large) : text;
}

/// As kernels and profiles have it: "mad.rn.f32", "ld.global.u32", "join.label".
std::string explain_instruction(std::string word) {
  for (std::size_t dot = word.rfind('.'); dot != std::string::npos; dot = word.rfind('.')) {
    word.resize(dot);
    const std::string text = explain_opcodes(word);
    if (!text.empty()) return text;
  }
  return "";
}

/// A file where it lies: "runs/latest/pc.csv", "inputs/".
std::string explain_path(std::string word) {
  if (word.ends_with('/')) word.pop_back();
  const std::string name = word.substr(word.rfind('/') + 1);
  return explain_page(name);
}

}  // namespace

const std::vector<ExplainPage>& explain_pages() {
  static const std::vector<ExplainPage> pages = [] {
    std::vector<ExplainPage> all;
    for (const EmbeddedFile& file : embedded_explanations) add_pages(file.text, all);
    return all;
  }();
  return pages;
}

std::string explain_word(const std::string& word) {
  std::string text = explain_exact(word);
  if (text.empty()) text = explain_in_any_case(word);
  if (text.empty()) text = explain_path(word);
  if (text.empty()) text = explain_instruction(word);
  return text;
}

std::vector<std::string> explainable_words() {
  std::vector<std::string> words;
  for (const ExplainPage& page : explain_pages()) words.emplace_back(page.name);
  for (const PresetInfo& preset : every_machine()) words.push_back(preset.name);
  for (const Model& model : models()) words.emplace_back(model.name);
  for (const std::string_view experiment : experiments()) words.emplace_back(experiment);
  for (const SlotReasonInfo& reason : slot_reasons) words.emplace_back(reason.name);
  for (const StatisticInfo& row : statistic_table()) words.emplace_back(row.path);
  for (const EffectiveValue& value : every_key()) words.push_back(value.key);
  for (unsigned i = 0; i < opcode_count; ++i) {
    words.emplace_back(info(static_cast<Opcode>(i)).mnemonic);
    words.emplace_back(info(static_cast<Opcode>(i)).name);
  }
  return words;
}

std::string explain_configuration_key(const std::string& key) {
  std::string text = explain_keys(key);
  if (text.empty()) text = keys_below(key);
  if (!text.empty()) return text;
  std::vector<std::string> keys;
  for (const EffectiveValue& value : every_key()) keys.push_back(value.key);
  const std::string near = nearest_word(key, keys);
  usage_error("CLI-VALUE", "there is no configuration key '" + key + "'",
              near.empty() ? "teslasim configs reference lists the keys" : "did you mean '" + near + "'?");
}

}  // namespace teslasim

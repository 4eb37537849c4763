// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/report/result/statistic_names.h"
#include "sim/report/result/stats_json.h"

namespace teslasim {
namespace {

template <typename Number, typename Word>
void flatten(const StatisticTree& node, const std::string& path, Number number, Word word) {
  if (const auto value = node.number()) return number(path, *value);
  if (const auto* text = std::get_if<std::string>(&node.value())) return word(path, *text);
  for (std::size_t i = 0; i < node.size(); ++i) {
    const std::string name = node.kind() == StatisticTree::Kind::list ? std::to_string(i) : node.names()[i];
    flatten(node.children()[i], path.empty() ? name : path + '.' + name, number, word);
  }
}

template <typename Value>
const Value* look_up(const std::vector<std::pair<std::string, Value>>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [name](const auto& row) { return row.first == name; });
  return found == list.end() ? nullptr : &found->second;
}

bool is_ratio(std::string_view name) {
  for (const std::string_view end :
       {"_pct", "efficiency", "waves", "predicted_ms", "ctas_per_sm", "sample.work_ratio", ".warps", ".max"}) {
    if (name.ends_with(end)) return true;
  }
  return name == "index" || name == "merged.last" || name.starts_with("grid.") || name.starts_with("block.");
}

/// A value of the kind that a run writes.
template <typename Value>
Value held(const StatisticTree& node, const char* name, const std::string& label) {
  const Value* value = std::get_if<Value>(&node[name].value());
  if (value == nullptr)
    damaged_statistics(label, std::string("stats.json is not what a run writes: ") + name + " is of another kind");
  return *value;
}

/// A word that may be missing.
std::string word_in(const StatisticTree& node, const char* name, const std::string& label) {
  return node.has(name) ? held<std::string>(node, name, label) : "";
}

/// `outputs` of a launch, added to those of the launches before it.
void add_outputs(const StatisticTree& launch, const std::string& label, CheckedOutputs& outputs) {
  const StatisticTree& found = launch["outputs"];
  if (const auto* checked = std::get_if<std::uint64_t>(&found["checked"].value())) outputs.checked += *checked;
  for (const StatisticTree& buffer : found["buffers"].children()) {
    if (held<bool>(buffer, "ok", label)) continue;
    outputs.wrong.push_back(fmt::format("{} ({} of {} elements)", held<std::string>(buffer, "name", label),
                                        held<std::uint64_t>(buffer, "wrong", label),
                                        held<std::uint64_t>(buffer, "compared", label)));
  }
}

void add_blocks(const StatisticTree& launch, SampledBlocks& blocks) {
  const StatisticTree& sample = launch["sample"];
  const bool sampled = sample.kind() == StatisticTree::Kind::object;
  const auto timed = static_cast<std::uint64_t>(launch["ctas.done"].number_or(0));
  blocks.any = blocks.any || sampled;
  blocks.timed += timed;
  blocks.all += timed + static_cast<std::uint64_t>(sample["function_blocks"].number_or(0));
  blocks.ms += sampled ? sample["ms"].number_or(0) : launch["time.ms"].number_or(0);
  blocks.ms_bound += sample["ms_bound"].number_or(0);
  blocks.cycles += sampled ? sample["cycles"].number_or(0) : launch["time.cycles"].number_or(0);
}

/// A count, or nothing with a reason; "clock" names the unit.
void check_count(const std::string& part, const std::string& name, const StatisticTree& count,
                 const std::string& label) {
  const bool word = std::holds_alternative<std::string>(count.value());
  const bool truth = std::holds_alternative<bool>(count.value());
  const bool fits = word == (name == "why" || name == "clock") && !truth && count.number_or(0) >= 0;
  if (count.kind() != StatisticTree::Kind::value || !fits)
    damaged_statistics(label, fmt::format("stats.json is not what a run writes: {}.{} is no count", part, name));
}

/// What every launch has, in the kind that a run writes.
void check_launch(const StatisticTree& launch, const std::string& label) {
  if (launch.kind() != StatisticTree::Kind::object) damaged_statistics(label, "a launch is not an object");
  (void)held<std::string>(launch, "kernel", label);
  for (const char* part : {"time", "issue_slots", "warp_cycles"}) {
    if (!launch.has(part)) damaged_statistics(label, std::string("a launch has no ") + part);
    const StatisticTree& counts = launch[part];
    if (counts.kind() != StatisticTree::Kind::object)
      damaged_statistics(label, std::string("stats.json is not what a run writes: ") + part + " is not an object");
    for (std::size_t i = 0; i < counts.size(); ++i) check_count(part, counts.names()[i], counts.children()[i], label);
  }
}

}  // namespace

struct RunData::Reader {
  static RunData read(const StatisticTree& document, std::string label) {
    RunData data;
    data.label_ = std::move(label);
    if (document["launches"].kind() != StatisticTree::Kind::list)
      damaged_statistics(data.label_, "stats.json is not complete");
    data.status_ = word_in(document, "status", data.label_);
    data.digest_ = word_in(document, "digest", data.label_);
    data.machine_ = word_in(document["machine"], "name", data.label_);
    for (const StatisticTree& launch : document["launches"].children()) {
      check_launch(launch, data.label_);
      data.kernels_.push_back(word_in(launch, "kernel", data.label_));
      data.sampled_ = data.sampled_ || launch["sampled"].text() == "true";
      add_outputs(launch, data.label_, data.outputs_);
      add_blocks(launch, data.blocks_);
    }
    const std::string single = "launches.0.";
    const bool one = data.kernels_.size() == 1;
    const auto name_of = [&](const std::string& path) {
      return one && path.starts_with(single) ? path.substr(single.size()) : path;
    };
    flatten(
        document, "", [&](const std::string& path, double value) { data.numbers_.emplace_back(name_of(path), value); },
        [&](const std::string& path, const std::string& value) { data.words_.emplace_back(name_of(path), value); });
    if (!one) data.add_sums();
    return data;
  }
};

RunData RunData::from_tree(const std::string& label, const StatisticTree& statistics) {
  return Reader::read(statistics, label);
}

RunData RunData::from_json(const std::string& label, const std::string& text) {
  return from_tree(label, read_statistics(label, text));
}

std::string RunData::flaw() const {
  if (status_ != "ok") return "did not finish (" + (status_.empty() ? "no status" : status_) + ")";
  return outputs_.wrong.empty() ? "" : fmt::format("has wrong outputs: {}", fmt::join(outputs_.wrong, ", "));
}

/// Counts of several launches are also there as sums.
void RunData::add_sums() {
  std::vector<std::pair<std::string, double>> sums;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& [path, value] : numbers_) {
    if (!path.starts_with("launches.")) continue;
    const std::string name = path.substr(path.find('.', 9) + 1);
    if (is_ratio(name)) continue;
    const auto [place, fresh] = places.emplace(name, sums.size());
    if (fresh) sums.emplace_back(name, 0.0);
    sums[place->second].second += value;
  }
  numbers_.insert(numbers_.begin(), sums.begin(), sums.end());
}

std::optional<double> RunData::find(std::string_view name) const {
  if (name == "time_ms") return blocks_.any ? blocks_.ms : find("time.ms");
  if (name == "cycles") return blocks_.any ? blocks_.cycles : find("time.cycles");
  if (const std::string_view reason = reason_in_name(name); !reason.empty()) return share_of(reason);
  const double* value = look_up(numbers_, name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<double> RunData::share_of(std::string_view reason) const {
  const double* part = look_up(numbers_, "issue_slots." + std::string(reason));
  const double* total = look_up(numbers_, "issue_slots.total");
  if (part == nullptr || total == nullptr || *total <= 0.0) return std::nullopt;
  return 100.0 * *part / *total;
}

std::string RunData::word(std::string_view name) const {
  const std::string* value = look_up(words_, name);
  return value == nullptr ? "" : *value;
}

}  // namespace teslasim

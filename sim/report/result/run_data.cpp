// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/report/result/statistic_names.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void damaged(const std::string& label, const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-DAMAGED";
  diagnostic.message = "the statistics of run '" + label + "' cannot be used: " + what;
  diagnostic.help = "give the directory of a finished run";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

template <typename Number, typename Word>
void flatten(const Json& node, const std::string& path, Number number, Word word) {
  if (node.is_number()) return number(path, node.get<double>());
  if (node.is_string()) return word(path, node.get<std::string>());
  if (!node.is_structured()) return;
  std::size_t index = 0;
  for (const auto& [key, child] : node.items()) {
    const std::string name = node.is_array() ? std::to_string(index++) : key;
    flatten(child, path.empty() ? name : path + '.' + name, number, word);
  }
}

template <typename Value>
const Value* look_up(const std::vector<std::pair<std::string, Value>>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [name](const auto& row) { return row.first == name; });
  return found == list.end() ? nullptr : &found->second;
}

bool is_ratio(std::string_view name) {
  for (const std::string_view end : {"_pct", "efficiency", "waves", "predicted_ms", "ctas_per_sm", ".warps", ".max"}) {
    if (name.ends_with(end)) return true;
  }
  return name == "index" || name == "merged.last" || name.starts_with("grid.") || name.starts_with("block.");
}

/// `outputs` of a launch, added to those of the launches before it.
void add_outputs(const Json& launch, CheckedOutputs& outputs) {
  const Json found = launch.value("outputs", Json::object());
  if (found.value("checked", Json()).is_number()) outputs.checked += found.at("checked").get<std::uint64_t>();
  for (const Json& buffer : found.value("buffers", Json::array())) {
    if (buffer.at("ok").get<bool>()) continue;
    outputs.wrong.push_back(fmt::format("{} ({} of {} elements)", buffer.at("name").get<std::string>(),
                                        buffer.at("wrong").get<std::uint64_t>(),
                                        buffer.at("compared").get<std::uint64_t>()));
  }
}

}  // namespace

struct RunData::Reader {
  static RunData read(const Json& document, std::string label) {
    RunData data;
    data.label_ = std::move(label);
    if (!document.is_object() || !document.contains("launches")) damaged(data.label_, "stats.json is not complete");
    data.status_ = document.value("status", "");
    data.digest_ = document.value("digest", "");
    data.machine_ = document.value("/machine/name"_json_pointer, std::string());
    for (const Json& launch : document["launches"]) {
      data.kernels_.push_back(launch.value("kernel", ""));
      data.sampled_ = data.sampled_ || launch.value("sampled", false);
      add_outputs(launch, data.outputs_);
    }
    const std::string single = "launches.0.";
    const bool one = data.kernels_.size() == 1;
    const auto name_of = [&](const std::string& path) {
      return one && path.starts_with(single) ? path.substr(single.size()) : path;
    };
    flatten(
        document, "", [&](const std::string& path, double value) { data.numbers_.emplace_back(name_of(path), value); },
        [&](const std::string& path, std::string value) { data.words_.emplace_back(name_of(path), std::move(value)); });
    if (!one) data.add_sums();
    return data;
  }
};

RunData RunData::from_json(const std::string& label, const std::string& text) {
  try {
    return Reader::read(Json::parse(shallow_json(text), nullptr, false), label);
  } catch (const nlohmann::json::exception& error) {
    damaged(label, std::string("stats.json is not what a run writes: ") + error.what());
  }
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
  if (name == "time_ms") return find("time.ms");
  if (name == "cycles") return find("time.cycles");
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

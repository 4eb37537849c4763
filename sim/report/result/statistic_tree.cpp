// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/statistic_tree.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/report/result/statistic.h"
#include "sim/report/result/stats_json.h"

namespace teslasim {
namespace {

using Kind = StatisticTree::Kind;

/// The child of `parent` that one path segment names, created when missing.
StatisticTree& child(StatisticTree& parent, std::string_view segment) {
  if (segment.front() != '#') return parent.member(segment);
  return parent.element(static_cast<std::size_t>(std::stoul(std::string(segment.substr(1)))));
}

/// Notes in `object` why its member `name` is null. Several different reasons are joined with the names they are for.
void explain_null(StatisticTree& object, const std::string& name, const std::string& why) {
  StatisticTree& reasons = object.member("why");
  const std::string known = reasons.text();
  if (known.empty()) return reasons.set(why);
  if (known.find(why) == std::string::npos) reasons.set(known + "; " + name + ": " + why);
}

struct Assign {
  StatisticTree& parent;
  const std::string& name;
  void operator()(const NotApplicable& value) const {
    child(parent, name).set({});
    explain_null(parent, name, value.why);
  }
  void operator()(double value) const {
    SIM_CHECK(std::isfinite(value), "statistic " + name + " is not a finite number");
    child(parent, name).set(value);
  }
  void operator()(const std::string& value) const { child(parent, name).set(utf8_as_in_json(value)); }
  template <typename Value>
  void operator()(const Value& value) const {
    child(parent, name).set(value);
  }
};

void place(StatisticTree& document, const Statistic& statistic) {
  StatisticTree* node = &document;
  std::string_view rest = statistic.path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    node = &child(*node, rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
  }
  const std::string name(rest);
  std::visit(Assign{*node, name}, statistic.value);
}

}  // namespace

const StatisticTree* StatisticTree::find_member(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? nullptr : &children_[static_cast<std::size_t>(found - names_.begin())];
}

const StatisticTree* StatisticTree::find(std::string_view name) const {
  if (const StatisticTree* whole = find_member(name)) return whole;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    const StatisticTree* first = find_member(name.substr(0, dot));
    const StatisticTree* deeper = first == nullptr ? nullptr : first->find(name.substr(dot + 1));
    if (deeper != nullptr) return deeper;
  }
  return nullptr;
}

const StatisticTree& StatisticTree::operator[](std::string_view name) const {
  static const StatisticTree none;
  const StatisticTree* found = find(name);
  return found == nullptr ? none : *found;
}

const StatisticTree& StatisticTree::at(std::size_t index) const {
  static const StatisticTree none;
  return kind_ == Kind::list && index < children_.size() ? children_[index] : none;
}

std::optional<double> StatisticTree::number() const {
  if (const auto* whole = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  return std::nullopt;
}

std::string StatisticTree::text() const {
  if (const auto* word = std::get_if<std::string>(&value_)) return *word;
  if (const auto* truth = std::get_if<bool>(&value_)) return *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::uint64_t>(&value_)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value_)) return json_text(nlohmann::json(*real));
  return "";
}

void StatisticTree::set(Value value) {
  kind_ = Kind::value;
  value_ = std::move(value);
}

StatisticTree& StatisticTree::member(std::string_view name) {
  kind_ = Kind::object;
  // Statistics come in the order of the document: what is looked for is nearly always the last one.
  for (std::size_t i = names_.size(); i-- > 0;) {
    if (names_[i] == name) return children_[i];
  }
  names_.emplace_back(name);
  return children_.emplace_back();
}

StatisticTree& StatisticTree::element(std::size_t index) {
  kind_ = Kind::list;
  if (children_.size() <= index) children_.resize(index + 1);
  return children_[index];
}

StatisticTree statistic_tree(const Result& result) {
  StatisticTree document;
  document.become(Kind::object);
  for (const Statistic& statistic : statistics_of(result)) {
    place(document, statistic);
    // An empty run still has its list of launches, where readers expect it.
    if (statistic.path == "machine/shader_mhz") document.member("launches").become(Kind::list);
  }
  StatisticTree& launches = document.member("launches");
  for (std::size_t i = 0; i < launches.size(); ++i) {
    StatisticTree& launch = launches.element(i);
    if (!launch.has("per_sm")) launch.member("per_sm").become(Kind::list);
    if (!launch["dram"].has("partitions")) launch.member("dram").member("partitions").become(Kind::list);
  }
  return document;
}

}  // namespace teslasim

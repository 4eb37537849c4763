// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/stats_json.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/json_text.h"
#include "sim/base/utf8.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;
using Kind = StatisticTree::Kind;

StatisticTree tree_of(const Json& json) {
  StatisticTree tree;
  if (json.is_object()) {
    tree.become(Kind::object);
    for (const auto& [name, value] : json.items()) tree.member(name) = tree_of(value);
  } else if (json.is_array()) {
    tree.become(Kind::list);
    for (const Json& value : json) tree.element(tree.size()) = tree_of(value);
  } else if (json.is_string()) {
    tree.set(json.get<std::string>());
  } else if (json.is_boolean()) {
    tree.set(json.get<bool>());
  } else if (json.is_number_unsigned()) {
    tree.set(json.get<std::uint64_t>());
  } else if (json.is_number()) {
    tree.set(json.get<double>());
  }
  return tree;
}

Json json_of(const StatisticTree::Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

Json json_of(const StatisticTree& tree) {
  if (tree.kind() == Kind::value) return json_of(tree.value());
  Json json = tree.kind() == Kind::list ? Json::array() : Json::object();
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree.kind() == Kind::list) {
      json.push_back(json_of(tree.children()[i]));
    } else {
      json[tree.names()[i]] = json_of(tree.children()[i]);
    }
  }
  return json;
}

}  // namespace

std::string stats_json(const Result& result) {
  return json_text(json_of(statistic_tree(result)), 1) + "\n";
}

std::string utf8_as_in_json(const std::string& text) {
  if (first_not_utf8(text) == std::string_view::npos) return text;
  return Json::parse(json_text(Json(text))).get<std::string>();
}

StatisticTree read_statistics(const std::string& label, const std::string& text) {
  const Json document = Json::parse(shallow_json(text), nullptr, false);
  if (document.is_discarded()) damaged_statistics(label, "stats.json is not complete");
  return tree_of(document);
}

void damaged_statistics(const std::string& label, const std::string& what) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-DAMAGED";
  diagnostic.message = "the statistics of run '" + label + "' cannot be used: " + what;
  diagnostic.help = "give the directory of a finished run";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

}  // namespace teslasim

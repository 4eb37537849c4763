// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/json_value.h"
#include "sim/base/json_text.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace teslasim {

using Json = nlohmann::ordered_json;

struct JsonValue::Document {
  Json root;
};

namespace {

const Json* node_of(const void* node) {
  return static_cast<const Json*>(node);
}

const Json* find(const Json& node, std::string_view name) {
  if (!node.is_object()) return nullptr;
  const auto whole = node.find(std::string(name));
  if (whole != node.end()) return &*whole;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    const auto first = node.find(std::string(name.substr(0, dot)));
    if (first == node.end()) continue;
    const Json* deeper = find(*first, name.substr(dot + 1));
    if (deeper != nullptr) return deeper;
  }
  return nullptr;
}

}  // namespace

JsonValue JsonValue::parse(const std::string& text) {
  JsonValue value;
  auto document = std::make_shared<Document>();
  document->root = Json::parse(shallow_json(text), nullptr, false);
  if (document->root.is_discarded()) return value;
  value.node_ = &document->root;
  value.document_ = std::move(document);
  return value;
}

JsonValue JsonValue::operator[](std::string_view name) const {
  JsonValue value;
  if (node_ == nullptr) return value;
  value.node_ = find(*node_of(node_), name);
  if (value.node_ != nullptr) value.document_ = document_;
  return value;
}

JsonValue JsonValue::at(std::size_t index) const {
  JsonValue value;
  if (node_ == nullptr || !node_of(node_)->is_array() || index >= node_of(node_)->size()) return value;
  value.node_ = &(*node_of(node_))[index];
  value.document_ = document_;
  return value;
}

std::size_t JsonValue::size() const {
  return node_ != nullptr && node_of(node_)->is_structured() ? node_of(node_)->size() : 0;
}

std::vector<std::string> JsonValue::names() const {
  std::vector<std::string> names;
  if (node_ == nullptr || !node_of(node_)->is_object()) return names;
  for (const auto& [name, child] : node_of(node_)->items()) names.push_back(name);
  return names;
}

std::optional<double> JsonValue::number() const {
  if (node_ == nullptr || !node_of(node_)->is_number()) return std::nullopt;
  return node_of(node_)->get<double>();
}

std::string JsonValue::text() const {
  if (node_ == nullptr) return "";
  const Json& node = *node_of(node_);
  if (node.is_string()) return node.get<std::string>();
  return node.is_primitive() && !node.is_null() ? json_text(node) : "";
}

}  // namespace teslasim

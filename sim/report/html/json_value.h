// SPDX-License-Identifier: Apache-2.0
// Looking into JSON files that this program wrote.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// A place in a JSON document, which it keeps alive. A place that does not exist is empty: looking further finds
/// nothing, so that a damaged or older file gives gaps in a report instead of an error.
class JsonValue {
 public:
  JsonValue() = default;
  /// Empty when `text` is not JSON.
  static JsonValue parse(const std::string& text);

  /// The member of an object. Dots go deeper ("time.ms"), except where a member has the whole name ("mem.global").
  [[nodiscard]] JsonValue operator[](std::string_view name) const;
  [[nodiscard]] JsonValue at(std::size_t index) const;  ///< of an array
  [[nodiscard]] std::size_t size() const;               ///< elements or members
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const { return node_ == nullptr; }

  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] double number_or(double otherwise) const { return number().value_or(otherwise); }
  /// A string as it is; numbers and truth values written out; "" for the rest.
  [[nodiscard]] std::string text() const;

 private:
  struct Document;
  std::shared_ptr<const Document> document_;
  const void* node_ = nullptr;
};

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
// The statistics of a run as the tree that stats.json is the text of: made from a Result, or read from the file. The
// two are the same, value by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/report/result/result.h"

namespace teslasim {

class StatisticTree {
 public:
  /// Nothing: the statistic has no value in this run; a sibling `why` says why.
  using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;
  enum class Kind : std::uint8_t { value, object, list };

  /// The member of an object. Dots go deeper ("time.ms"), except where a member has the whole name ("mem.global"). What
  /// does not exist is an empty value: looking further finds nothing, so that an older file gives gaps, not errors.
  [[nodiscard]] const StatisticTree& operator[](std::string_view name) const;
  [[nodiscard]] const StatisticTree& at(std::size_t index) const;  ///< element of a list
  [[nodiscard]] std::size_t size() const { return children_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  ///< of an object
  [[nodiscard]] const std::vector<StatisticTree>& children() const { return children_; }
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool has(std::string_view name) const { return find_member(name) != nullptr; }

  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] double number_or(double otherwise) const { return number().value_or(otherwise); }
  /// A string as it is; numbers and truth values as in the file; "" for the rest.
  [[nodiscard]] std::string text() const;

  void set(Value value);
  StatisticTree& member(std::string_view name);  ///< created when missing
  StatisticTree& element(std::size_t index);     ///< with those before it
  void become(Kind kind) { kind_ = kind; }       ///< an empty object or list

 private:
  [[nodiscard]] const StatisticTree* find_member(std::string_view name) const;
  [[nodiscard]] const StatisticTree* find(std::string_view name) const;

  Kind kind_ = Kind::value;
  Value value_;
  std::vector<std::string> names_;  ///< of the children of an object
  std::vector<StatisticTree> children_;
};

/// The statistics of a run in the order of the document.
[[nodiscard]] StatisticTree statistic_tree(const Result& result);

}  // namespace teslasim

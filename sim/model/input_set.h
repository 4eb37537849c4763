// SPDX-License-Identifier: Apache-2.0
// The inputs of analytical models: named values with their origins. All models share one vocabulary (inputs.def), so a
// value means the same whether it was written by hand, counted by the functional model or measured.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/prediction.h"

namespace teslasim {

/// A row of inputs.def. A name may contain `#`, which stands for a number: "stage.#.global_bytes".
struct InputInfo {
  std::string_view name;
  std::string_view unit;
  double minimum;
  double maximum;
  std::string_view meaning;
};

[[nodiscard]] std::span<const InputInfo> input_table();
/// The row that describes `name`; nullptr when there is none.
[[nodiscard]] const InputInfo* find_input_info(std::string_view name);
/// Inputs that are words: name, allowed words.
struct WordInputInfo {
  std::string_view name;
  std::vector<std::string_view> words;
  std::string_view meaning;
};
[[nodiscard]] std::span<const WordInputInfo> word_input_table();

struct InputValue {
  double number = 0.0;
  std::string word;
  InputOrigin origin = InputOrigin::given;
  std::string source;
};

class InputSet {
 public:
  void set(std::string name, double number, InputOrigin origin, std::string source);
  void set_word(std::string name, std::string word, InputOrigin origin, std::string source);
  void erase(std::string_view name);
  /// Takes every value of `other`, also where this set has one already.
  void overlay(const InputSet& other);
  [[nodiscard]] const InputValue* find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, InputValue, std::less<>>& values() const { return values_; }

 private:
  std::map<std::string, InputValue, std::less<>> values_;
};

}  // namespace teslasim

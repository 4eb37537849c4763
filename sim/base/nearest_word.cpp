// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the edit distance that counts one slip of the finger (a wrong, missing, extra or swapped character)
// as one (Damerau 1964, optimal string alignment variant). Else a word that was not written to its end.
#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr std::size_t longest_word = 128;

using Row = std::array<std::size_t, longest_word + 1>;

/// The distance, or some number not below `limit` when it is not below it.
std::size_t edit_distance(const std::string& left, const std::string& right, std::size_t limit) {
  Row before_previous{}, previous{}, current{};
  for (std::size_t j = 0; j <= right.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    current[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t changed = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      current[j] = std::min({changed, previous[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
      least = std::min(least, current[j]);
    }
    // A row's least is at most one more than that of the row before, and a swap adds one: what follows is no less.
    if (least > limit) return least;
    std::copy_n(previous.begin(), right.size() + 1, before_previous.begin());
    std::copy_n(current.begin(), right.size() + 1, previous.begin());
  }
  return previous[right.size()];
}

std::string lower_case(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

/// The one candidate that begins with what was written, or the one that all such candidates begin with, when that is
/// enough to tell it from a slip; else "".
std::string only_longer_word(const std::string& wanted, const std::vector<std::string>& candidates) {
  constexpr std::size_t fewest_letters = 3;
  const bool option = wanted.starts_with("--");
  if (wanted.size() < fewest_letters + (option ? 2 : 0)) return {};
  std::vector<std::string> longer;
  for (const std::string& candidate : candidates) {
    if (candidate.size() <= longest_word && lower_case(candidate).starts_with(wanted)) longer.push_back(candidate);
  }
  if (longer.empty()) return {};
  const std::string shortest = *std::min_element(
      longer.begin(), longer.end(), [](const auto& left, const auto& right) { return left.size() < right.size(); });
  const bool only =
      std::all_of(longer.begin(), longer.end(), [&](const std::string& word) { return word.starts_with(shortest); });
  return only ? shortest : std::string{};
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::string wanted = lower_case(word);
  std::string best;
  // One slip per three characters, at least one, is still plausibly the same word.
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // Every character too many or too few costs one: most candidates need no closer look.
    const std::size_t shorter = std::min(wanted.size(), candidate.size());
    if (std::max(wanted.size(), candidate.size()) - shorter >= best_distance || candidate.size() > longest_word)
      continue;
    const std::size_t distance = edit_distance(wanted, lower_case(candidate), best_distance);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best.empty() ? only_longer_word(wanted, candidates) : best;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/app/huffman.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace teslasim {
namespace {

/// Lengths of the best code, whatever its longest.
std::vector<unsigned> best_lengths(const std::vector<std::uint64_t>& counts) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] < counts[b]; });
  // Nodes: the symbols in order, then sums of two, which come out in order as well; so the smallest two are at the
  // front of either list.
  const std::size_t leaves = order.size();
  std::vector<std::uint64_t> weights(2 * leaves - 1);
  std::vector<std::size_t> parents(2 * leaves - 1);
  for (std::size_t i = 0; i < leaves; ++i) weights[i] = counts[order[i]];
  std::size_t leaf = 0, sum = leaves;
  for (std::size_t node = leaves; node < weights.size(); ++node) {
    for (unsigned child = 0; child < 2; ++child) {
      const bool takes_leaf = leaf < leaves && (sum == node || weights[leaf] <= weights[sum]);
      const std::size_t taken = takes_leaf ? leaf++ : sum++;
      weights[node] += weights[taken];
      parents[taken] = node;
    }
  }
  std::vector<unsigned> depths(weights.size()), lengths(counts.size());
  for (std::size_t node = weights.size() - 1; node-- > 0;) depths[node] = depths[parents[node]] + 1;
  for (std::size_t i = 0; i < leaves; ++i) lengths[order[i]] = depths[i];
  return lengths;
}

/// A length of a code, or several of the same; `symbol` is one of the alphabet of code lengths.
struct Run {
  std::uint32_t symbol = 0;
  BitText extra;
};

std::vector<Run> runs_of(const std::vector<unsigned>& lengths) {
  constexpr std::uint32_t repeat = 16, few_zeros = 17, many_zeros = 18;
  std::vector<Run> runs;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t same = 1;
    while (i + same < lengths.size() && lengths[i + same] == lengths[i]) ++same;
    i += same;
    const unsigned length = lengths[i - 1];
    if (length != 0) {
      runs.push_back({length, {}});
      --same;
    }
    while (same >= 3) {
      const std::size_t most = length != 0 ? 6 : 138, taken = std::min(same, most);
      const auto count = static_cast<std::uint32_t>(taken);
      if (length != 0) {
        runs.push_back({repeat, {count - 3, 2}});
      } else if (taken <= 10) {
        runs.push_back({few_zeros, {count - 3, 3}});
      } else {
        runs.push_back({many_zeros, {count - 11, 7}});
      }
      same -= taken;
    }
    for (; same > 0; --same) runs.push_back({length, {}});
  }
  return runs;
}

/// How many symbols are told of: all up to the last that occurs.
std::uint32_t told_of(const HuffmanCode& code, std::uint32_t least) {
  auto count = static_cast<std::uint32_t>(code.size());
  while (count > least && code[count - 1].count == 0) --count;
  return count;
}

}  // namespace

HuffmanCode::HuffmanCode(std::span<const std::uint32_t> counts, unsigned most_bits) : codes_(counts.size()) {
  std::vector<std::uint64_t> weights(counts.begin(), counts.end());
  // Readers want two codes at least.
  for (std::size_t i = 0; i < 2; ++i) weights[i] = std::max<std::uint64_t>(weights[i], 1);
  std::vector<unsigned> lengths = best_lengths(weights);
  while (*std::max_element(lengths.begin(), lengths.end()) > most_bits) {
    for (std::uint64_t& weight : weights) weight = (weight + 1) / 2;
    lengths = best_lengths(weights);
  }
  // Codes of one length are consecutive numbers; `next` is first how many are one shorter, then the next one to give.
  std::array<std::uint32_t, most_code_bits + 2> next{};
  for (const unsigned length : lengths) {
    if (length != 0) ++next[length + 1];
  }
  for (unsigned length = 1; length < next.size(); ++length) next[length] = 2 * (next[length - 1] + next[length]);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;
    std::uint32_t code = next[lengths[i]]++;
    codes_[i].count = lengths[i];
    for (unsigned bit = 0; bit < lengths[i]; ++bit, code >>= 1U) codes_[i].bits = codes_[i].bits << 1U | (code & 1U);
  }
}

void write_codes(BitWriter& writer, const HuffmanCode& symbols, const HuffmanCode& distances) {
  constexpr std::array<unsigned char, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  constexpr std::uint32_t least_symbols = 257, least_distances = 1, least_lengths = 4;
  constexpr unsigned most_bits = 7;
  const std::uint32_t symbol_count = told_of(symbols, least_symbols);
  const std::uint32_t distance_count = told_of(distances, least_distances);
  std::vector<unsigned> lengths;
  for (std::uint32_t i = 0; i < symbol_count; ++i) lengths.push_back(symbols[i].count);
  for (std::uint32_t i = 0; i < distance_count; ++i) lengths.push_back(distances[i].count);
  const std::vector<Run> runs = runs_of(lengths);
  std::array<std::uint32_t, order.size()> counts{};
  for (const Run& run : runs) ++counts[run.symbol];
  const HuffmanCode code(counts, most_bits);
  auto told = static_cast<std::uint32_t>(order.size());
  while (told > least_lengths && code[order[told - 1]].count == 0) --told;
  writer.reserve(8 * runs.size() + 64);
  writer.put(symbol_count - least_symbols, 5);
  writer.put(distance_count - least_distances, 5);
  writer.put(told - least_lengths, 4);
  for (std::uint32_t i = 0; i < told; ++i) writer.put(code[order[i]].count, 3);
  for (const Run& run : runs) {
    writer.put(code[run.symbol]);
    writer.put(run.extra);
  }
}

}  // namespace teslasim

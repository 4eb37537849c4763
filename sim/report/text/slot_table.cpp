// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/slot_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::size_t lines = 5;                          // reasons with a line of their own
constexpr double percent_per_mark = 2.5;                  // one mark of a bar
constexpr std::size_t others_width = summary_width - 32;  // columns left for the names of the other reasons

struct Share {
  std::string_view name;
  std::uint64_t slots = 0;
};

std::vector<Share> sorted_shares(const PerReason<>& slots) {
  std::vector<Share> shares;
  for (unsigned i = 0; i < slot_reason_count; ++i) {
    if (slots.counts[i] != 0) shares.push_back({slot_reasons[i].name, slots.counts[i]});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& left, const Share& right) { return left.slots > right.slots; });
  return shares;
}

std::string bar(double part) {
  std::string marks;
  for (double left = 100.0 * part; left >= percent_per_mark / 2; left -= percent_per_mark) marks += "█";
  return marks;
}

std::string line(std::string_view name, double part, const std::string& tail) {
  std::string text = fmt::format("  {:<19} {:>5.1f} %  {}", name, 100.0 * part, tail);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string why(const PcStatistics& pc) {
  const std::vector<Share> shares = sorted_shares(pc.slots);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(shares.size(), 2); ++i) {
    if (i != 0) text += ", ";
    text += fmt::format("{} {:.0f} %", shares[i].name,
                        100.0 * static_cast<double>(shares[i].slots) / static_cast<double>(pc.slots.sum()));
  }
  const auto worst =
      std::find_if(pc.shared.degree.rbegin(), pc.shared.degree.rend(), [](auto count) { return count != 0; });
  const auto degree = pc.shared.degree.rend() - worst - 1;
  if (degree > 1) text += fmt::format("; {}-way", degree);
  return text;
}

}  // namespace

std::string slot_table(const LaunchStatistics& launch, Bars bars) {
  const std::uint64_t total = launch.slots.sum();
  if (total == 0) return "";
  const auto part = [total](std::uint64_t slots) { return static_cast<double>(slots) / static_cast<double>(total); };
  const std::vector<Share> shares = sorted_shares(launch.slots);
  std::string text = fmt::format("\nWHERE THE ISSUE SLOTS WENT (100 % = {})\n", grouped(total));
  for (std::size_t i = 0; i < std::min(lines, shares.size()); ++i) {
    text += line(shares[i].name, part(shares[i].slots), bars == Bars::drawn ? bar(part(shares[i].slots)) : "");
  }
  std::uint64_t others = 0;
  std::string names;
  for (std::size_t i = lines; i < shares.size(); ++i) {
    others += shares[i].slots;
    const std::string name = fmt::format("{} {:.1f}", shares[i].name, 100.0 * part(shares[i].slots));
    const bool fits = names.size() + 2 + name.size() <= others_width;
    if (fits) names += (names.empty() ? "" : "  ") + name;
  }
  if (others != 0) text += line("other", part(others), names);
  return text;
}

std::vector<HotSpot> hot_spots(const LaunchStatistics& launch, std::size_t count) {
  std::vector<HotSpot> spots;
  for (std::size_t i = 0; i < launch.pcs.size(); ++i) {
    const std::uint64_t slots = launch.pcs[i].slots.sum();
    if (slots != 0) spots.push_back({i, slots, ""});
  }
  const auto kept = std::min(count, spots.size());
  std::stable_sort(spots.begin(), spots.end(),
                   [](const HotSpot& left, const HotSpot& right) { return left.slots > right.slots; });
  spots.resize(kept);
  for (HotSpot& spot : spots) spot.why = why(launch.pcs[spot.index]);
  return spots;
}

}  // namespace teslasim

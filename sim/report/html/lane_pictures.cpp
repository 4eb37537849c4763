// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/lane_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/html/html.h"

namespace teslasim {
namespace {

constexpr double lane_width = 30, lane_height = 22;

bool on_chip(const LaneRecord& record) {
  return record.space == LaneRecord::Space::shared || record.space == LaneRecord::Space::constant;
}

unsigned bank_of(const LaneRecord& record, std::uint32_t address) {
  constexpr std::uint32_t word = 4;
  return address / word % std::max(record.banks, 1U);
}

bool takes_part(const LaneRecord& record, unsigned lane) {
  return (record.lanes >> lane & 1U) != 0;
}

/// Lanes of the group with a different word in the same bank: they cannot be served in one pass.
bool conflicts(const LaneRecord& record, unsigned lane) {
  const unsigned first = lane / record.group * record.group;
  for (unsigned other = first; other < std::min(first + record.group, warp_size); ++other) {
    if (!takes_part(record, other) || other == lane) continue;
    const bool same_bank = bank_of(record, record.address[other]) == bank_of(record, record.address[lane]);
    if (same_bank && record.address[other] / 4 != record.address[lane] / 4) return true;
  }
  return false;
}

bool shares_word(const LaneRecord& record, unsigned lane) {
  const unsigned first = lane / record.group * record.group;
  for (unsigned other = first; other < std::min(first + record.group, warp_size); ++other) {
    if (other != lane && takes_part(record, other) && record.address[other] / 4 == record.address[lane] / 4)
      return true;
  }
  return false;
}

/// "lane 3 and lane 11: different words in bank 6" for the first lane that is in the way.
std::string hover_of(const LaneRecord& record, unsigned lane) {
  const unsigned first = lane / record.group * record.group, bank = bank_of(record, record.address[lane]);
  std::string text = fmt::format("lane {}: address 0x{:x}, bank {}", lane, record.address[lane], bank);
  for (unsigned other = first; other < std::min(first + record.group, warp_size); ++other) {
    if (other == lane || !takes_part(record, other) || bank_of(record, record.address[other]) != bank) continue;
    if (record.address[other] / 4 == record.address[lane] / 4) continue;
    const auto [low, high] = std::minmax(lane, other);
    return text + fmt::format("; lane {} and lane {}: different words in bank {}", low, high, bank);
  }
  return shares_word(record, lane) ? text + ", a word that other lanes read too" : text;
}

const char* lane_color(const LaneRecord& record, unsigned lane) {
  if (conflicts(record, lane)) return "#d32f2f";
  return shares_word(record, lane) ? "#1976d2" : "#2e7d32";
}

std::string cell(double x, double y, double width, std::string_view color, std::string_view text,
                 std::string_view hover) {
  return fmt::format(
      "<g><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\" stroke=\"#888\"/>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" style=\"fill:#fff;font-size:10px\">{}</text>"
      "<title>{}</title></g>",
      x, y, width, lane_height, color, x + width / 2, y + 15, html(text), html(hover));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view color) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-opacity=\".7\"/>", x1, y1, x2,
      y2, color);
}

/// One access group: its lanes above, the banks below.
std::string bank_group(const LaneRecord& record, unsigned first, double top) {
  std::string lines, cells;
  const double bank_width = lane_width * record.group / std::max(record.banks, 1U);
  for (unsigned lane = first; lane < first + record.group; ++lane) {
    const double x = (lane - first) * lane_width;
    if (!takes_part(record, lane)) {
      cells += cell(x, top, lane_width, "#9e9e9e", std::to_string(lane), fmt::format("lane {}: not active", lane));
      continue;
    }
    const unsigned bank = bank_of(record, record.address[lane]);
    const char* color = lane_color(record, lane);
    lines += line(x + lane_width / 2, top + lane_height, (bank + 0.5) * bank_width, top + 74, color);
    cells += cell(x, top, lane_width, color, std::to_string(lane), hover_of(record, lane));
  }
  for (unsigned bank = 0; bank < record.banks; ++bank) {
    cells +=
        cell(bank * bank_width, top + 74, bank_width, "#455a64", std::to_string(bank), fmt::format("bank {}", bank));
  }
  return lines + cells;
}

std::string bank_picture(const LaneRecord& record) {
  std::string body;
  double top = 0;
  for (unsigned first = 0; first < warp_size; first += record.group, top += 112) body += bank_group(record, first, top);
  return fmt::format("<div class=frame><svg class=picture viewBox=\"0 0 {} {}\" width=\"{}\" role=img>{}</svg></div>",
                     record.group * lane_width, top, std::min(record.group * lane_width * 1.2, 960.0), body);
}

std::string segment_picture(const LaneRecord& record) {
  std::string lines, cells;
  const auto count = static_cast<double>(std::max<std::size_t>(record.segments.size(), 1));
  const double width = lane_width * warp_size / count;
  for (std::size_t i = 0; i < record.segments.size(); ++i) {
    const LaneRecord::Segment& segment = record.segments[i];
    const double x = static_cast<double>(i) * width;
    cells += cell(x, 74, width, "#455a64", count <= 16 ? fmt::format("{} B", segment.bytes) : "",
                  fmt::format("{} bytes at 0x{:x}", segment.bytes, segment.address));
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((segment.lanes >> lane & 1U) == 0) continue;
      lines += line((lane + 0.5) * lane_width, lane_height, x + width / 2, 74, "#1976d2");
    }
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    cells += cell(lane * lane_width, 0, lane_width, takes_part(record, lane) ? "#2e7d32" : "#9e9e9e",
                  std::to_string(lane), fmt::format("lane {}: 0x{:x}", lane, record.address[lane]));
  }
  return fmt::format("<div class=frame><svg class=picture viewBox=\"0 0 {} 100\" role=img>{}{}</svg></div>",
                     lane_width * warp_size, lines, cells);
}

unsigned moved_bytes(const LaneRecord& record) {
  unsigned bytes = 0;
  for (const LaneRecord::Segment& segment : record.segments) bytes += segment.bytes;
  return bytes;
}

unsigned used_bytes(const LaneRecord& record) {
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) lanes += takes_part(record, lane) ? 1 : 0;
  return lanes * record.bytes;
}

std::string what_happens(const LaneRecord& record) {
  if (!on_chip(record)) {
    return fmt::format("{} transactions move {} B for {} B used", record.segments.size(), moved_bytes(record),
                       used_bytes(record));
  }
  std::string text;
  for (const unsigned passes : record.passes) text += fmt::format("{}{}", text.empty() ? "" : " + ", passes);
  return text + " passes over the groups of " + std::to_string(record.group) + " lanes";
}

}  // namespace

std::string lane_pictures(const FinishedRun& run, LaneSpace space) {
  constexpr std::size_t most_each = 2, most = 12;
  std::map<std::uint32_t, std::size_t> drawn;
  std::string text;
  std::size_t count = 0;
  for (const LaneRecord& record : run.lanes.records) {
    if (on_chip(record) != (space == LaneSpace::on_chip) || count >= most || drawn[record.pc]++ >= most_each) continue;
    ++count;
    text += fmt::format("<h3>Lanes of <code>0x{:04x} {}</code>, SM {}, warp {}, cycle {}</h3><p>{}</p>{}\n", record.pc,
                        html(record.text), record.sm, record.warp, sp_cycles(record.cycle).count(),
                        html(what_happens(record)), on_chip(record) ? bank_picture(record) : segment_picture(record));
  }
  if (text.empty()) return "";
  return "<p class=soft>Red: different words in one bank; blue: a shared word; green: alone; grey: not active.</p>" +
         text;
}

std::string lane_text(const LaneRecord& record) {
  std::string text = fmt::format("0x{:04x}  {}   SM {} warp {} cycle {}   {}\n", record.pc, record.text, record.sm,
                                 record.warp, sp_cycles(record.cycle).count(), what_happens(record));
  if (!on_chip(record)) {
    for (const LaneRecord::Segment& segment : record.segments) {
      text += fmt::format("  0x{:08x} {:>3} B  lanes", segment.address, segment.bytes);
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((segment.lanes >> lane & 1U) != 0) text += fmt::format(" {}", lane);
      }
      text += '\n';
    }
    return text;
  }
  for (unsigned first = 0; first < warp_size; first += record.group) {
    std::string lanes = "  lane", banks = "  bank";
    for (unsigned lane = first; lane < first + record.group; ++lane) {
      const bool active = takes_part(record, lane);
      lanes += fmt::format(" {:>3}", lane);
      banks += active
                   ? fmt::format(" {:>2}{}", bank_of(record, record.address[lane]), conflicts(record, lane) ? '!' : ' ')
                   : std::string("   .");
    }
    text += lanes + '\n' + banks + '\n';
  }
  return text;
}

}  // namespace teslasim

// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "sim/base/embedded_file.h"
#include "sim/base/excerpt.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> html_files;

namespace {

constexpr std::size_t most_table_rows = 100;

/// Whether a text is read as a number.
bool is_number(const std::string& text) {
  if (text.empty()) return false;
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return *end == '\0';
}

/// Lines may be long tables, so nothing is copied that need not be.
template <typename Row, typename TextOf>
std::string line_of(const Row& row, const TextOf& text_of) {
  std::string text;
  for (const auto& cell : row) text += html(text_of(cell)) + '\t';
  text.erase(text.find_last_not_of('\t') + 1);  // empty cells at the end
  return text + '\n';
}

}  // namespace

HtmlCell::HtmlCell(std::string shown)
    : text(std::move(shown)), kind(is_number(text) ? CellKind::number : CellKind::text) {}

std::string html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string table_of(const HtmlTable& table, std::string_view css_class) {
  std::string text = css_class.empty() ? "<table>" : fmt::format("<table class=\"{}\">", css_class);
  text += "<thead><tr>";
  for (const std::string& name : table.head) text += "<th>" + html(name);
  text += "</thead><tbody>\n";
  for (const std::vector<HtmlCell>& row : table.rows) {
    text += "<tr>";
    for (const HtmlCell& cell : row)
      text += (cell.kind == CellKind::number ? "<td class=n>" : "<td>") + html(cell.text);
    text += '\n';
  }
  return text + "</tbody></table>\n";
}

std::string lines_of(const HtmlTable& table, std::string_view attributes) {
  std::string text = fmt::format("<pre class=lines{}{}>", attributes.empty() ? "" : " ", attributes) +
                     line_of(table.head, [](const std::string& name) { return std::string_view(name); });
  for (const std::vector<HtmlCell>& row : table.rows)
    text += line_of(row, [](const HtmlCell& cell) { return std::string_view(cell.text); });
  return text + "</pre>\n";
}

std::string scrolled(const HtmlTable& table, std::string_view css_class) {
  if (table.rows.size() > most_table_rows) return lines_of(table);
  return "<div class=scroll>" + table_of(table, css_class) + "</div>\n";
}

std::string figure_of(const Chart& chart) {
  if (chart.data.rows.empty()) return "";
  const std::string_view specification = report_asset("charts/" + chart.name + ".vl.json");
  return fmt::format(
      "<figure class=chart data-chart=\"{}\"><figcaption><b>{}</b> <span class=aid>{}</span></figcaption>"
      "<div class=plot></div>"
      "<details class=data open><summary>data, {} rows</summary>{}</details>"
      "<script type=\"application/json\">{}</script></figure>\n",
      html(chart.name), html(chart.title), html(chart.aid), chart.data.rows.size(), scrolled(chart.data),
      specification);
}

std::string section_of(unsigned number, std::string_view title, std::string_view body) {
  return fmt::format("<section id=s{0}><h2><span class=no>{0}</span> {1}</h2>\n{2}</section>\n", number, html(title),
                     body);
}

std::string paragraph(std::string_view text) {
  return "<p>" + html(text) + "</p>\n";
}

std::string absent(std::string_view why) {
  return "<p class=absent>" + html(why) + "</p>\n";
}

std::string stacked_bar(const std::vector<BarPart>& parts, std::string_view label) {
  constexpr double width = 1000.0;
  std::string bars, legend;
  double at = 0.0;
  for (const BarPart& part : parts) {
    const double length = width * part.share;
    if (length <= 0.0) continue;
    bars += fmt::format("<rect x=\"{:.2f}\" width=\"{:.2f}\" height=\"26\" fill=\"{}\"><title>{} {}</title></rect>", at,
                        length, part.color, html(part.name), percent_text(part.share));
    at += length;
    constexpr double worth_a_legend = 0.005;
    if (part.share < worth_a_legend) continue;
    legend += fmt::format("<span class=key><i style=\"background:{}\"></i>{} {}</span> ", part.color, html(part.name),
                          percent_text(part.share));
  }
  return fmt::format(
      "<div class=bar><div class=barlabel>{}</div><svg viewBox=\"0 0 1000 26\" preserveAspectRatio=\"none\" "
      "role=img aria-label=\"{}\">{}</svg><div class=legend>{}</div></div>\n",
      html(label), html(label), bars, legend);
}

std::string number_text(double value, int decimals) {
  if (!std::isfinite(value)) return "";
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string percent_text(double share) {
  return fmt::format("{:.1f} %", 100.0 * share);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint32_t six_bits = 63;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (const unsigned i : {0U, 1U, 2U})
      bits = bits << 8 | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0);
    for (const unsigned i : {0U, 1U, 2U, 3U})
      text += i <= three.size() ? letters[bits >> (18 - 6 * i) & six_bits] : '=';
  }
  return text;
}

std::string_view report_asset(std::string_view name) {
  for (const EmbeddedFile& file : html_files) {
    if (file.name == name || file.name.ends_with("html/" + std::string(name))) return file.text;
  }
  return {};
}

}  // namespace teslasim

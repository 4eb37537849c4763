// SPDX-License-Identifier: Apache-2.0
// The parts that a report is put together from: escaped text, tables, figures with a chart and its data, bars.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teslasim {

/// Text for the body or for an attribute in double quotes.
[[nodiscard]] std::string html(std::string_view text);

enum class CellKind : std::uint8_t { text, number };
/// Plain text; numbers are set flush right.
struct HtmlCell {
  HtmlCell(std::string shown, CellKind what) : text(std::move(shown)), kind(what) {}
  /// Text that was made for readers, a number when it reads as one. Implicit, because rows are lists of texts.
  HtmlCell(std::string shown);                                   // NOLINT(google-explicit-constructor)
  HtmlCell(const char* shown) : HtmlCell(std::string(shown)) {}  // NOLINT(google-explicit-constructor)
  std::string text;
  CellKind kind = CellKind::text;
};
struct HtmlTable {
  std::vector<std::string> head;
  std::vector<std::vector<HtmlCell>> rows;
};
[[nodiscard]] std::string table_of(const HtmlTable& table, std::string_view css_class = "");

/// The same as lines of text with tabs between the cells: what long tables are, so that a page with thousands of rows
/// stays small and opens at once. Readable without scripts; report.js reads it like a table.
[[nodiscard]] std::string lines_of(const HtmlTable& table, std::string_view attributes = "");

/// As a table in a frame that scrolls, or as lines when it is long.
[[nodiscard]] std::string scrolled(const HtmlTable& table, std::string_view css_class = "");

/// A figure: caption, chart, and its data as a table (as lines when it is long). The specification is
/// charts/NAME.vl.json; a script draws it from the data, whose head names the fields. Without scripts, or in a program
/// built without Vega, the data remain.
struct Chart {
  std::string name;
  std::string title;
  std::string aid;  ///< one sentence: how to read it
  HtmlTable data;
};
/// Empty when there is no data.
[[nodiscard]] std::string figure_of(const Chart& chart);

/// `number` 0: no number.
[[nodiscard]] std::string section_of(unsigned number, std::string_view title, std::string_view body);
[[nodiscard]] std::string paragraph(std::string_view text);
/// A paragraph that says why there is nothing here.
[[nodiscard]] std::string absent(std::string_view why);

struct BarPart {
  std::string name;
  double share = 0.0;  ///< 0..1
  std::string_view color;
};
/// One stacked bar as inline SVG with a legend of the parts that can be seen.
[[nodiscard]] std::string stacked_bar(const std::vector<BarPart>& parts, std::string_view label);

/// A number for a table or an SVG attribute: at most `decimals`, without trailing zeros.
[[nodiscard]] std::string number_text(double value, int decimals = 3);
[[nodiscard]] std::string percent_text(double share);

/// Bytes as text of 64 letters (RFC 4648).
[[nodiscard]] std::string base64(std::string_view bytes);

/// The text of a file of this folder that is part of the program; "" when it is not there.
[[nodiscard]] std::string_view report_asset(std::string_view name);

}  // namespace teslasim

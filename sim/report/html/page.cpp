// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sim/base/embedded_file.h"
#include "sim/report/html/html.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> chart_libraries;

namespace {

/// Without them a page shows tables where charts would be.
bool has_chart_libraries() {
  return std::any_of(chart_libraries.begin(), chart_libraries.end(),
                     [](const EmbeddedFile& file) { return file.name.ends_with(".js.gz"); });
}

/// The chart libraries stay packed until the script of the page unpacks them: a third of the size, and nothing that a
/// browser has to read before it shows the page.
std::string scripts() {
  std::string text, licences;
  for (const EmbeddedFile& file : chart_libraries) {
    if (file.name.ends_with("LICENSE")) {
      licences +=
          "<details><summary>licence of " + html(file.name) + "</summary><pre>" + html(file.text) + "</pre></details>";
    } else {
      text += "<script type=\"application/gzip;base64\" id=libraries>" + base64(file.text) + "</script>\n";
    }
  }
  return "<footer><p>Written by teslasim. " +
         std::string(has_chart_libraries() ? "Charts by Vega, Vega-Lite and Vega-Embed (BSD-3-Clause)."
                                           : "This program was built without Vega: charts are shown as tables.") +
         "</p>" + licences + "</footer>\n" + text + "<script>" + std::string(report_asset("report.js")) + "</script>\n";
}

/// JSON within a script element: no text of it may end the element.
std::string without_tags(std::string_view json) {
  std::string text;
  for (const char letter : json) text += letter == '<' ? std::string("\\u003c") : std::string(1, letter);
  return text;
}

}  // namespace

std::string page_of(std::string_view title, std::string_view body, std::string_view lists) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
             "content=\"width=device-width,initial-scale=1\"><link rel=icon href=\"data:,\">\n<title>{0} – "
             "teslasim</title>\n<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
             html(title), report_asset("report.css")) +
         std::string(body) + "<script type=\"application/json\" id=palette>" + without_tags(lists) + "</script>\n" +
         scripts() + "</body></html>\n";
}

}  // namespace teslasim

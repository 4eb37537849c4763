// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace teslasim {
namespace {

constexpr double width = 720, height = 400, left = 64, right = 190, top = 40, bottom = 52;
constexpr std::array<const char*, 8> colours{"#1b6ca8", "#c0392b", "#2e8b57", "#8e5ba6",
                                             "#b9770e", "#16a2a2", "#7f8c8d", "#34495e"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

/// A round step for about five ticks.
double tick_step(double range) {
  const double rough = range / 5.0, power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10.0 * power;
}

class Chart {
 public:
  explicit Chart(const Plot& plot) : plot_(plot) {
    x_low_ = y_high_ = 0.0;
    bool first = true;
    for (const PlotCurve& curve : plot.curves) {
      for (const auto& [x, y] : curve.points) {
        x_low_ = first ? scaled(x) : std::min(x_low_, scaled(x));
        x_high_ = first ? scaled(x) : std::max(x_high_, scaled(x));
        y_high_ = std::max(y_high_, y);
        first = false;
      }
    }
    if (x_high_ <= x_low_) x_high_ = x_low_ + 1.0;
    if (y_high_ <= 0.0) y_high_ = 1.0;
    y_step_ = tick_step(y_high_);
    y_high_ = std::ceil(y_high_ / y_step_) * y_step_;
  }

  std::string text() {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
        width, height, left, escaped(plot_.title));
    axes();
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
      if (!plot_.curves[i].points.empty()) curve(i);
    }
    return text_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double scaled(double x) const { return plot_.logarithmic_x ? std::log2(x) : x; }
  [[nodiscard]] double px(double x) const {
    return left + (scaled(x) - x_low_) / (x_high_ - x_low_) * (width - left - right);
  }
  [[nodiscard]] double py(double y) const { return height - bottom - y / y_high_ * (height - top - bottom); }

  void axes() {
    for (double y = 0.0; y <= y_high_ * 1.0001; y += y_step_) {
      text_ += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", left, py(y), width - right);
      text_ +=
          fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n", left - 6, py(y) + 4, y);
    }
    const double most_octaves = 9.0;  // more labels would run into each other
    const double octaves = x_high_ - x_low_ > most_octaves ? 3.0 : 1.0;
    const double step = plot_.logarithmic_x ? octaves : std::max(tick_step(x_high_ - x_low_), 1.0);
    for (double x = std::ceil(x_low_ / step) * step; x <= x_high_ * 1.0001; x += step) {
      const double value = plot_.logarithmic_x ? std::exp2(x) : x;
      text_ += fmt::format("<path d=\"M{:.1f} {:.1f}v5\" stroke=\"#444\"/>\n", px(value), height - bottom);
      text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.6g}</text>\n", px(value),
                           height - bottom + 18, value);
    }
    text_ += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" stroke=\"#444\"/>\n", left, top,
                         height - bottom, width - right);
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         (left + width - right) / 2, height - 12, escaped(plot_.x_label));
    text_ += fmt::format("<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                         (top + height - bottom) / 2, escaped(plot_.y_label));
  }

  void curve(std::size_t index) {
    const PlotCurve& curve = plot_.curves[index];
    const char* colour = colours[index % colours.size()];
    std::string path;
    for (const auto& [x, y] : curve.points) {
      if (curve.published) {
        text_ +=
            fmt::format("<path d=\"M{0:.1f} {1:.1f}m-5 -5l10 10m0 -10l-10 10\" stroke=\"{2}\" stroke-width=\"2\"/>\n",
                        px(x), py(y), colour);
      } else {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', px(x), py(y));
        text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", px(x), py(y), colour);
      }
    }
    if (!path.empty()) text_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", path, colour);
    const double y = top + 10 + 20.0 * static_cast<double>(index);
    text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{} {}</text>\n", width - right + 12, y + 4,
                         colour, curve.published ? "&#215;" : "&#8212;", escaped(curve.label));
  }

  const Plot& plot_;
  std::string text_;
  double x_low_ = 0.0, x_high_ = 0.0, y_high_ = 0.0, y_step_ = 1.0;
};

}  // namespace

std::string svg_plot(const Plot& plot) {
  return Chart(plot).text();
}

}  // namespace teslasim

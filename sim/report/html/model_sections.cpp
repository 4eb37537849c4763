// SPDX-License-Identifier: Apache-2.0
// Sections 11 and 12: the analytical models beside the simulation, and the roofline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/compare/model_compare.h"
#include "sim/report/html/html.h"
#include "sim/report/html/sections.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

std::string percent_of(double predicted, double simulated) {
  return number_text(100.0 * relative_error(predicted, simulated), 1);
}

HtmlTable times(const FinishedRun& run) {
  HtmlTable table{{"launch", "model", "predicted_ms", "simulated_ms", "error_pct", "level", "bound"}, {}};
  for (std::size_t i = 0; i < run.predictions.size(); ++i) {
    const LaunchPredictions& launch = run.predictions[i];
    for (const Prediction& prediction : launch.predictions) {
      if (!prediction.seconds || !launch.simulated_ms) continue;
      const double ms = *prediction.seconds * 1e3;
      table.rows.push_back({std::to_string(i), prediction.model, milliseconds_number(ms),
                            milliseconds_number(*launch.simulated_ms), percent_of(ms, *launch.simulated_ms),
                            std::string(name_of(prediction.level)), prediction.bound});
    }
  }
  return table;
}

std::string refusals(const LaunchPredictions& launch) {
  std::string text;
  for (const Prediction& prediction : launch.predictions) {
    if (prediction.refusal.empty()) continue;
    text += "<li>" + html(prediction.model) + " gives no prediction: " + html(prediction.refusal);
  }
  return text.empty() ? "" : "<ul>" + text + "</ul>\n";
}

std::string details_of(const Prediction& prediction) {
  HtmlTable inputs{{"input", "value", "unit", "origin", "source"}, {}}, terms{{"term", "value", "unit", "meaning"}, {}};
  for (const PredictionInput& input : prediction.inputs) {
    inputs.rows.push_back({input.name, input.text.empty() ? number_text(input.value, 6) : input.text, input.unit,
                           std::string(name_of(input.origin)), input.source});
  }
  for (const PredictionTerm& term : prediction.terms) {
    terms.rows.push_back({term.name, number_text(term.value, 6), term.unit, term.meaning});
  }
  std::string notes;
  for (const std::string& note : prediction.notes) notes += "<li>" + html(note);
  return fmt::format("<details><summary>{}: {} inputs, {} terms</summary>{}{}{}</details>\n", html(prediction.model),
                     prediction.inputs.size(), prediction.terms.size(), notes.empty() ? "" : "<ul>" + notes + "</ul>",
                     scrolled(inputs), scrolled(terms));
}

/// Terms that the simulation counted too, of all models of a launch.
std::vector<TermComparison> shared_terms(const FinishedRun& run, std::size_t launch) {
  std::vector<TermComparison> all;
  if (run.predictions.size() <= launch) return all;
  const RunData data = RunData::from_tree(run.label, run.statistics);
  const std::string prefix = run.launches() > 1 ? fmt::format("launches.{}.", launch) : "";
  for (const Prediction& prediction : run.predictions[launch].predictions) {
    for (TermComparison& term : compare_terms(prediction, data, prefix)) {
      term.term = prediction.model + " " + term.term;
      all.push_back(std::move(term));
    }
  }
  return all;
}

HtmlTable term_table(const std::vector<TermComparison>& terms) {
  HtmlTable table{{"term", "who", "value", "unit", "against"}, {}};
  for (const TermComparison& term : terms) {
    const std::string name = term.term + " [" + term.unit + "]";
    table.rows.push_back({name, "model", number_text(term.predicted, 6), term.unit, ""});
    table.rows.push_back({name, "simulated", number_text(term.simulated, 6), term.unit, term.against});
  }
  return table;
}

std::string most_different(const std::vector<TermComparison>& terms) {
  if (terms.empty()) return "";
  const auto most = std::max_element(terms.begin(), terms.end(), [](const TermComparison& a, const TermComparison& b) {
    return std::abs(a.weight) < std::abs(b.weight);
  });
  return paragraph(fmt::format("The term that differs most is {}: {} {} against {} {} counted by the simulation ({}).",
                               most->term, number_text(most->predicted), most->unit, number_text(most->simulated),
                               most->unit, most->against));
}

std::optional<double> term_of(const LaunchPredictions& launch, std::string_view model, std::string_view name) {
  for (const Prediction& prediction : launch.predictions) {
    if (prediction.model != model) continue;
    const PredictionTerm* term = prediction.find_term(name);
    if (term != nullptr) return term->value;
  }
  return std::nullopt;
}

std::string hong_kim(const LaunchPredictions& launch) {
  const auto mwp = term_of(launch, "hong-kim", "mwp"), cwp = term_of(launch, "hong-kim", "cwp");
  if (!mwp || !cwp) return "";
  const double most = std::max({*mwp, *cwp, 1e-9});
  const auto bar = [most](std::string_view name, double warps, std::string_view color) {
    return fmt::format(
        "<tr><td>{}<td class=n>{} warps<td><span class=measure style=\"width:{:.0f}px;background:{}\">"
        "</span>\n",
        name, number_text(warps, 1), 400.0 * warps / most, color);
  };
  return paragraph(fmt::format("hong-kim: {} warps have their memory accesses overlapped (MWP) while {} could compute "
                               "during one access (CWP): {} is the smaller, so {} decides.",
                               number_text(*mwp, 1), number_text(*cwp, 1), *mwp < *cwp ? "MWP" : "CWP",
                               *mwp < *cwp ? "memory" : "computation")) +
         "<table>" + bar("MWP", *mwp, "#b40d10") + bar("CWP", *cwp, "#339855") + "</table>\n";
}

/// Points of a roof between the smallest and the largest intensity on the chart.
void add_roof(HtmlTable& table, const std::string& name, double gops, double slope_gbs) {
  for (double intensity = 1.0 / 64; intensity <= 256; intensity *= 2) {
    const double roof = slope_gbs > 0 ? std::min(gops, slope_gbs * intensity) : gops;
    if (slope_gbs <= 0 && intensity < 1) continue;
    table.rows.push_back({name, "roof", number_text(intensity, 5), number_text(roof, 4)});
  }
}

HtmlTable roofline_points(const FinishedRun& run) {
  HtmlTable table{{"name", "kind", "intensity", "gflops"}, {}};
  const double mad = configured_number(run.configuration, "derived.peak_gflops_mad");
  const double both = configured_number(run.configuration, "derived.peak_gflops_mad_mul");
  const double gbs = configured_number(run.configuration, "derived.peak_gbs_dram");
  if (mad <= 0 || gbs <= 0) return table;
  if (both > mad) add_roof(table, "MAD+MUL", both, gbs);
  add_roof(table, "MAD", mad, gbs);
  add_roof(table, "ADD only", mad / 2, gbs);
  const double shared_gbs = run.statistics["machine.sms"].number_or(0) *
                            configured_number(run.configuration, "sm.shared.banks") * 4 *
                            run.statistics["machine.shader_mhz"].number_or(0) * 0.5e-3;
  if (shared_gbs > 0) add_roof(table, "shared memory", both > mad ? both : mad, shared_gbs);
  const double dp = configured_number(run.configuration, "sm.dp_units") * run.statistics["machine.sms"].number_or(0) *
                    2 * run.statistics["machine.shader_mhz"].number_or(0) * 1e-3;
  if (dp > 0) add_roof(table, "DP MAD", dp, gbs);
  for (std::size_t i = 0; i < run.predictions.size(); ++i) {
    const LaunchPredictions& launch = run.predictions[i];
    const auto intensity = term_of(launch, "roofline", "kernel_intensity");
    const auto attainable = term_of(launch, "roofline", "attainable_gops");
    const auto work = term_of(launch, "quantitative-roofline", "work");
    if (!intensity || *intensity <= 0) continue;
    if (work && *work > 0 && launch.simulated_ms && *launch.simulated_ms > 0) {
      table.rows.push_back({fmt::format("{} {}", i, launch.kernel), "launch", number_text(*intensity, 5),
                            number_text(*work / (*launch.simulated_ms * 1e6), 5)});
    }
    if (attainable) {
      table.rows.push_back({fmt::format("{} {}: roofline model", i, launch.kernel), "model", number_text(*intensity, 5),
                            number_text(*attainable, 5)});
    }
  }
  return table;
}

HtmlTable quadrant_points(const FinishedRun& run, const std::vector<MachinePeaks>& machines) {
  HtmlTable table{{"name", "kind", "gbs", "gflops"}, {}};
  double widest = 0;
  for (const MachinePeaks& peak : machines) {
    table.rows.push_back({peak.name, "machine", number_text(peak.gbs, 2), number_text(peak.gflops, 2)});
    widest = std::max(widest, peak.gbs);
  }
  const double mad = configured_number(run.configuration, "derived.peak_gflops_mad"),
               gbs = configured_number(run.configuration, "derived.peak_gbs_dram");
  if (mad <= 0 || gbs <= 0) return {};
  table.rows.push_back({run.statistics["machine.name"].text(), "this", number_text(gbs, 2), number_text(mad, 2)});
  widest = std::max(widest, gbs);
  for (std::size_t i = 0; i < std::min<std::size_t>(run.predictions.size(), 8); ++i) {
    const auto intensity = term_of(run.predictions[i], "quadrant-split", "kernel_intensity");
    if (!intensity || *intensity <= 0) continue;
    const std::string name = fmt::format("{} {}: {} op/B", i, run.predictions[i].kernel, number_text(*intensity, 2));
    table.rows.push_back({name, "ray", "0", "0"});
    table.rows.push_back({name, "ray", number_text(widest, 2), number_text(widest * *intensity, 4)});
  }
  return table;
}

}  // namespace

std::string models_section(const FinishedRun& run) {
  if (run.predictions.empty()) return section_of(11, "Models", absent("The run has no predictions (models.json)."));
  const std::size_t longest = std::min(run.longest(), run.predictions.size() - 1);
  const HtmlTable table = times(run);
  const std::vector<TermComparison> terms = shared_terms(run, longest);
  std::string body =
      "<div class=two>" +
      figure_of({"parity", "Predicted against simulated", "On the line: equal. Above: too slow.", table}) +
      figure_of({"errors", "Error of each model", "Left of zero: the model is too fast.", table}) + "</div>\n";
  body += most_different(terms) + hong_kim(run.predictions[longest]);
  body += figure_of({"terms", "Terms that the simulation counted too",
                     "Equal pairs: the model is right for the right reason.", term_table(terms)});
  body += refusals(run.predictions[longest]) + "<h3>Inputs and terms</h3>\n";
  for (const Prediction& prediction : run.predictions[longest].predictions) body += details_of(prediction);
  return section_of(11, "Models", body);
}

std::string roofline_section(const FinishedRun& run, const std::vector<MachinePeaks>& machines) {
  const HtmlTable roofline = roofline_points(run);
  if (roofline.rows.empty() || run.predictions.empty()) {
    return section_of(12, "Roofline", absent("The run has no predictions or no configuration to draw it from."));
  }
  return section_of(12, "Roofline",
                    "<div class=two>" +
                        figure_of({"roofline", "Roofline",
                                   "Filled: simulated launches; hollow: what the model would allow.", roofline}) +
                        figure_of({"quadrant", "Quadrant split",
                                   "Every machine is a dot; one above the ray of a kernel is memory-bound for it.",
                                   quadrant_points(run, machines)}) +
                        "</div>\n");
}

}  // namespace teslasim

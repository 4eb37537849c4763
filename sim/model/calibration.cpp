// SPDX-License-Identifier: Apache-2.0
#include "sim/model/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr const char* schema_name = "teslasim.calibration/1";

/// Place of `value` among sorted `steps`: index of the step at or below it, and the share of the way to the next one,
/// in logarithms.
struct Place {
  std::size_t below = 0, above = 0;
  double share = 0.0;
};

Place place_of(const std::vector<double>& steps, double value) {
  const auto next = std::upper_bound(steps.begin(), steps.end(), value);
  if (next == steps.begin()) return {0, 0, 0.0};
  const auto above = static_cast<std::size_t>(next - steps.begin());
  if (next == steps.end()) return {above - 1, above - 1, 0.0};
  return {above - 1, above, std::log(value / steps[above - 1]) / std::log(steps[above] / steps[above - 1])};
}

std::vector<double> distinct(const std::vector<BandwidthPoint>& points, double BandwidthPoint::*member) {
  std::vector<double> values;
  for (const BandwidthPoint& point : points) values.push_back(point.*member);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

class Reader {
 public:
  Reader(const std::string& place, const std::string& text)
      : place_(place), document_(parse_config(place, text, problems_)) {}

  Calibration read() {
    for (const ConfigEntry& entry : document_.entries) take(entry);
    if (!schema_ && document_.complete) problem("CAL-SCHEMA", nullptr, "the file does not say what it is");
    check();
    if (problems_.has_errors()) throw InputError(ExitCode::configuration, problems_.all());
    return std::move(calibration_);
  }

 private:
  void problem(const char* code, const ConfigEntry* entry, std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.where.file = place_;
    if (entry != nullptr) {
      diagnostic.where = entry->value_place;
      diagnostic.excerpt = entry->value_line;
    }
    diagnostic.help = "write one with 'teslasim calibrate -c MACHINE --export FILE.toml'";
    problems_.add(std::move(diagnostic));
  }

  double number(const ConfigEntry& entry) {
    if (const auto* whole = std::get_if<std::int64_t>(&entry.value); whole != nullptr && *whole > 0)
      return static_cast<double>(*whole);
    if (const auto* value = std::get_if<double>(&entry.value); value != nullptr && std::isfinite(*value) && *value > 0)
      return *value;
    problem("CAL-VALUE", &entry, "'" + entry.key + "' must be a number above 0");
    return 1.0;
  }
  std::vector<double> list(const ConfigEntry& entry) {
    std::vector<double> values;
    for (const ConfigEntry& element : entry.elements) values.push_back(number(element));
    if (entry.elements.empty()) problem("CAL-VALUE", &entry, "'" + entry.key + "' must be a list of numbers");
    return values;
  }

  void take(const ConfigEntry& entry) {
    if (entry.kind == ConfigEntry::Kind::table) return;
    const auto* word = std::get_if<std::string>(&entry.value);
    if (entry.key == "schema") {
      schema_ = true;
      if (word == nullptr || *word != schema_name) problem("CAL-SCHEMA", &entry, "this is not a calibration");
    } else if (entry.key == "machine" || entry.key == "configuration" || entry.key == "program") {
      if (word == nullptr) return problem("CAL-VALUE", &entry, "'" + entry.key + "' must be a string");
      (entry.key == "machine"         ? calibration_.machine
       : entry.key == "configuration" ? calibration_.configuration
                                      : calibration_.program) = *word;
    } else if (entry.key == "sms") {
      calibration_.sms = number(entry);
    } else if (entry.key.starts_with("constants.")) {
      calibration_.constants[entry.key.substr(10)] = number(entry);
    } else if (entry.key == "curves.warps") {
      calibration_.warps = list(entry);
    } else if (entry.key.starts_with("curves.")) {
      calibration_.curves[entry.key.substr(7)] = list(entry);
    } else {
      column(entry);
    }
  }

  void column(const ConfigEntry& entry) {
    constexpr std::array<std::pair<const char*, double BandwidthPoint::*>, 4> columns{
        {{"global.blocks", &BandwidthPoint::blocks},
         {"global.threads", &BandwidthPoint::threads},
         {"global.transactions", &BandwidthPoint::transactions},
         {"global.gbs", &BandwidthPoint::gbs}}};
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&entry](const auto& row) { return entry.key == row.first; });
    if (found == columns.end()) return problem("CAL-VALUE", &entry, "unknown key '" + entry.key + "'");
    const std::vector<double> values = list(entry);
    if (calibration_.bandwidth.empty()) calibration_.bandwidth.resize(values.size());
    if (values.size() != calibration_.bandwidth.size())
      return problem("CAL-VALUE", &entry, "the lists of [global] must be equally long");
    for (std::size_t i = 0; i < values.size(); ++i) calibration_.bandwidth[i].*found->second = values[i];
  }

  void check() {
    for (const auto& [name, values] : calibration_.curves) {
      if (values.size() != calibration_.warps.size())
        problem("CAL-VALUE", nullptr, "curve '" + name + "' and 'curves.warps' must be equally long");
    }
    if (!std::is_sorted(calibration_.warps.begin(), calibration_.warps.end()))
      problem("CAL-VALUE", nullptr, "'curves.warps' must be in ascending order");
    if (calibration_.sms <= 0.0) problem("CAL-VALUE", nullptr, "'sms' is missing");
    for (const BandwidthPoint& point : calibration_.bandwidth) {
      if (point.blocks <= 0.0 || point.threads <= 0.0 || point.transactions <= 0.0 || point.gbs <= 0.0)
        return problem("CAL-VALUE", nullptr, "a list of [global] is missing");
    }
  }

  std::string place_;
  Diagnostics problems_;
  ConfigDocument document_;
  bool schema_ = false;
  Calibration calibration_;
};

std::string number_text(double value) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.6g", value);
  std::string result(text.data(), static_cast<std::size_t>(length));
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

template <typename Values>
std::string list_text(const std::string& name, const Values& values) {
  std::string text = name + " = [";
  for (const double value : values) text += (text.ends_with('[') ? "" : ", ") + number_text(value);
  return text + "]\n";
}

/// Measured for the reader; no model takes them.
constexpr std::array<std::array<std::string_view, 2>, 4> shown_only{{
    {"constant_gops", "Gop/s: measured reads of constants, one for all lanes"},
    {"texture_l1_gbs", "GB/s: measured texture reads of 2 KB again and again"},
    {"texture_l2_gbs", "GB/s: measured texture reads of 64 KB again and again"},
    {"texture_memory_gbs", "GB/s: measured texture reads of 4096 KB"},
}};

/// What a constant is, with its unit in front.
std::string meaning_of(std::string_view name) {
  if (const InputInfo* info = find_input_info(name)) return std::string(info->unit) + ": " + std::string(info->meaning);
  const auto* const found =
      std::find_if(shown_only.begin(), shown_only.end(), [name](const auto& row) { return row[0] == name; });
  return found == shown_only.end() ? "" : std::string((*found)[1]);
}

}  // namespace

double Calibration::at_warps(const std::string& curve, double resident) const {
  const std::vector<double>& values = curves.at(curve);
  const Place place = place_of(warps, resident);
  if (place.above == place.below) return values[place.below];
  const double share = (resident - warps[place.below]) / (warps[place.above] - warps[place.below]);
  return values[place.below] + share * (values[place.above] - values[place.below]);
}

double Calibration::global_gbs(double blocks, double threads, double transactions) const {
  const std::array axes{distinct(bandwidth, &BandwidthPoint::blocks), distinct(bandwidth, &BandwidthPoint::threads),
                        distinct(bandwidth, &BandwidthPoint::transactions)};
  const std::array places{place_of(axes[0], blocks), place_of(axes[1], threads), place_of(axes[2], transactions)};
  double logarithm = 0.0, weights = 0.0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    std::array<double, 3> wanted{};
    double weight = 1.0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool above = (corner >> axis & 1U) != 0;
      const Place& place = places.at(axis);
      weight *= above ? place.share : 1.0 - place.share;
      wanted.at(axis) = axes.at(axis)[above ? place.above : place.below];
    }
    const auto point = std::find_if(bandwidth.begin(), bandwidth.end(), [&wanted](const BandwidthPoint& p) {
      return p.blocks == wanted[0] && p.threads == wanted[1] && p.transactions == wanted[2];
    });
    if (weight <= 0.0 || point == bandwidth.end()) continue;
    logarithm += weight * std::log(point->gbs);
    weights += weight;
  }
  if (weights <= 0.0) return 0.0;
  const double scale = std::min(1.0, blocks / axes[0].front());
  return scale * std::exp(logarithm / weights);
}

std::string calibration_toml(const Calibration& calibration) {
  std::string text = "schema = \"" + std::string(schema_name) + "\"\nmachine = \"" + calibration.machine +
                     "\"\nconfiguration = \"" + calibration.configuration + "\"\nprogram = \"" + calibration.program +
                     "\"\nsms = " + number_text(calibration.sms) + "\n\n[constants]\n";
  for (const auto& [name, value] : calibration.constants) {
    const std::string meaning = meaning_of(name);
    text += name + " = " + number_text(value) + (meaning.empty() ? "" : "    # " + meaning) + "\n";
  }
  text += "\n[curves]    # of all SMs, against the warps resident on each\n" + list_text("warps", calibration.warps);
  for (const auto& [name, values] : calibration.curves) text += list_text(name, values);
  text += "\n[global]    # GB/s against blocks, threads of a block, words read by each thread\n";
  constexpr std::array<std::pair<const char*, double BandwidthPoint::*>, 4> columns{
      {{"blocks", &BandwidthPoint::blocks},
       {"threads", &BandwidthPoint::threads},
       {"transactions", &BandwidthPoint::transactions},
       {"gbs", &BandwidthPoint::gbs}}};
  for (const auto& [name, member] : columns) {
    std::vector<double> values;
    for (const BandwidthPoint& point : calibration.bandwidth) values.push_back(point.*member);
    if (!values.empty()) text += list_text(name, values);
  }
  return text;
}

Calibration read_calibration(const std::string& place, const std::string& text) {
  return Reader(place, text).read();
}

void calibrate_inputs(const Calibration& calibration, InputSet& inputs) {
  const auto put = [&inputs](const std::string& name, double value, const std::string& source) {
    inputs.set(name, value, InputOrigin::calibration, source);
  };
  for (const auto& [name, value] : calibration.constants) {
    if (inputs.find(name) != nullptr) put(name, value, name);
  }
  const auto constant = [&](const char* name, const char* input) {
    const auto found = calibration.constants.find(name);
    if (found != calibration.constants.end() && inputs.find(input) != nullptr) put(input, found->second, name);
  };
  constant("pipeline_latency", "alu_latency");
  constant("mem_ld", "memory_latency");
  const auto number = [&inputs](const char* name) {
    const InputValue* value = inputs.find(name);
    return value != nullptr ? value->number : 0.0;
  };
  const double resident = number("active_warps_per_sm"), share = number("active_sms") / calibration.sms;
  if (resident > 0.0) {
    for (const auto& [name, values] : calibration.curves) put(name, share * calibration.at_warps(name, resident), name);
  }
  // With one block per SM its barriers separate the stages, and each has the warps that work in it.
  if (resident > 0.0 && number("active_blocks_per_sm") < 1.5) {
    for (std::size_t i = 0; inputs.find("stage." + std::to_string(i) + ".warps") != nullptr; ++i) {
      const std::string stage = "stage." + std::to_string(i) + ".";
      const double working = inputs.find(stage + "warps")->number;
      const InputValue* sharing = inputs.find(stage + "shared_warps");
      for (const auto& [name, values] : calibration.curves) {
        const double warps = name == "shared_gbs" && sharing != nullptr ? sharing->number : working;
        put(stage + name, share * calibration.at_warps(name, warps), name);
      }
    }
  }
  const double accesses = number("coal_mem_insts") + number("uncoal_mem_insts");
  if (accesses <= 0.0 || calibration.bandwidth.empty()) return;
  put("global_gbs", calibration.global_gbs(number("blocks"), number("threads_per_block"), accesses), "global");
}

}  // namespace teslasim
